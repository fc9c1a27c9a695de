#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Names of code, held against llvm-symbolizer: each build of sample.cpp below is asked about every call in it.

symbols_test.py --symbolize PROGRAM --sources FOLDER --folder FOLDER
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

GCC, CLANG = "g++", "clang++"
# Name of the build, compiler, options, what is done to the program then.
BUILDS = [
    ("gcc_g", GCC, "-O2 -g", None),
    ("gcc_g1", GCC, "-O2 -g1", None),
    ("gcc_O0", GCC, "-O0 -g", None),
    ("gcc_compressed", GCC, "-O2 -g -gz", None),
    ("gcc_dwarf4_types", GCC, "-O2 -gdwarf-4 -fdebug-types-section", None),
    ("gcc_split", GCC, "-O2 -g -gsplit-dwarf", None),
    ("gcc_split4", GCC, "-O2 -gdwarf-4 -gsplit-dwarf", None),
    ("gcc_lto", GCC, "-O2 -g -flto", None),
    ("gcc_sections", GCC, "-O2 -g -ffunction-sections -Wl,--gc-sections", None),
    ("gcc_no_pie", GCC, "-O2 -g -no-pie", None),
    ("gcc_debuglink", GCC, "-O2 -g", "debuglink"),
    ("gcc_build_id_folder", GCC, "-O2 -g", "build-id folder"),
    ("gcc_dwz", GCC, "-O2 -g", "dwz"),
    ("clang_g", CLANG, "-O2 -g", None),
    ("clang_gmlt", CLANG, "-O2 -gmlt", None),
    ("clang_split", CLANG, "-O2 -g -gsplit-dwarf", None),
    ("clang_dwarf4", CLANG, "-O2 -gdwarf-4", None),
    ("gcc_no_debug_data", GCC, "-O2", None),
    ("gcc_stripped", GCC, "-O2 -rdynamic", "strip"),
]
WITHOUT_DEBUG_DATA = ("gcc_no_debug_data", "gcc_stripped")
# Symbols of size 0 in the C library's start files, and where only .dynsym is left, what lies before a static function.
WITHOUT_SIZE = ("_init", "_start", "_fini", "__do_global_dtors_aux")
failures = []


def run(*command, **how):
    return subprocess.run(command, check=True, capture_output=True, text=True, **how).stdout


def build(args, name, compiler, options, then):
    folder = os.path.join(args.folder, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    words = options.split() + ["-Wl,--build-id"]
    objects = []
    for source, language in (("sample.cpp", "c++"), ("sample_c.c", "c")):
        objects.append(source + ".o")
        run(compiler, *words, "-x", language, "-c", os.path.join(args.sources, source), "-o", objects[-1], cwd=folder)
    run(compiler, *words, *objects, "-o", "sample", cwd=folder)
    program = os.path.join(folder, "sample")
    shutil.copy(program, program + ".whole")
    finish(folder, then, build_id(program))
    return program


def finish(folder, then, own_id):
    if then == "debuglink":
        run("objcopy", "--only-keep-debug", "sample", "sample.debug", cwd=folder)
        run("objcopy", "--strip-all", "--add-gnu-debuglink=sample.debug", "sample", cwd=folder)
    elif then == "build-id folder":
        place = os.path.join(folder, "debug", ".build-id", own_id[:2])
        os.makedirs(place)
        run("objcopy", "--only-keep-debug", "sample", os.path.join(place, own_id[2:] + ".debug"), cwd=folder)
        run("strip", "sample", cwd=folder)
    elif then == "strip":
        run("strip", "sample", cwd=folder)
    elif then == "dwz":
        shutil.copy(os.path.join(folder, "sample"), os.path.join(folder, "other"))
        run("dwz", "-m", "common.debug", "sample", "other", cwd=folder)


def build_id(program):
    return re.search(r"Build ID: ([0-9a-f]+)", run("readelf", "-n", program)).group(1)


def calls(program):
    """The last byte of every call instruction, as a recorded frame has it."""
    found = []
    is_call = False
    for line in run("objdump", "-d", "--no-show-raw-insn", program).splitlines():
        instruction = re.match(r"\s*([0-9a-f]+):\s+(\S+)", line)
        if instruction:
            if is_call:
                found.append(int(instruction.group(1), 16) - 1)
            is_call = instruction.group(2).startswith("call")
        else:
            is_call = False
    return found


def frames(text):
    """One list an address of [(function, file, line), ...]."""
    result = []
    for paragraph in text.strip("\n").split("\n\n"):
        lines = paragraph.split("\n")
        result.append([(lines[i], *place(lines[i + 1])) for i in range(0, len(lines), 2)])
    return result


def place(text):
    file, line = (text.split(":") + ["0"])[:2]
    return os.path.realpath(file) if file.startswith("/") else file, int(line)


def plain(name):
    """llvm-symbolizer takes the outermost name from the symbol table, with what the compiler added to it; of the names
    of a constructor's variants, which are the same code, both take any."""
    name = re.sub(r"([CD])[0-9](E|I)", r"\1.\2", name)
    return re.sub(r"\.(cold|part|isra|constprop|llvm|lto_priv)(\.\d+)*", "", name)


def say_difference(name, address, ours, theirs):
    failures.append(name)
    print(f"{name}: {address:#x}\n  ours:   {ours}\n  theirs: {theirs}")


def compare(args, name, program, oracle_program, then):
    addresses = calls(oracle_program)
    question = "".join(f"{address:#x}\n" for address in addresses)
    options = ["--debug-folder=" + os.path.join(os.path.dirname(program), "debug")] if then == "build-id folder" else []
    ours = frames(run(args.symbolize, "--mangled", *options, program, build_id(program), input=question))
    theirs = frames(run("llvm-symbolizer", "--no-demangle", "--obj=" + oracle_program, input=question))
    if len(ours) != len(addresses) or len(theirs) != len(addresses):
        failures.append(name)
        print(f"{name}: {len(addresses)} addresses, {len(ours)} answers of ours, {len(theirs)} of llvm-symbolizer")
        return
    same = 0
    depth = 0
    for address, mine, other in zip(addresses, ours, theirs):
        depth += len(mine)
        # Without a line (code of the compiler's own) the file means nothing.
        reduced = [[(plain(function), os.path.basename(file) if line else "", line) for function, file, line in stack]
                   for stack in (mine, other)]
        if name in WITHOUT_DEBUG_DATA:  # the file that llvm-symbolizer shows is a guess from the order of symbols
            reduced = [[(function, "", 0) for function, _, _ in stack] for stack in reduced]
        # It also takes the nearest symbol before an address; we say that nobody knows.
        is_guess = mine[0][0] == "??" and other[0][0] in WITHOUT_SIZE
        # Of a program's split files it does not always open all, and then has no inlined frames.
        opened_less = "split" in name and len(other) == 1 and mine[-1][0] == other[0][0] and mine[0][2] == other[0][2]
        if reduced[0] == reduced[1] or is_guess or opened_less:
            same += 1
        else:
            say_difference(name, address, reduced[0], reduced[1])
    print(f"{name}: {same} of {len(addresses)} addresses the same, {depth} frames")


def expect(name, holds, what):
    print(f"{name}: {'as expected' if holds else 'WRONG'}: {what}")
    if not holds:
        failures.append(name)


def names_of(args, program, *options):
    """What is said of every call of `program`, and on standard error."""
    question = "".join(f"{address:#x}\n" for address in calls(program))
    done = subprocess.run([args.symbolize, *options, program, build_id(program)], input=question, check=True,
                          capture_output=True, text=True)
    return [[frame[0] for frame in stack] for stack in frames(done.stdout)], done.stderr


def check_missing_split_file(args):
    """The symbol table and the line table, which stays in the program, are all there is; and it is said."""
    program = build(args, "split_missing", GCC, "-O2 -g -gsplit-dwarf", None)
    os.remove(os.path.join(args.folder, "split_missing", "sample.cpp.dwo"))
    names, said = names_of(args, program, "--mangled")
    expect("split_missing", ["_ZN6sample16with_local_classEi"] in names and "sample.cpp.dwo was not found" in said,
           said.strip())


def check_compressed_symbols(args):
    """The symbol table in .gnu_debugdata that Fedora leaves in stripped programs."""
    if shutil.which("xz") is None:
        print("compressed_symbols: skipped: xz is not installed")
        return
    program = build(args, "compressed_symbols", GCC, "-O2", None)
    folder = os.path.dirname(program)
    run("objcopy", "--only-keep-debug", "--strip-debug", "sample.whole", "symbols", cwd=folder)
    run("xz", "symbols", cwd=folder)
    run("strip", "sample", cwd=folder)
    run("objcopy", "--add-section", ".gnu_debugdata=symbols.xz", "sample", cwd=folder)
    names, _ = names_of(args, program, "--mangled")
    expect("compressed_symbols", ["hidden"] in names, "a static function of a stripped program has its name")


def check_another_file(args):
    program = build(args, "another_file", GCC, "-O2 -g", None)
    done = subprocess.run([args.symbolize, program, "00" * 20], input=f"{calls(program)[0]:#x}\n", check=True,
                          capture_output=True, text=True)
    expect("another_file", frames(done.stdout)[0][0][0] == "??" and "is not the file any more that ran" in done.stderr,
           done.stderr.strip())


RUST = """
struct Parser { names: Vec<String> }
trait Reader { fn read(&mut self, text: &str); }
impl Reader for Parser {
    #[inline(never)]
    fn read(&mut self, text: &str) { self.names.push(text.to_string()); }
}
fn main() { let mut parser = Parser { names: Vec::new() }; parser.read("a"); println!("{}", parser.names.len()); }
"""


def check_rust(args):
    if shutil.which("rustc") is None:
        print("rust: skipped: rustc is not installed")
        return
    folder = os.path.join(args.folder, "rust")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "sample.rs"), "w") as file:
        file.write(RUST)
    for mangling in ("legacy", "v0"):
        unstable = dict(os.environ, RUSTC_BOOTSTRAP="1")
        options = ["-C", f"symbol-mangling-version={mangling}"] + (["-Z", "unstable-options"] if mangling == "legacy" else [])
        done = subprocess.run(["rustc", "-O", "-g", *options, "-C", "link-arg=-Wl,--build-id", "sample.rs", "-o", mangling],
                              cwd=folder, capture_output=True, text=True, env=unstable)
        if done.returncode != 0:
            print(f"rust {mangling}: skipped: {done.stderr.strip().splitlines()[0]}")
            continue
        names, _ = names_of(args, os.path.join(folder, mangling))
        outermost = {stack[-1] for stack in names}
        expect(f"rust {mangling}", "<sample::Parser as sample::Reader>::read" in {re.sub(r"\[[0-9a-f]+\]", "", name)
                                                                                 for name in outermost},
               "a method of a trait is named as in the source")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--symbolize", required=True)
    parser.add_argument("--sources", required=True)
    parser.add_argument("--folder", required=True)
    args = parser.parse_args()
    args.folder = os.path.abspath(args.folder)
    args.sources = os.path.abspath(args.sources)
    args.symbolize = os.path.abspath(args.symbolize)
    for tool in ("llvm-symbolizer", GCC, "objdump", "objcopy", "readelf"):
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not installed")
            return 77
    for name, compiler, options, then in BUILDS:
        if shutil.which(compiler) is None or (then == "dwz" and shutil.which("dwz") is None):
            print(f"{name}: skipped: {'dwz' if then == 'dwz' else compiler} is not installed")
            continue
        program = build(args, name, compiler, options, then)
        compare(args, name, program, program if then == "strip" else program + ".whole", then)
    for check in (check_missing_split_file, check_compressed_symbols, check_another_file, check_rust):
        check(args)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
