// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Recordings that the test makes, in the command's own JSON.

import { writeFileSync } from "node:fs";

/**
 * stacks: [{frames: ["malloc", ...] innermost first, places: [...], values: {allocations: 3}}]. Values may be BigInts.
 */
export function write_recording(file, stacks, { iterations, command } = {}) {
  const measures = [
    { name: "allocations", unit: "count" },
    { name: "allocated_bytes", unit: "bytes" },
  ].filter((measure) => measure.name in stacks[0].values);
  const text_of = (values) =>
    "{" + measures.map(({ name }) => JSON.stringify(name) + ": " + String(values[name])).join(", ") + "}";
  const total = Object.fromEntries(
    measures.map(({ name }) => [name, stacks.reduce((sum, stack) => sum + BigInt(stack.values[name]), 0n)]),
  );
  const rows = stacks.map(({ frames, places, values }) => {
    const known = places ?? frames.map(() => "");
    return `{"frames": ${JSON.stringify(frames)}, "places": ${JSON.stringify(known)}, "measures": ${text_of(values)}}`;
  });
  const lines = [
    '"schema": "allocgate.stacks/1"',
    command === undefined ? "" : '"command": ' + JSON.stringify(command),
    iterations === undefined ? "" : '"iterations": ' + iterations,
    '"measures": ' + JSON.stringify(measures),
    '"total": ' + text_of(total),
    '"stacks": [\n' + rows.join(",\n") + "\n]",
    '"notes": []',
  ];
  writeFileSync(file, "{\n" + lines.filter((line) => line !== "").join(",\n") + "\n}\n");
}

/** The same as DHAT writes it, whose frames have places. */
export function write_dhat(file, stacks, command) {
  const frames = ["[root]"];
  const number_of = new Map();
  const frame_number = (text) => {
    if (!number_of.has(text)) {
      number_of.set(text, frames.length);
      frames.push(`0x${frames.length.toString(16).toUpperCase()}: ${text}`);
    }
    return number_of.get(text);
  };
  const pps = stacks.map(({ frames: names, places, values }) => ({
    tb: values.allocated_bytes,
    tbk: values.allocations,
    fs: names.map((name, index) => frame_number(places[index] === "" ? name : `${name} (${places[index]})`)),
  }));
  const about = { mode: "heap", verb: "Allocated", bklt: false, bkacc: false, cmd: command, pid: 0, te: 0 };
  writeFileSync(file, JSON.stringify({ dhatFileVersion: 2, ...about, tu: "i", Mtu: "Mi", pps, ftbl: frames }));
}

/** "malloc@heap.c:3 < run < main" with its values. */
export function stack(text, allocations, allocated_bytes) {
  const parts = text.split(" < ").map((frame) => frame.split("@"));
  return {
    frames: parts.map(([name]) => name),
    places: parts.map(([, place]) => place ?? ""),
    values: { allocations, ...(allocated_bytes === undefined ? {} : { allocated_bytes }) },
  };
}

const k_main = "< serve@src/server.cpp:31 < main@src/main.cpp:12";

/** A server before and after a change: something of each list of the difference. */
export function example_before() {
  return [
    stack(
      "operator new(unsigned long) < std::string::append@basic_string.h:1430 < http::parse_header@src/http/parse.cpp:88 < http::read_request@src/http/read.cpp:40 " +
        k_main,
      4000,
      128000,
    ),
    stack(
      "operator new(unsigned long) < std::vector<http::Field>::push_back@stl_vector.h:1280 < http::parse_header@src/http/parse.cpp:91 < http::read_request@src/http/read.cpp:40 " +
        k_main,
      1000,
      64000,
    ),
    stack(
      "malloc < json::Parser::object@src/json/parser.cpp:210 < json::parse@src/json/parser.cpp:30 < http::read_body@src/http/read.cpp:77 " +
        k_main,
      3000,
      96000,
    ),
    stack(
      "malloc < legacy::copy_body@src/legacy/copy.cpp:17 < http::read_body@src/http/read.cpp:71 " + k_main,
      1500,
      1536000,
    ),
    stack("malloc < Log::line@src/log.cpp:9 < http::respond@src/http/respond.cpp:19 " + k_main, 1000, 80000),
    stack("calloc < ssl::handshake@src/ssl.cpp:140 < accept_loop@src/server.cpp:14 < main@src/main.cpp:10", 700, 45000),
    stack(
      "malloc < Pool::grow@src/pool.cpp:55 < old_step@src/step.cpp:8 < step_all@src/step.cpp:20 < loop@src/loop.cpp:5 < main@src/main.cpp:11",
      400,
      6400,
    ),
    stack("malloc < setup@src/main.cpp:5 < main@src/main.cpp:9", 12, 4096),
  ];
}

export function example_after() {
  const stacks = example_before();
  const [append, push_back, , , , handshake, grow] = stacks.map((each) => each.values);
  [append.allocations, append.allocated_bytes] = [5000, 160000];
  [push_back.allocations, push_back.allocated_bytes] = [1200, 76800];
  [handshake.allocations, handshake.allocated_bytes] = [650, 41800];
  grow.allocations = 401;
  stacks[6].frames[2] = "new_step";
  stacks.splice(3, 1);
  stacks.push(
    stack(
      "operator new(unsigned long) < std::make_unique<Session>@unique_ptr.h:1065 < Session::open@src/session.cpp:44 < http::read_request@src/http/read.cpp:52 " +
        k_main,
      1000,
      512000,
    ),
  );
  return stacks;
}

/** The same numbers each time. */
function random_numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A tree of more than 100 000 calls, before and after. */
export function large_recordings() {
  const random = random_numbers(7);
  const names = Array.from(
    { length: 3000 },
    (_, index) => `library_${index % 17}::Type<${index}, std::allocator<char>>::method_${index % 101}(int)`,
  );
  const name = () => names[Math.floor(names.length * (random(1000) / 1000) ** 2)];
  const [before, after] = [[], []];
  let frames = ["main"];
  for (let index = 0; index < 46000; ++index) {
    frames = frames.slice(0, Math.max(1, frames.length - 1 - random(5)));
    const wanted = Math.min(40, frames.length + 1 + random(5));
    while (frames.length < wanted) {
      frames.push(name());
    }
    const count = 1 + random(random(20) === 0 ? 5000 : 60);
    const kind = random(20);
    const made = (value) => ({
      frames: ["malloc", ...frames].slice(0, 1).concat([...frames].reverse()),
      values: { allocations: value },
    });
    if (kind !== 0) {
      before.push(made(count));
    }
    if (kind !== 1) {
      after.push(made(kind < 5 ? 1 + random(2 * count) : count));
    }
  }
  return { before, after };
}
