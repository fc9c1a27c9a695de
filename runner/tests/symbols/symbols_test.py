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
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
