/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */

/*
 * word_list N: puts N words into a list and gives them back, 2 allocations for each, 3 where one is planted. A program
 * that is compiled with nothing of allocgate.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  struct entry* next;
  char* word;
};

int main(int argc, char** argv) {
  const long count = argc == 2 ? strtol(argv[1], NULL, 10) : -1;
  struct entry* list = NULL;
  long i;
  if (count < 0) {
    fputs("usage: word_list N\n", stderr);
    return 64;
  }
  for (i = 0; i < count; ++i) {
    struct entry* added = malloc(sizeof(*added));
    if (added == NULL || (added->word = malloc(16)) == NULL) {
      return 1;
    }
    strcpy(added->word, "a word");
    added->next = list;
    list = added;
#if PLANTED
    /* volatile: the compiler may not remove a pair whose block nobody looks at. */
    void* volatile planted = malloc(8);
    free(planted);
#endif
  }
  while (list != NULL) {
    struct entry* removed = list;
    list = removed->next;
    free(removed->word);
    free(removed);
  }
  return 0;
}
