/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
/*
 * A server whose allocations are known: 2 of 50 bytes for a connection, which are given back when it ends, and 3 of 100
 * bytes for a request, which is a line, given back before it is answered. Writes its port into the file it is given.
 *
 *   known_server PORT_FILE [MODE]
 *
 * leak     keeps one of the 3 blocks of each request
 * files    keeps one descriptor open for each request
 * forks    has its connections in a process of its own each, one after another
 * thread   answers in a thread that stays
 * late     allocates once more for each request, but only some time after the connection has ended
 * ticks    also allocates by itself, every 20 ms
 * drains   goes on allocating when all have been answered, for ever
 * crashes  ends by a signal at the fifth request
 * leaves   goes to the background
 * stays    does not end by SIGTERM, and has a child that does not either, whose id it writes into PORT_FILE.child
 * never    is never ready
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* g_mode = "";
static int g_requests;
static int g_late;

static int is_mode(const char* mode) {
  return strcmp(g_mode, mode) == 0;
}

/* Not to be left out by the compiler. */
static void* volatile g_block;

static void* get(size_t size) {
  g_block = malloc(size);
  return g_block;
}

static void answer(int connection) {
  void* blocks[3];
  for (int index = 0; index < 3; ++index) {
    blocks[index] = get(100);
  }
  for (int index = is_mode("leak") ? 1 : 0; index < 3; ++index) {
    free(blocks[index]);
  }
  ++g_late;
  if (is_mode("files") && open("/dev/null", O_RDONLY) < 0) {
    abort();
  }
  if (is_mode("crashes") && ++g_requests == 5) {
    fprintf(stderr, "known_server: this is the fifth request\n");
    abort();
  }
  if (write(connection, "ok\n", 3) != 3) {
    _exit(1);
  }
}

static void serve(int connection) {
  void* first = get(50);
  void* second = get(50);
  char bytes[4096];
  for (ssize_t length; (length = read(connection, bytes, sizeof bytes)) > 0;) {
    for (ssize_t at = 0; at < length; ++at) {
      if (bytes[at] == '\n') {
        answer(connection);
      }
    }
  }
  free(first);
  free(second);
  close(connection);
  if (is_mode("late")) {
    poll(NULL, 0, 100);
    for (; g_late > 0; --g_late) {
      free(get(10));
    }
  }
}

static int g_listener;

static void* serve_in_thread(void* unused) {
  for (int connection; (connection = accept(g_listener, NULL, NULL)) >= 0;) {
    serve(connection);
  }
  return unused;
}

static int listen_somewhere(const char* port_file) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0 || bind(listener, (struct sockaddr*)&address, sizeof address) != 0 || listen(listener, 64) != 0 ||
      getsockname(listener, (struct sockaddr*)&address, &length) != 0) {
    perror("known_server");
    exit(1);
  }
  char text[16];
  const int bytes = snprintf(text, sizeof text, "%d\n", ntohs(address.sin_port));
  const int file = open(port_file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || write(file, text, (size_t)bytes) != bytes) {
    perror("known_server");
    exit(1);
  }
  close(file);
  return listener;
}

static void stay(const char* port_file) {
  signal(SIGTERM, SIG_IGN);
  const pid_t child = fork();
  if (child == 0) {
    for (;;) {
      pause();
    }
  }
  char name[4096];
  char text[16];
  snprintf(name, sizeof name, "%s.child", port_file);
  const int bytes = snprintf(text, sizeof text, "%d\n", child);
  const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (write(file, text, (size_t)bytes) != bytes) {
    exit(1);
  }
  close(file);
}

int main(int count, char** words) {
  g_mode = count > 2 ? words[2] : "";
  if (is_mode("never")) {
    fprintf(stderr, "known_server: never ready\n");
    for (;;) {
      pause();
    }
  }
  if (is_mode("leaves") && fork() != 0) {
    return 0;
  }
  if (is_mode("stays")) {
    stay(words[1]);
  }
  g_listener = listen_somewhere(words[1]);
  if (is_mode("thread")) {
    pthread_t thread;
    pthread_create(&thread, NULL, serve_in_thread, NULL);
    for (;;) {
      pause();
    }
  }
  int busy = 0;
  for (;;) {
    struct pollfd event = {g_listener, POLLIN, 0};
    const int ready = poll(&event, 1, is_mode("ticks") || busy ? 20 : -1);
    if (ready == 0) {
      free(get(10));
      continue;
    }
    const int connection = accept(g_listener, NULL, NULL);
    busy = is_mode("drains");
    if (is_mode("forks")) {
      const pid_t child = fork();
      if (child == 0) {
        serve(connection);
        exit(0);
      }
      close(connection);
      waitpid(child, NULL, 0);
    } else {
      serve(connection);
    }
  }
}
