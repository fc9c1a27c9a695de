// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Which frames and which rows have a text in them, and what the frames allocated.

/** For each node of a tree whether its label, or that of one of its callers, is among the labels that match. */
function matching_paths(tree, label_matches) {
  const matches = new Uint8Array(tree.size);
  for (let node = 1; node < tree.size; ++node) {
    matches[node] = matches[tree.parents[node]] | label_matches[tree.labels[node]];
  }
  return matches;
}

class Search {
  /** An empty text finds nothing. Upper and lower case are the same. */
  constructor(data, text) {
    this.data = data;
    this.text = text;
    const wanted = text.toLowerCase();
    const matches_of = (names) => Uint8Array.from(names, (name) => (name.toLowerCase().includes(wanted) ? 1 : 0));
    this.labels = text === "" ? new Uint8Array(data.names.length) : matches_of(data.names);
    this.labels[0] = 0; // the root is no frame
    this.nodes = [];
    for (let node = 1; text !== "" && node < data.calls.size; ++node) {
      if (this.labels[data.calls.labels[node]]) {
        this.nodes.push(node);
      }
    }
    if (text !== "") {
      this.paths = matching_paths(data.calls, this.labels);
      this.paths_before = matching_paths(data.before_calls, this.labels);
      this.places = matching_paths(data.places, matches_of(data.place_names));
    }
  }

  is_empty() {
    return this.text === "";
  }

  has_node(node) {
    return this.labels[this.data.calls.labels[node]] === 1;
  }

  has_row(row) {
    const rows = this.data.rows;
    return (
      this.is_empty() ||
      (this.paths[rows.node[row]] | this.paths_before[rows.before[row]] | this.places[rows.places[row]]) === 1
    );
  }

  /** What was allocated in matching frames and whatever they called, each stack once. */
  sums(measure) {
    let [before, after] = [measure.zero, measure.zero];
    for (const node of this.nodes) {
      if (!this.paths[this.data.calls.parents[node]]) {
        before += measure.before[node];
        after += measure.after[node];
      }
    }
    return { before, after };
  }

  /** The next match after a node, from the start again at the end; -1 without any. */
  next_after(node) {
    return this.nodes.find((match) => match > node) ?? this.nodes[0] ?? -1;
  }
}
