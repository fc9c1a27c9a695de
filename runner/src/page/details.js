// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The current node in words: its values, and the whole stack where it is a row of the difference. Everything that came
// from outside becomes text, never markup.

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) {
    made.textContent = text;
  }
  for (const [attribute, value] of Object.entries(attributes)) {
    made.setAttribute(attribute, value);
  }
  return made;
}

class Details {
  constructor(data, container) {
    this.data = data;
    this.container = container;
  }

  show(node, measure) {
    const parts = [element("h3", this.data.name(node)), this.values_table(node, measure)];
    const row = this.data.row_of_node[node];
    parts.push(...(row >= 0 ? this.row_parts(row) : this.callers_parts(node)));
    this.container.replaceChildren(parts[0], element("div", undefined, { class: "columns" }));
    this.container.lastChild.append(...parts.slice(1));
  }

  values_table(node, measure) {
    const table = element("table", undefined, { class: "totals" });
    const suffix = this.data.per_iteration ? ", per iteration" : "";
    table.append(element("caption", measure.name + suffix));
    const titles = this.data.is_difference ? ["", "before", "after", "difference"] : ["", "value", "of all"];
    const head = table.createTHead().insertRow();
    for (const title of titles) {
      head.append(title === "" ? element("td") : element("th", title, { scope: "col" }));
    }
    const body = table.createTBody();
    this.add_values(body, "here and below", measure.before[node], measure.after[node], measure);
    this.add_values(body, "ending here", measure.own_before[node], measure.own_after[node], measure);
    return table;
  }

  add_values(body, title, before, after, measure) {
    const row = body.insertRow();
    const unit = this.data.unit;
    row.append(element("th", title, { scope: "row" }));
    if (this.data.is_difference) {
      row.append(element("td", exact_text(before, unit)), element("td", exact_text(after, unit)));
      row.append(element("td", change_text(after - before, unit, exact_text), { class: change_class(after - before) }));
    } else {
      row.append(element("td", exact_text(after, unit)), element("td", percent_text(after, measure.after[0])));
    }
  }

  /** A stack of the table with files and lines; of a pair, what it was called before. */
  row_parts(row) {
    const kind = this.data.is_difference ? " (" + k_kinds[this.data.rows.kind[row]] + ")" : "";
    const parts = [frame_list("Stack" + kind + ", innermost first", this.data.frames_of_row(row))];
    const before = this.data.frames_before(row);
    if (before.length > 0) {
      parts.push(frame_list("The same stack before", before));
    }
    return parts;
  }

  callers_parts(node) {
    const frames = this.data.calls.labels_outwards(node).map((label) => ({ name: this.data.names[label], place: "" }));
    return frames.length === 0 ? [] : [frame_list("Called from, innermost first", frames)];
  }
}

const k_most_frames = 300;

/** Frames as a list that scrolls; of the deepest stacks its inner end, and how much is left out. */
function frame_list(title, frames) {
  const part = element("div", undefined, { class: "stack" });
  const list = element("ol", undefined, { class: "frames", tabindex: "0", "aria-label": title });
  for (const frame of frames.slice(0, k_most_frames)) {
    const item = element("li");
    item.append(element("code", frame.name));
    if (frame.place !== "") {
      item.append(" ", element("span", frame.place, { class: "muted place" }));
    }
    list.append(item);
  }
  part.append(element("h4", title), list);
  if (frames.length > k_most_frames) {
    part.append(
      element("p", "and " + grouped(frames.length - k_most_frames) + " frames further out", { class: "muted" }),
    );
  }
  return part;
}

function change_class(change) {
  return change > 0 ? "grew" : change < 0 ? "shrank" : "same";
}
