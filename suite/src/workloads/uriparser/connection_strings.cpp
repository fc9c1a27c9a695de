// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// uriparser/parse_1000_uris: a connection string with one seed is parsed by the strict grammar of RFC 3986,
// and its query taken apart, 1000 times. The URI points into the text; the list of a query of two parts is two entries
// of three allocations each, and path segments are one each. /three_seeds: three names in the authority. /rejected:
// strings that the grammar does not allow, among them three seeds with a port each.
//
// counts per iteration of uriparser/parse_1000_uris: 8 000 allocations, 117 000 bytes (uriparser 0.9.7)
// counts per iteration of uriparser/parse_1000_uris/three_seeds: 8 000 allocations, 117 000 bytes (uriparser 0.9.7)
// counts per iteration of uriparser/parse_1000_uris/rejected: 5 000 allocations, 88 000 bytes (uriparser 0.9.7)

#include "workloads/common/description.hpp"
#include "workloads/common/measure.hpp"
#include "workloads/common/package_version.hpp"

#include <allocgate/benchmark.hpp>

#include <uriparser/Uri.h>

#include <algorithm>
#include <string>

namespace {

using namespace allocgate::suite;

constexpr int k_times = 1000;
constexpr char k_one_seed[] = "esdb://user:pass@node1.example.com:2113/?tls=true&keepAliveInterval=10000";
constexpr char k_three_seeds[] =
    "esdb://user:pass@node1.example.com,node2.example.com,node3.example.com:2113/?tls=true&keepAliveInterval=10000";
constexpr const char* k_rejected[] = {
    "esdb://node1.example.com:2113,node2.example.com:2113,node3.example.com:2113/?tls=true",
    "esdb://node1.example.com:2113/?name=%zz",
    "esdb://[::1/?tls=true",
    "esdb://node1.example.com:2113/a path",
};

const char* parse(const char* text, std::ptrdiff_t seeds) {
  for (int time = 0; time < k_times; ++time) {
    UriUriA uri;
    const char* wrong_at = nullptr;
    if (uriParseSingleUriA(&uri, text, &wrong_at) != URI_SUCCESS) {
      return "a connection string was not parsed";
    }
    const std::ptrdiff_t found = std::count(uri.hostText.first, uri.hostText.afterLast, ',') + 1;
    UriQueryListA* query = nullptr;
    int parts = 0;
    uriDissectQueryMallocA(&query, &parts, uri.query.first, uri.query.afterLast);
    uriFreeQueryListA(query);
    uriFreeUriMembersA(&uri);
    if (parts != 2 || found != seeds) {
      return "a part of the connection string is missing";
    }
  }
  return nullptr;
}

const char* reject() {
  for (int time = 0; time < k_times; ++time) {
    for (const char* text : k_rejected) {
      UriUriA uri;
      const char* wrong_at = nullptr;
      if (uriParseSingleUriA(&uri, text, &wrong_at) == URI_SUCCESS) {
        uriFreeUriMembersA(&uri);
        return "a wrong connection string was parsed";
      }
    }
  }
  return nullptr;
}

allocgate::WorkloadDescription uriparser_row(std::string exercises) {
  return exact("uriparser", package_version({"liburiparser1"}, URI_VER_ANSI), std::move(exercises));
}

void one_seed(benchmark::State& state) {
  measure(state, [] { return parse(static_cast<const char*>(k_one_seed), 1); });
}

void three_seeds(benchmark::State& state) {
  constexpr std::ptrdiff_t k_seeds = 3;
  measure(state, [] { return parse(static_cast<const char*>(k_three_seeds), k_seeds); });
}

void rejected(benchmark::State& state) {
  measure(state, reject);
}

ALLOCGATE_WORKLOAD(one_seed, "uriparser/parse_1000_uris",
                   (uriparser_row("strict RFC 3986: a connection string with one seed")));
ALLOCGATE_WORKLOAD(three_seeds, "uriparser/parse_1000_uris/three_seeds", (uriparser_row("the same with three seeds")));
ALLOCGATE_WORKLOAD(rejected, "uriparser/parse_1000_uris/rejected",
                   (uriparser_row("strings that RFC 3986 does not allow: what an error costs")));

}  // namespace
