// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/executable.hpp"

#include "made_elf.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

#include <elf.h>

namespace allocgate {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  std::copy_n(reinterpret_cast<const std::byte*>(text.data()), text.size(), bytes.begin());
  return bytes;
}

std::vector<std::byte> own_image() {
  std::ifstream stream("/proc/self/exe", std::ios::binary);
  return bytes_of(std::string(std::istreambuf_iterator<char>(stream), {}));
}

/// This test program, changed: real files of the other kinds are not on every machine.
Elf64_Ehdr& header_of(std::vector<std::byte>& image) {
  return *reinterpret_cast<Elf64_Ehdr*>(image.data());
}

TEST(ClassifyExecutable, SeesADynamicProgram) {
  const ExecutableInfo info = inspect_executable("/proc/self/exe");
  EXPECT_EQ(info.kind, ExecutableKind::dynamic_elf);
  EXPECT_NE(info.interpreter.find("ld"), std::string::npos) << info.interpreter;
  EXPECT_NE(std::find_if(info.needed.begin(), info.needed.end(),
                         [](const std::string& library) { return library.starts_with("libc."); }),
            info.needed.end());
  EXPECT_FALSE(info.privileged);
  EXPECT_FALSE(info.musl);
}

TEST(ClassifyExecutable, SeesAStaticProgram) {
  std::vector<std::byte> image = own_image();
  const Elf64_Ehdr& header = header_of(image);
  auto* segments = reinterpret_cast<Elf64_Phdr*>(image.data() + header.e_phoff);
  for (int index = 0; index < header.e_phnum; ++index) {
    if (segments[index].p_type == PT_INTERP) {
      segments[index].p_type = PT_NULL;
    }
  }
  EXPECT_EQ(classify_executable(image).kind, ExecutableKind::static_elf);
}

TEST(ClassifyExecutable, SeesOtherMachines) {
  std::vector<std::byte> image = own_image();
  header_of(image).e_machine = EM_RISCV;
  EXPECT_EQ(classify_executable(image).kind, ExecutableKind::other_machine);
  EXPECT_EQ(classify_executable(image).machine, "RISC-V");
  header_of(image).e_ident[EI_CLASS] = ELFCLASS32;
  EXPECT_EQ(classify_executable(image).kind, ExecutableKind::other_machine);
#if defined(__x86_64__)
  header_of(image).e_machine = EM_386;
  EXPECT_EQ(classify_executable(image).kind, ExecutableKind::other_class);
#endif
  header_of(image).e_ident[EI_DATA] = ELFDATANONE;
  EXPECT_EQ(classify_executable(image).kind, ExecutableKind::other_machine);
}

TEST(ClassifyExecutable, ReadsTheInterpreterOfAScript) {
  const auto interpreter = [](std::string_view text) { return classify_executable(bytes_of(text)).interpreter; };
  EXPECT_EQ(interpreter("#!/bin/sh\necho"), "/bin/sh");
  EXPECT_EQ(interpreter("#! /usr/bin/env python3 -u\n"), "/usr/bin/env");
  EXPECT_EQ(interpreter("#!/bin/sh"), "/bin/sh");
  EXPECT_EQ(interpreter("#!/bin/sh\r\n"), "/bin/sh");
  EXPECT_EQ(interpreter("#!\n"), "");
  EXPECT_TRUE(classify_executable(bytes_of("#!/bin/sh\n")).looks_like_text);
}

TEST(ClassifyExecutable, TakesAnyBytes) {
  EXPECT_EQ(classify_executable({}).kind, ExecutableKind::unknown);
  const std::vector<std::byte> whole = own_image();
  for (std::size_t length = 0; length < 4096; length += 7) {
    classify_executable(std::span(whole).first(std::min(length, whole.size())));
  }
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::byte> image(whole.begin(), whole.begin() + std::min<std::ptrdiff_t>(4096, std::ssize(whole)));
    for (int change = 0; change < 20; ++change) {
      image[20 + random() % (image.size() - 20)] = static_cast<std::byte>(random());
    }
    classify_executable(image);
  }
}

TEST(ClassifyExecutable, TakesSymbolsThatPointAnywhere) {
  const std::string whole = MadeElf{.loader = "/ld", .needed = {"libc.so.6"}, .symbols = {{"malloc", true}}}.bytes();
  EXPECT_TRUE(classify_executable(bytes_of(whole)).own_malloc);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    classify_executable(bytes_of(std::string_view(whole).substr(0, length)));
  }
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::byte> image = bytes_of(whole);
    for (int change = 0; change < 10; ++change) {
      image[20 + random() % (image.size() - 20)] = static_cast<std::byte>(random());
    }
    classify_executable(image);
  }
}

TEST(InspectExecutable, DoesNotWaitForAPipe) {
  EXPECT_EQ(inspect_executable("/dev/null").kind, ExecutableKind::unknown);
  EXPECT_EQ(inspect_executable("/no/such/file").kind, ExecutableKind::unknown);
}

}  // namespace
}  // namespace allocgate
