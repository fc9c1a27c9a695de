// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// boost_url/parse_1000_uris: a connection string with one seed is parsed by the strict grammar of RFC
// 3986, 1000 times, into a view of the text: nothing is allocated. /owned: into a URL of its own, which is then
// normalized: one allocation, the text. /three_seeds: three names in the authority, which are taken apart afterwards,
// into a view. /rejected: strings that the grammar does not allow; the error allocates nothing. Three seeds with a port
// each are not among them: the grammar forbids them, and Boost.URL 1.81 takes the rest of them for a path.
//
// counts per iteration of boost_url/parse_1000_uris: 0 allocations, 0 bytes (boost_url 1.81.0)
// counts per iteration of boost_url/parse_1000_uris/owned: 1 000 allocations, 74 000 bytes (boost_url 1.81.0)
// counts per iteration of boost_url/parse_1000_uris/three_seeds: 0 allocations, 0 bytes (boost_url 1.81.0)
// counts per iteration of boost_url/parse_1000_uris/rejected: 0 allocations, 0 bytes (boost_url 1.81.0)

#include "workloads/common/description.hpp"
#include "workloads/common/measure.hpp"
#include "workloads/common/package_version.hpp"

#include <allocgate/benchmark.hpp>

#include <boost/url/parse.hpp>
#include <boost/url/url.hpp>
#include <boost/url/url_view.hpp>
#include <boost/version.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace {

using namespace allocgate::suite;
namespace urls = boost::urls;

constexpr int k_times = 1000;
constexpr unsigned k_port = 2113;
constexpr char k_one_seed[] = "esdb://user:pass@node1.example.com:2113/?tls=true&keepAliveInterval=10000";
constexpr char k_three_seeds[] =
    "esdb://user:pass@node1.example.com,node2.example.com,node3.example.com:2113/?tls=true&keepAliveInterval=10000";
constexpr const char* k_rejected[] = {
    "esdb://node1.example.com:2113/a path",
    "esdb://node1.example.com:2113/?name=%zz",
    "esdb://[::1/?tls=true",
    "//node 1.example.com",
};

const char* parse_views(const char* text, std::ptrdiff_t seeds) {
  for (int time = 0; time < k_times; ++time) {
    const auto parsed = urls::parse_uri(text);
    if (!parsed || parsed->port_number() != k_port || parsed->params().size() != 2) {
      return "a connection string was not parsed";
    }
    const auto host = parsed->encoded_host();
    if (std::count(host.begin(), host.end(), ',') + 1 != seeds) {
      return "seeds are missing";
    }
  }
  return nullptr;
}

const char* parse_owned() {
  for (int time = 0; time < k_times; ++time) {
    const auto parsed = urls::parse_uri(k_one_seed);
    if (!parsed) {
      return "a connection string was not parsed";
    }
    urls::url own = *parsed;
    own.normalize();
    if (own.port_number() != k_port) {
      return "a port is missing";
    }
  }
  return nullptr;
}

const char* reject() {
  for (int time = 0; time < k_times; ++time) {
    for (const char* text : k_rejected) {
      if (urls::parse_uri(text)) {
        return "a wrong connection string was parsed";
      }
    }
  }
  return nullptr;
}

allocgate::WorkloadDescription boost_url_row(std::string exercises) {
  constexpr int k_major = BOOST_VERSION / 100000;
  constexpr int k_minor = BOOST_VERSION / 100 % 1000;
  constexpr int k_patch = BOOST_VERSION % 100;
  const std::string version = std::to_string(k_major) + "." + std::to_string(k_minor) + "." + std::to_string(k_patch);
  return exact("boost_url", package_version({("libboost-url" + version).c_str()}, version), std::move(exercises));
}

void one_seed(benchmark::State& state) {
  measure(state, [] { return parse_views(static_cast<const char*>(k_one_seed), 1); });
}

void owned(benchmark::State& state) {
  measure(state, parse_owned);
}

void three_seeds(benchmark::State& state) {
  constexpr std::ptrdiff_t k_seeds = 3;
  measure(state, [] { return parse_views(static_cast<const char*>(k_three_seeds), k_seeds); });
}

void rejected(benchmark::State& state) {
  measure(state, reject);
}

ALLOCGATE_WORKLOAD(one_seed, "boost_url/parse_1000_uris",
                   (boost_url_row("strict RFC 3986: a connection string with one seed, as a view")));
ALLOCGATE_WORKLOAD(owned, "boost_url/parse_1000_uris/owned",
                   (boost_url_row("the same into a URL of its own, against a view")));
ALLOCGATE_WORKLOAD(three_seeds, "boost_url/parse_1000_uris/three_seeds", (boost_url_row("the same with three seeds")));
ALLOCGATE_WORKLOAD(rejected, "boost_url/parse_1000_uris/rejected",
                   (boost_url_row("strings that RFC 3986 does not allow: what an error costs")));

}  // namespace
