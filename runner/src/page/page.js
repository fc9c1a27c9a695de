// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Puts the parts together.

class Page {
  constructor(data) {
    this.data = data;
    const part = (id) => document.getElementById(id);
    this.status = part("status");
    this.search_field = part("search");
    this.search_result = part("search-result");
    this.details = new Details(data, part("details"));
    this.measure = data.measure(0);
    this.flame_graph = new FlameGraph(
      data,
      {
        scroller: part("flame-scroller"),
        space: part("flame-space"),
        canvas: part("flame"),
        item: part("flame-item"),
        hover: part("flame-hover"),
        probe: part("probe"),
      },
      (node) => this.selected(node),
    );
    this.table = new RowTable(
      data,
      { table: part("rows"), more: part("more-rows"), count: part("row-count") },
      (node) => this.open(node),
      (text) => this.announce(text),
    );
    this.listen(part);
    this.choose_measure(0);
    show_downloads(part("downloads"));
  }

  listen(part) {
    const measures = part("measure");
    this.data.shipped_measures.forEach((measure, index) =>
      measures.append(element("option", measure.name, { value: index })),
    );
    part("measure-choice").hidden = this.data.shipped_measures.length < 2;
    measures.addEventListener("change", () => this.choose_measure(Number(measures.value)));
    part("what-stacks").textContent = this.data.rows_are.plural;
    // Groups have no calls, so their functions would be the groups again.
    part("what-functions").hidden = this.data.rows_are.plural !== "stacks";
    part("what").addEventListener("change", (event) => this.table.set_what(event.target.value));
    part("zoom-out").addEventListener("click", () => this.flame_graph.zoom_to(0));
    this.search_field.addEventListener("input", () => this.search(this.search_field.value));
    this.search_field.addEventListener("keydown", (event) => this.search_key(event));
    document.addEventListener("keydown", (event) => {
      const is_text = event.target.matches?.("input, select, textarea");
      if (event.key === "/" && !is_text && !event.ctrlKey && !event.altKey && !event.metaKey) {
        this.search_field.focus();
        event.preventDefault();
      }
    });
  }

  choose_measure(index) {
    this.measure = this.data.measure(index);
    this.canvas_label();
    this.flame_graph.set_measure(this.measure);
    this.table.set_measure(this.measure);
    this.search(this.search_field.value);
  }

  canvas_label() {
    const calls = grouped(this.data.calls.size - 1) + " calls";
    const what = this.data.is_difference ? "Differential flame graph of " : "Flame graph of ";
    const canvas = this.flame_graph.canvas;
    canvas.setAttribute("aria-label", what + this.measure.name + ", " + calls);
  }

  selected(node) {
    this.details.show(node, this.measure);
    if (document.activeElement === this.flame_graph.canvas) {
      this.announce(this.flame_graph.sentence(node));
    }
  }

  /** A row of the table was chosen: its stack fills the picture. */
  open(node) {
    this.flame_graph.zoom_to(node);
    this.announce(this.flame_graph.sentence(node));
  }

  search(text) {
    const search = new Search(this.data, text);
    this.flame_graph.set_search(search);
    this.table.set_search(search);
    this.search_result.textContent = search.is_empty() ? "" : this.search_sentence(search);
    if (!search.is_empty()) {
      this.announce(this.search_result.textContent);
    }
  }

  search_sentence(search) {
    const found = grouped(search.nodes.length) + (search.nodes.length === 1 ? " frame" : " frames");
    const rows = grouped(this.table.rows.length) + (this.table.rows.length === 1 ? " row" : " rows");
    if (search.nodes.length === 0) {
      return found + " with this in their names, " + rows;
    }
    const { before, after } = search.sums(this.measure);
    const unit = this.data.unit;
    const values = this.data.is_difference
      ? value_text(before, unit) + " → " + value_text(after, unit) + ", " + change_text(after - before, unit)
      : value_text(after, unit) + ", " + percent_text(after, this.measure.after[0]);
    return found + ", " + rows + "; " + this.measure.name + " there and below: " + values;
  }

  search_key(event) {
    if (event.key === "Enter") {
      const node = this.flame_graph.search.next_after(this.flame_graph.current);
      if (node >= 0) {
        this.open(node);
      }
    } else if (event.key === "Escape") {
      this.search_field.value = "";
      this.search("");
    }
  }

  announce(text) {
    this.status.textContent = text;
  }
}

let page = null;

async function start() {
  try {
    const text = await (await inflated(document.getElementById("data").textContent)).text();
    page = new Page(new StackData(JSON.parse(text)));
    document.documentElement.dataset.state = "ready";
  } catch (error) {
    document.documentElement.dataset.state = "failed";
    document.getElementById("status").textContent = "This page cannot be shown here: " + error.message;
    throw error;
  }
}

start();
