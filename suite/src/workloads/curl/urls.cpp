// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// curl/parse_1000_uris: a connection string with one seed is parsed by libcurl's own parser, 1000 times, and its
// host is asked for. What is kept is a copy of each part, and so is what is asked for.
//
// counts per iteration of curl/parse_1000_uris: 8 000 allocations, 192 000 bytes (curl 7.88.1)

#include "workloads/common/measure.hpp"
#include "workloads/curl/curl_description.hpp"

#include <allocgate/benchmark.hpp>

#include <curl/curl.h>

#include <string_view>

namespace {

using namespace allocgate::suite;

constexpr int k_times = 1000;
constexpr char k_one_seed[] = "esdb://user:pass@node1.example.com:2113/?tls=true&keepAliveInterval=10000";

const char* parse() {
  for (int time = 0; time < k_times; ++time) {
    CURLU* url = curl_url();
    char* host = nullptr;
    const bool parsed =
        curl_url_set(url, CURLUPART_URL, static_cast<const char*>(k_one_seed), CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK &&
        curl_url_get(url, CURLUPART_HOST, &host, 0) == CURLUE_OK && std::string_view(host) == "node1.example.com";
    curl_free(host);
    curl_url_cleanup(url);
    if (!parsed) {
      return "a connection string was not parsed";
    }
  }
  return nullptr;
}

void one_seed(benchmark::State& state) {
  measure_after_first_use(state, parse);
}

ALLOCGATE_WORKLOAD(one_seed, "curl/parse_1000_uris", (curl_row("a connection string with one seed, CURLU")));

}  // namespace
