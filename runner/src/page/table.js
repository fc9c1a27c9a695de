// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The table: stacks that differ, or functions. Sorted by any column; rows come in portions, so that a table of a
// hundred thousand costs what its visible part does.

const k_rows_at_a_time = 100;

// Ways to ask for memory: who allocates is their caller.
const k_allocation_function =
  /^(malloc|calloc|realloc|reallocarray|aligned_alloc|memalign|posix_memalign|valloc|pvalloc|operator new(\[\])?(\(.*)?)$/;

/** The frame that a row goes by: the innermost that does more than ask for memory. */
function row_title(frames) {
  const frame = frames.find((candidate) => !k_allocation_function.test(candidate.name)) ?? frames[0];
  return frame ?? { name: "all", place: "" };
}

/** Rows of stacks: {node, kind, before, after, change, name, place}. */
function stack_rows(data, measure) {
  return Array.from({ length: data.row_count() }, (_, row) => {
    const node = data.rows.node[row];
    const title = row_title(data.frames_of_row(row));
    return {
      row,
      node,
      kind: k_kinds[data.rows.kind[row]],
      before: measure.own_before[node],
      after: measure.own_after[node],
      change: measure.own_change(node),
      name: title.name,
      place: title.place,
    };
  });
}

/** Rows of functions: with everything they called, a function in its own calls counted once. */
function function_rows(data, measure) {
  const { calls } = data;
  const rows = new Map();
  const on_path = new Int32Array(data.names.length);
  const path = [];
  for (let node = 1; node < calls.size; ++node) {
    while (path.length > 0 && path[path.length - 1] !== calls.parents[node]) {
      --on_path[calls.labels[path.pop()]];
    }
    const label = calls.labels[node];
    if (!rows.has(label)) {
      const { zero } = measure;
      rows.set(label, { node, kind: "", before: zero, after: zero, change: zero, name: data.names[label], place: "" });
    }
    const row = rows.get(label);
    if (on_path[label] === 0) {
      row.before += measure.before[node];
      row.after += measure.after[node];
      row.change += measure.change(node);
      row.node = measure.width[node] > measure.width[row.node] ? node : row.node;
    }
    ++on_path[label];
    path.push(node);
  }
  return [...rows.values()];
}

function compared(left, right) {
  return left < right ? -1 : left > right ? 1 : 0;
}

class RowTable {
  /** on_open(node) is called when a row is chosen; announce(text) tells what happened. */
  constructor(data, elements, on_open, announce) {
    this.data = data;
    this.table = elements.table;
    this.more = elements.more;
    this.count = elements.count;
    this.on_open = on_open;
    this.announce = announce;
    this.search = new Search(data, "");
    this.what = "stacks";
    this.sorted_by = data.is_difference ? "change" : "after";
    this.is_descending = true;
    this.more.addEventListener("click", () => {
      this.show_more();
      this.announce(this.count.textContent);
      if (this.more.hidden) {
        this.table.tBodies[0].lastElementChild.querySelector("button").focus();
      }
    });
  }

  name_column() {
    const title = this.what === "stacks" ? this.data.rows_are.title : "function";
    return { key: "name", title, is_number: false };
  }

  columns() {
    const { unit } = this.data;
    const value = (key, title) => ({ key, title, is_number: true, text: (row) => value_text(row[key], unit) });
    if (!this.data.is_difference) {
      return [value("after", "value"), this.name_column()];
    }
    const kind = { key: "kind", title: "list", is_number: false, text: (row) => row.kind };
    const change = {
      key: "change",
      title: "difference",
      is_number: true,
      text: (row) => change_text(row.change, unit),
    };
    const columns = [value("before", "before"), value("after", "after"), change];
    columns.push(this.name_column());
    return this.what === "stacks" ? [kind, ...columns] : columns;
  }

  set_measure(measure) {
    this.measure = measure;
    this.make_rows();
  }

  set_what(what) {
    this.what = what;
    this.make_rows();
  }

  set_search(search) {
    this.search = search;
    this.filter();
  }

  make_rows() {
    this.all = (this.what === "stacks" ? stack_rows : function_rows)(this.data, this.measure);
    if (this.what === "functions" && this.data.is_difference) {
      this.all = this.all.filter((row) => row.change != 0);
    }
    this.sort();
  }

  sort() {
    const key = this.sorted_by;
    const value_of = key === "change" ? (row) => magnitude(row.change) : (row) => row[key];
    const direction = this.is_descending ? -1 : 1;
    this.all.sort(
      (left, right) =>
        direction * compared(value_of(left), value_of(right)) ||
        compared(left.name, right.name) ||
        left.node - right.node,
    );
    this.filter();
  }

  filter() {
    const has =
      this.what === "stacks" ? (row) => this.search.has_row(row.row) : (row) => this.search.has_node(row.node);
    this.rows = this.search.is_empty() ? this.all : this.all.filter(has);
    this.shown = 0;
    this.show_head();
    this.table.tBodies[0].replaceChildren();
    this.show_more();
  }

  show_head() {
    const cells = this.columns().map((column) => {
      const is_sorted = column.key === this.sorted_by;
      const state = !is_sorted ? "none" : this.is_descending ? "descending" : "ascending";
      const cell = element("th", undefined, {
        scope: "col",
        "aria-sort": state,
        class: column.is_number ? "number" : "",
      });
      const button = element("button", column.title, { type: "button" });
      button.append(element("span", is_sorted ? (this.is_descending ? " ▾" : " ▴") : " ↕", { "aria-hidden": "true" }));
      button.addEventListener("click", () => this.sort_by(column));
      cell.append(button);
      return cell;
    });
    this.table.tHead.rows[0].replaceChildren(...cells);
  }

  sort_by(column) {
    this.is_descending = column.key === this.sorted_by ? !this.is_descending : column.is_number;
    this.sorted_by = column.key;
    this.sort();
    const index = this.columns().findIndex((candidate) => candidate.key === column.key);
    this.table.tHead.rows[0].cells[index].querySelector("button").focus();
    this.announce("sorted by " + column.title + ", " + (this.is_descending ? "descending" : "ascending"));
  }

  show_more() {
    const end = Math.min(this.shown + k_rows_at_a_time, this.rows.length);
    for (; this.shown < end; ++this.shown) {
      this.table.tBodies[0].append(this.row_element(this.rows[this.shown]));
    }
    const left = this.rows.length - this.shown;
    this.more.hidden = left === 0;
    this.more.textContent = "Show " + grouped(Math.min(left, k_rows_at_a_time)) + " more";
    const of_all = this.rows.length === this.all.length ? "" : " that match, of " + grouped(this.all.length);
    this.count.textContent = grouped(this.shown) + " of " + grouped(this.rows.length) + " rows shown" + of_all;
  }

  row_element(row) {
    const made = element("tr");
    for (const column of this.columns()) {
      if (column.key === "name") {
        made.append(this.name_cell(row));
      } else {
        const classes = [column.is_number ? "number" : "kind", column.key === "change" ? change_class(row.change) : ""];
        made.append(element("td", column.text(row), { class: classes.join(" ").trim() }));
      }
    }
    return made;
  }

  name_cell(row) {
    const cell = element("td");
    const button = element("button", row.name, { type: "button", class: "name", title: row.name.slice(0, 500) });
    button.addEventListener("click", () => this.on_open(row.node));
    cell.append(button);
    if (row.place !== "") {
      cell.append(" ", element("span", row.place, { class: "muted place" }));
    }
    return cell;
  }
}
