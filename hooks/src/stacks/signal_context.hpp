// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Where the kernel keeps the registers of interrupted code: offsets from the stack pointer that the code has to which a
// signal handler returns, on x86-64 Linux.
#pragma once

#include <stdint.h>

namespace allocgate::hooks {

constexpr int64_t k_context_pc = 168;
constexpr int64_t k_context_sp = 160;
constexpr int64_t k_context_bp = 120;

/* By DWARF's numbers: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 ... r15. */
constexpr uint8_t k_context_registers[16] = {144, 136, 152, 128, 112, 104, 120, 160, 40, 48, 56, 64, 72, 80, 88, 96};

}  // namespace allocgate::hooks
