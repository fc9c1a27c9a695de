// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <string_view>

// What other tools print, small and whole.
namespace allocgate {

inline constexpr std::string_view k_merged =
    "MOST CALLS TO ALLOCATION FUNCTIONS\n"
    "16 calls to allocation functions with 0B peak consumption from\n"
    "wrap\n  at src/h.c:5\n  in /bin/app\n"
    "9 calls with 0B peak consumption from:\n"
    "    viaY\n      at src/h.c:7\n      in /bin/app\n    main\n      at src/h.c:8\n      in /bin/app\n"
    "  and 7 from 1 other places\n\n"
    "3 calls to allocation functions with 72.70K peak consumption from\n"
    "0x7f12\n  in ??\n"
    "3 calls with 72.70K peak consumption from:\n    main\n      in /bin/app\n\n"
    "PEAK MEMORY CONSUMERS\n48B peak memory consumed over 99 calls from\nwrap\n\n";

inline constexpr std::string_view k_heaptrack =
    "v 10400 3\nX ./app --fast\nI 1000 10\ns 8 /bin/app\ns 3 run\ns 5 a b.c\ns 4 main\ns 6 helper\n"
    "i 1000 1 4 3 9\n"
    "t 1 0\n"
    "i 2000 1 5 3 7 2 3 8\n"
    "t 2 1\n"
    "i 3000 1\n"
    "t 3 2\n"
    "a 10 2\n+ 0\n- 0\n+ 0\na 5 3\n+ 1\n+ 0\n- 1\nc 10\nR 5\n# strings: 5\n# ips: 3\n";

inline constexpr std::string_view k_dhat =
    R"json({"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":false,
"tu":"instrs","Mtu":"Minstr","tuth":500,"cmd":"./app","pid":1,"te":9,"tg":4,
"pps":[{"tb":100,"tbk":4,"tl":1,"mb":1,"mbk":1,"gb":0,"gbk":0,"eb":25,"ebk":1,"fs":[1,2,3]}],
"ftbl":["[root]","0x1095BB: malloc (in /usr/lib/libc.so.6)","0x12: run(int) (run.cpp:12)","0x9: ??? (in /bin/app)"]})json";

inline constexpr std::string_view k_dtrace =
    "dtrace: description 'pid$target::malloc:entry' matched\nhello 12\n\n"
    "              libdemo.so`malloc\n              app`operator+(buf const&)+0x1c\n              0x7fff12\n"
    "            1000\n\n"
    "              libdemo.so`calloc\n              app`0x55d0\n            7\n";

inline constexpr std::string_view k_bpftrace =
    "Attaching 14 probes...\nprogram: 5\n@other: 12\n@pair[a, b]: 3\n@h: \n[2, 4)   1 |@@|\n\n"
    "@callocs[\n    calloc+0\n    main+1\n]: 4\n"
    "@mallocs[\n    malloc+0\n    operator+(buf const&)+28\n    0xabd80ee67d34\n]: 1000\n"
    "@sizes[\n    malloc+0\n]: \n[2, 4)   1 |@@|\n\n"
    "@with_more[12, \n    malloc+0\n    main+3\n, demo]: 5\n"
    "@mallocs[\n    calloc+0\n    main+77\n]: 6\n@empty[\n]: 2\n";

}  // namespace allocgate
