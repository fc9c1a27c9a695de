// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Many standard headers: the compiler makes a million allocations from 150 000 stacks when it reads them. What
// ci/overhead has a real program do.
#include <algorithm>
#include <any>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <iostream>
#include <list>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <ranges>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

int main() {
  const std::regex expression("(a|b)*c");
  std::map<std::string, std::vector<int>> map;
  map["x"].push_back(1);
  std::cout << std::regex_match("abc", expression) << map.size();
  for (const int odd : std::views::iota(1, 9) | std::views::filter([](int number) { return number % 2 != 0; })) {
    std::cout << odd;
  }
}
