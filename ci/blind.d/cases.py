# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""The cases: how each is made, the exit codes that are due, and a part of the sentence that must be said."""

import platform
import re
import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional

from place import Made, Skip, command_path
from sources import (CLEARING_WRAPPER, GO_PROGRAM, GO_SECTION, GO_WITH_C, OWN_MALLOC, SANDBOX, STARTER, V8_SYMBOL,
                     program_with)

E_MACHINE = 18  # offsets in an ELF header
RISCV = 243
I386 = 3
HOOKS = Path(__file__).resolve().parent.parent.parent / "hooks"
HOOK_OPTIONS = ["-O2", "-shared", "-fPIC", "-fno-exceptions", "-fno-rtti", "-fno-builtin", "-fno-stack-protector",
                "-U_FORTIFY_SOURCE", "-ftls-model=initial-exec", "-fno-threadsafe-statics", "-nostdlib", "-lc"]


@dataclass
class Case:
    name: str
    make: Callable
    stat: int
    run: Optional[int]
    says: str


CASES = []


def case(name, stat, run, says=""):
    def add(make):
        CASES.append(Case(name, make, stat, run, says))
        return make

    return add


# The program's file says it: nothing is started.


@case("static", 125, 6, "program is static: it has no dynamic loader")
def _(place):
    return Made([place.compile("-static")])


@case("static with its own allocator", 125, 6, "is static and brings its own allocator")
def _(place):
    return Made([place.compile("-static", source=program_with(OWN_MALLOC))])


@case("script with a static interpreter", 125, None, "interpreter is static")
def _(place):
    interpreter = place.compile("-static", name="interpreter")
    return Made([place.write("script", f"#!{interpreter}\n")])


@case("static Go", 125, 6, "is static and a Go program")
def _(place):
    return Made([place.build_go(GO_PROGRAM)])


@case("static, with Go's mark", 125, 6, "is static and a Go program")
def _(place):
    return Made([place.compile("-static", source=program_with(GO_SECTION))])


@case("32 bits", 125, None, "is a 32-bit program")
def _(place):
    if platform.machine() != "x86_64":
        raise Skip("the case is made for x86-64")
    return Made([place.compile_for_32_bits()])


@case("32 bits, the header alone", 125, None, "is a 32-bit program")
def _(place):
    if platform.machine() != "x86_64":
        raise Skip("the case is made for x86-64")
    header = struct.pack("<4s5B7x2HI", b"\x7fELF", 1, 1, 1, 0, 0, 2, I386, 1)  # enough: it is not started
    return Made([place.write("program", header.ljust(64, b"\0"))])


@case("AddressSanitizer of gcc", 125, 6, "is built with AddressSanitizer")
def _(place):
    return Made([place.compile("-fsanitize=address")])


@case("AddressSanitizer of clang", 125, 6, "is built with AddressSanitizer")
def _(place):
    return Made([place.compile("-fsanitize=address", compiler="clang")])


@case("ThreadSanitizer of gcc", 125, 6, "is built with ThreadSanitizer")
def _(place):
    return Made([place.compile("-fsanitize=thread")])


@case("ThreadSanitizer of clang", 125, 6, "is built with ThreadSanitizer")
def _(place):
    return Made([place.compile("-fsanitize=thread", compiler="clang")])


@case("MemorySanitizer", 125, 6, "is built with MemorySanitizer")
def _(place):
    return Made([place.compile("-fsanitize=memory", compiler="clang")])


# It cannot be started.


@case("other processor", 126, 3, "it is for another processor (RISC-V)")
def _(place):
    image = bytearray(place.compile().read_bytes())
    struct.pack_into("<H", image, E_MACHINE, RISCV)
    return Made([place.write("program", bytes(image))])


@case("interpreter missing", 126, 3, "its interpreter /no/such/interpreter does not exist")
def _(place):
    return Made([place.write("script", "#!/no/such/interpreter\n")])


@case("loader missing", 126, 3, "its loader /no/such/loader does not exist")
def _(place):
    return Made([place.compile("-Wl,--dynamic-linker=/no/such/loader")])


@case("no such command", 127, 64, "no-such-command")
def _(_place):
    return Made(["./no-such-command"])


@case("no such command in PATH", 127, 64, "no such program in PATH")
def _(_place):
    return Made(["allocgate-no-such-command"])


@case("not executable", 126, 3, "Permission denied")
def _(place):
    return Made([place.write("text", "words\n", 0o644)])


@case("folder", 126, 64, "Is a directory")
def _(place):
    return Made([place.folder])


# Only its run can tell.


@case("set-user-id", 125, 6, "changes its user, group or capabilities")
def _(place):
    user = place.as_nobody()
    program = place.compile()
    program.chmod(0o4755)
    return Made([program], user=user)


@case("file capabilities", 125, 6, "changes its user, group or capabilities")
def _(place):
    user = place.as_nobody()
    program = place.compile()
    setcap = shutil.which("setcap", path="/usr/sbin:/sbin:/usr/bin") or command_path("setcap")
    if subprocess.run([setcap, "cap_net_raw+ep", program], capture_output=True, check=False).returncode != 0:
        raise Skip("files cannot have capabilities here")
    return Made([program], user=user)


@case("own malloc", 125, 6, "its own malloc")
def _(place):
    return Made([place.compile(source=program_with(OWN_MALLOC))])


@case("own malloc, hidden", 125, 6, "defines its own malloc")
def _(place):
    hidden = re.sub(r"^(?=void)", '__attribute__((visibility("hidden"))) ', OWN_MALLOC, flags=re.MULTILINE)
    return Made([place.compile(source=program_with(hidden))])


@case("environment cleared", 125, None, "the hooks did not start")
def _(place):
    return Made([command_path("env"), "-i", place.compile()])


@case("environment cleared for a child", 125, None, "the hooks did not start")
def _(place):
    return Made([command_path("sh"), "-c", f"env -i {place.compile()}; true"])


@case("static child", 125, None, "program is static")
def _(place):
    return Made([command_path("sh"), "-c", f"{place.compile('-static')}; true"])


@case("static child, left out", 0, None)
def _(place):
    static = place.compile("-static", name="static")
    starter = place.compile(source=STARTER, name="starter")
    return Made(["--no-children", starter, static])


@case("child of another user", 125, None, "the hooks did not start")
def _(place):
    user = place.as_nobody()
    return Made([command_path("sh"), "-c", f"{' '.join(map(str, user))} {place.compile()}; true"])


@case("wrapper that clears the environment behind our back", 125, None, "replaced itself by program")
def _(place):
    return Made([place.compile(source=CLEARING_WRAPPER, name="wrapper"), place.compile()])


@case("sandbox that forbids writing", 125, None, "program (process N) is not counted")
def _(place):
    return Made([place.compile(source=SANDBOX, name="sandbox"), place.compile()])


@case("hooks missing", 125, 3, "the hooks library is not there: tried '/no/such/hooks.so'")
def _(place):
    return Made([place.compile()], environment={"ALLOCGATE_HOOKS": "/no/such/hooks.so"})


@case("hooks not a library", 125, 3, "is no shared library of this machine")
def _(place):
    return Made([place.compile()], environment={"ALLOCGATE_HOOKS": str(place.write("hooks.so", "text\n"))})


@case("hooks of another version", 125, 6, "of another version than this command")
def _(place):
    include = place.folder / "include/allocgate"
    shutil.copytree(HOOKS / "include/allocgate", include)
    record = include / "hook_record.h"
    text, changed = re.subn(r"(#define ALLOCGATE_RECORD_VERSION) \d+u", r"\1 1000u", record.read_text())
    if changed != 1:
        raise Skip(f"no version is defined in {record.name}")
    record.write_text(text)
    sources = [path for path in sorted((HOOKS / "src").glob("*.cpp")) if not path.stem.endswith("macho")]
    library = place.folder / "hooks.so"
    done = subprocess.run([command_path("g++"), "-std=c++20", *HOOK_OPTIONS, f"-I{include.parent}", *sources,
                           "-o", library], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Skip(f"hooks of another version do not build: {done.stderr[-300:]}")
    return Made([place.compile()], environment={"ALLOCGATE_HOOKS": str(library)})


# They look as if they could not be counted, and can.


@case("musl", 0, None)
def _(place):
    return Made([place.compile(compiler="musl-gcc")])


@case("script without interpreter", 0, None)
def _(place):
    return Made([place.write("script", f"{place.compile()}\n")])


@case("prefix with a space and a colon", 0, None)
def _(place):
    prefix = place.folder / "a folder: with signs"
    ours = place.allocgate.parent.parent
    (prefix / "bin").mkdir(parents=True)
    (prefix / "lib").mkdir()
    shutil.copy2(place.allocgate, prefix / "bin")
    shutil.copytree(ours / "lib/allocgate", prefix / "lib/allocgate", ignore=shutil.ignore_patterns("suite"))
    return Made([place.compile()], allocgate=prefix / "bin" / place.allocgate.name)


@case("Go with C code", 0, None, "is a Go program: its own heap is not malloc")
def _(place):
    return Made([place.build_go(GO_WITH_C, with_c=True)])


@case("Go's mark in a dynamic program", 0, None, "is a Go program: its own heap is not malloc")
def _(place):
    return Made([place.compile(source=program_with(GO_SECTION))])


@case("Java virtual machine", 0, None, "is a Java virtual machine: its own heap is not malloc")
def _(place):
    place.compile("-shared", "-fPIC", source="int made_jvm;", name="libjvm.so")
    return Made([place.compile("-Wl,--no-as-needed", f"-L{place.folder}", "-ljvm", f"-Wl,-rpath,{place.folder}")])


@case("host of V8", 0, None, "is a host of V8: its own heap is not malloc")
def _(place):
    return Made([place.compile("-rdynamic", source=program_with(V8_SYMBOL))])


@case("jemalloc under another name", 0, None, "has jemalloc linked in")
def _(place):
    return Made([place.compile(source=program_with("void* _rjem_malloc(size_t size) { return malloc(size); }"))])


@case("own operator new", 0, None, "has its own operator new")
def _(place):
    return Made([place.compile(source=program_with("void* _Znwm(size_t size) { return malloc(size); }"))])


@case("loader with a program", 0, None)
def _(place):
    program = place.compile()
    headers = subprocess.run([command_path("readelf"), "-lW", program], capture_output=True, text=True, check=True)
    return Made([re.search(r"interpreter: ([^\]]+)\]", headers.stdout).group(1), program])
