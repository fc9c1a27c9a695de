// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// What the command put into the page (runner/src/json/flame_document.cpp), ready to be asked.

async function inflated(base64) {
  const bytes = Uint8Array.from(atob(base64.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).blob();
}

/** A tree in columns: parents before children, node 0 the root. */
class Tree {
  constructor(shipped) {
    this.labels = Int32Array.from(shipped.label);
    this.parents = Int32Array.from(shipped.up, (up, node) => (node === 0 ? -1 : node - up));
    this.size = this.labels.length;
  }

  /** The labels from a node outwards, without the root. */
  labels_outwards(node) {
    const labels = [];
    for (; node > 0; node = this.parents[node]) {
      labels.push(this.labels[node]);
    }
    return labels;
  }
}

/** The tree of calls: each subtree in one piece, from a node to end[node]. */
class CallTree extends Tree {
  constructor(shipped) {
    super(shipped);
    this.depth = new Int32Array(this.size);
    this.end = new Int32Array(this.size);
    for (let node = 1; node < this.size; ++node) {
      this.depth[node] = this.depth[this.parents[node]] + 1;
    }
    for (let node = this.size - 1; node >= 0; --node) {
      this.end[node] = Math.max(this.end[node], node + 1);
      const parent = this.parents[node];
      if (parent >= 0) {
        this.end[parent] = Math.max(this.end[parent], this.end[node]);
      }
    }
    this.deepest = this.depth.reduce((most, depth) => Math.max(most, depth), 0);
  }

  /** The first child, or -1. */
  first_child(node) {
    return node + 1 < this.end[node] ? node + 1 : -1;
  }

  next_sibling(node) {
    const parent = this.parents[node];
    return parent >= 0 && this.end[node] < this.end[parent] ? this.end[node] : -1;
  }

  is_within(node, ancestor) {
    return node >= ancestor && node < this.end[ancestor];
  }
}

/** One measure: values of each node alone, and with everything called from there. */
class Measure {
  constructor(calls, shipped) {
    this.name = shipped.name;
    this.own_before = column_of(shipped.before);
    this.own_after = column_of(shipped.after);
    this.zero = zero_of(this.own_before);
    this.before = Measure.summed(calls, this.own_before);
    this.after = Measure.summed(calls, this.own_after);
    // Of each stack the greater of its two sides, so that also what vanished has room.
    this.width = new Float64Array(calls.size);
    for (let node = calls.size - 1; node >= 0; --node) {
      const [before, after] = [magnitude(this.own_before[node]), magnitude(this.own_after[node])];
      this.width[node] += Number(before > after ? before : after);
      if (node > 0) {
        this.width[calls.parents[node]] += this.width[node];
      }
    }
  }

  static summed(calls, own) {
    const sums = own.slice();
    for (let node = calls.size - 1; node > 0; --node) {
      sums[calls.parents[node]] += sums[node];
    }
    return sums;
  }

  change(node) {
    return this.after[node] - this.before[node];
  }

  own_change(node) {
    return this.own_after[node] - this.own_before[node];
  }
}

const k_kinds = ["only in after", "only in before", "changed", "paired"];

class StackData {
  constructor(shipped) {
    this.is_difference = shipped.is_difference;
    this.per_iteration = shipped.per_iteration;
    this.rows_are = shipped.rows_are;
    this.unit = BigInt(shipped.unit_iterations);
    this.names = shipped.names.map(shown_name);
    this.place_names = shipped.place_names.map(shown_name);
    this.calls = new CallTree(shipped.calls);
    this.before_calls = new Tree(shipped.before_calls);
    this.places = new Tree(shipped.places);
    this.rows = shipped.rows;
    this.row_of_node = new Int32Array(this.calls.size).fill(-1);
    this.rows.node.forEach((node, row) => (this.row_of_node[node] = row));
    this.shipped_measures = shipped.measures;
    this.measures = [];
  }

  measure(index) {
    this.measures[index] ??= new Measure(this.calls, this.shipped_measures[index]);
    return this.measures[index];
  }

  name(node) {
    return this.names[this.calls.labels[node]];
  }

  row_count() {
    return this.rows.node.length;
  }

  /** The frames of a row, innermost first, each with its place; of a pair with those before. */
  frames_of_row(row) {
    const places = this.places.labels_outwards(this.rows.places[row]).map((label) => this.place_names[label]);
    const frames = this.calls.labels_outwards(this.rows.node[row]);
    return frames.map((label, index) => ({ name: this.names[label], place: places[index] ?? "" }));
  }

  frames_before(row) {
    const labels = this.before_calls.labels_outwards(this.rows.before[row]);
    return labels.map((label) => ({ name: this.names[label], place: "" }));
  }
}
