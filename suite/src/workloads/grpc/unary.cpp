// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// grpc/100_unary_1_conn: a blocking client of gRPC++ asks 100 times, one after another, over one channel for a list of
// three tasks, and a synchronous server answers. It models a service that asks another one.
//
// Server and channel are made before the window. A request is 50 allocations on both ends together: the call with its
// arena, the metadata, the messages in slices, what is written to HTTP/2 and what is read, and the three tasks with
// their titles. gRPC has threads of its own, which hand work to each other as time has it. The answer reaches the
// client before the server has put the call away, and nothing tells when it has: the iteration ends a moment later. The
// probe by which either end estimates the bandwidth is off, because its timers make and end threads.
//
// counts per iteration of grpc/100_unary_1_conn: 5 000 to 5 100 allocations (grpc 1.51.1)
// not exact: threads of gRPC's own; whether one of them finds work or waits for it is a matter of time

#include "workloads/common/description.hpp"
#include "workloads/common/measure.hpp"
#include "workloads/common/package_version.hpp"

#include <allocgate/benchmark.hpp>

#include <grpcpp/grpcpp.h>
#include <messages.grpc.pb.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

namespace {

using namespace allocgate::suite;
namespace tasks = allocgate::tasks;

constexpr int k_requests = 100;
constexpr int k_tasks = 3;
constexpr std::chrono::milliseconds k_moment{20};

class Service final : public tasks::Tasks::Service {
public:
  grpc::Status List(grpc::ServerContext* /*context*/, const tasks::Owner* /*owner*/, tasks::TaskList* list) override {
    for (int id = 0; id < k_tasks; ++id) {
      tasks::Task* task = list->add_tasks();
      task->set_id(id);
      task->set_title("a task with a title that is not short");
    }
    return grpc::Status::OK;
  }
};

const char* ask(tasks::Tasks::Stub& stub) {
  for (int request = 0; request < k_requests; ++request) {
    grpc::ClientContext context;
    tasks::Owner owner;
    owner.set_name("somebody");
    tasks::TaskList list;
    if (!stub.List(&context, owner, &list).ok() || list.tasks_size() != k_tasks) {
      return "a request was not answered";
    }
  }
  std::this_thread::sleep_for(k_moment);
  return nullptr;
}

void unary(benchmark::State& state) {
  Service service;
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) {
    state.SkipWithError("the server could not listen");
  } else {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
    const std::unique_ptr<tasks::Tasks::Stub> stub = tasks::Tasks::NewStub(
        grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(port), grpc::InsecureChannelCredentials(), arguments));
    measure_after_first_use(state, [&] { return ask(*stub); });
    server->Shutdown();
  }
}

ALLOCGATE_WORKLOAD(unary, "grpc/100_unary_1_conn",
                   (least_of(exact("grpc", package_version({"libgrpc++1.51", "libgrpc++1.51t64"}, grpc::Version()),
                                   "RPC: 100 unary requests over one channel, blocking"),
                             4)));

}  // namespace
