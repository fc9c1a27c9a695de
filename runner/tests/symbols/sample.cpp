// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Code of many shapes for symbols_test.py, which compares what two programs say about each of its calls: inlined
// calls, templates, lambdas, local classes, anonymous namespaces, constructors, exceptions, cold parts.
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" void* sample_c(unsigned long size);

namespace {

std::string hidden_name(int number) {
  return std::to_string(number) + "hidden";
}

}  // namespace

namespace sample {

template <typename T>
inline __attribute__((always_inline)) T* make(T value) {
  return new T(value);
}

class Session {
public:
  explicit Session(std::size_t size) : m_data(size) { m_names[1] = hidden_name(1); }
  ~Session() { std::printf("%zu\n", m_data.size()); }
  void read(int times) {
    for (int i = 0; i < times; ++i) {
      grow();
    }
  }

private:
  inline __attribute__((always_inline)) void grow() {
    m_data.push_back(*std::unique_ptr<int>(make(1)));
    m_names.emplace(static_cast<int>(m_data.size()), "x");
  }
  std::vector<int> m_data;
  std::map<int, std::string> m_names;
};

__attribute__((noinline)) int with_local_class(int value) {
  struct Local {
    __attribute__((noinline)) static int* run(int number) { return make(number); }
  };
  const auto twice = [&](int number) __attribute__((noinline)) {
    std::vector<int> numbers(static_cast<std::size_t>(number), value);
    return static_cast<int>(numbers.size());
  };
  const std::unique_ptr<int> made(Local::run(value));
  return *made + twice(value);
}

__attribute__((noinline)) int throwing(int value) {
  if (__builtin_expect(value > 100, 0)) {
    throw std::runtime_error(hidden_name(value));
  }
  return with_local_class(value);
}

}  // namespace sample

int main(int argc, char**) {
  sample::Session session(static_cast<std::size_t>(argc));
  session.read(argc + 3);
  try {
    sample::throwing(argc * 99);
    sample::throwing(argc * 101);
  } catch (const std::exception& error) {
    std::puts(error.what());
  }
  std::printf("%p\n", sample_c(static_cast<unsigned long>(argc)));
}
