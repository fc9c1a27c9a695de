// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <string>
#include <string_view>

// What of a function's name says which function it is, and what is only how it was compiled. Pure; any thread.
namespace allocgate {

/// The name by which a function is the same in two builds: the linker's name, demangled, where there is one, else
/// `function`. Overloads and template arguments stay; "[clone ...]", ".cold", ".part.N", ".constprop.N", ".isra.N",
/// ".lto_priv.N", ".llvm.N", the numbers of lambdas and unnamed types, Rust's "::h<16 digits>" and file names in
/// anonymous namespaces go. The variants of a constructor or destructor are one function. Empty for code without a
/// name.
std::string identity_name(std::string_view function, std::string_view linkage_name);

/// Whether `name` only says where code without a name lies: empty, "??", "[unknown]", "0x7f12", "libc.so.6+0x12".
bool is_nameless(std::string_view name);

/// The module in "libc.so.6+0x12" or "[unknown in libc.so.6]"; empty where there is none.
std::string_view module_in_name(std::string_view name);

/// Whether a linker's name is one that other objects cannot see: a static function or an anonymous namespace.
bool has_internal_linkage(std::string_view linkage_name);

/// A demangled name without return type, parameters and what follows them: "run<int>" of "void run<int>(A) const".
/// Unchanged where there are no parameters.
std::string without_parameters(std::string_view name);

/// The same without template arguments at its end and what encloses it: "run" of "void a::run<int>(A)".
std::string unqualified(std::string_view name);

/// Whether `name` is a way to ask for memory itself (malloc, operator new, ...), so that its caller is who allocates.
bool is_allocation_function(std::string_view name);

/// The last part of a path.
std::string_view file_name_of(std::string_view path);

}  // namespace allocgate
