// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The picture: boxes of calls on a canvas, callers above what they call. Only what can be seen is drawn.

const k_row_height = 18;
const k_least_width = 0.5; // narrower neighbours share a box
const k_least_label = 14;
const k_least_name = 5; // of characters; a narrower box has its marks alone
const k_character_width = 7.3;
const k_levels = 4;

/** Colours as the style sheet has them for the scheme in force; a canvas cannot read variables itself. */
function read_palette(probe) {
  const color = (name) => {
    probe.style.color = "var(--" + name + ")";
    return getComputedStyle(probe).color;
  };
  const levels = (name) => Array.from({ length: k_levels }, (_, index) => color(name + "-" + (index + 1)));
  return {
    background: color("page"),
    text: color("box-text"),
    same: color("box-same"),
    border: color("box-border"),
    hit: color("box-hit"),
    hit_text: color("box-hit-text"),
    current: color("accent"),
    grew: levels("box-grew"),
    shrank: levels("box-shrank"),
    plain: levels("box-plain"),
  };
}

function shortened(name, length) {
  return name.length > length ? name.slice(0, length - 1) + "…" : name;
}

class FlameDrawing {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.boxes_drawn = 0;
  }

  /** view: {data, measure, search, palette, zoom, current, width, height, top, ratio}; lengths in CSS pixels, of which
      each is `ratio` of the canvas. */
  draw(view) {
    this.view = view;
    this.boxes_drawn = 0;
    this.resize(view.width, view.height, view.ratio);
    this.context.fillStyle = view.palette.background;
    this.context.fillRect(0, 0, view.width, view.height);
    this.context.font = "12px ui-monospace, 'DejaVu Sans Mono', monospace";
    this.context.textBaseline = "middle";
    const parents = view.data.calls.parents;
    for (let caller = parents[view.zoom]; caller >= 0; caller = parents[caller]) {
      this.draw_node(caller, 0, view.width);
    }
    this.draw_below_zoom();
  }

  resize(width, height, ratio) {
    const [wanted_width, wanted_height] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== wanted_width || this.canvas.height !== wanted_height) {
      this.canvas.width = wanted_width;
      this.canvas.height = wanted_height;
    }
    this.canvas.style.width = width + "px";
    this.canvas.style.height = height + "px";
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  draw_below_zoom() {
    const { measure, zoom, width } = this.view;
    const scale = measure.width[zoom] > 0 ? width / measure.width[zoom] : 0;
    const waiting = [[zoom, 0]];
    this.draw_node(zoom, 0, width);
    while (waiting.length > 0) {
      const [parent, left] = waiting.pop();
      if (this.row_top(parent) <= this.view.height) {
        this.draw_children(parent, left, scale, waiting);
      }
    }
  }

  /** A parent's children from its left edge on; those that are too narrow to be told apart in one box. */
  draw_children(parent, left, scale, waiting) {
    const { data, measure } = this.view;
    let narrow = null;
    for (let child = data.calls.first_child(parent); child >= 0; child = data.calls.next_sibling(child)) {
      const width = measure.width[child] * scale;
      if (width >= k_least_width) {
        narrow = this.draw_narrow(narrow);
        this.draw_node(child, left, width);
        waiting.push([child, left]);
      } else if (width > 0) {
        narrow ??= { node: child, left, width: 0, before: 0, after: 0, is_hit: false };
        narrow.width += width;
        narrow.before += Number(measure.before[child]);
        narrow.after += Number(measure.after[child]);
        narrow.is_hit ||= this.view.search.has_node(child);
      }
      left += width;
    }
    this.draw_narrow(narrow);
  }

  draw_narrow(narrow) {
    if (narrow !== null) {
      const change = narrow.after - narrow.before;
      const color = this.color(narrow.node, narrow.before, narrow.after, change, narrow.is_hit);
      this.fill_box(narrow.node, narrow.left, narrow.width, color);
    }
    return null;
  }

  draw_node(node, left, width) {
    const { measure, search, palette } = this.view;
    const is_hit = search.has_node(node);
    const change = measure.change(node);
    const color = this.color(node, Number(measure.before[node]), Number(measure.after[node]), change, is_hit);
    if (!this.fill_box(node, left, width, color)) {
      return;
    }
    if (node === this.view.current) {
      this.context.lineWidth = 2;
      this.context.strokeStyle = palette.current;
      this.context.strokeRect(left + 1, this.row_top(node) + 1, Math.max(width - 2, 1), k_row_height - 3);
    }
    if (width >= k_least_label) {
      this.draw_label(node, left, width, glyph_of(this.view.data.is_difference ? change : 0), is_hit);
    }
  }

  row_top(node) {
    return this.view.data.calls.depth[node] * k_row_height - this.view.top;
  }

  /** False where it is outside of what can be seen. */
  fill_box(node, left, width, color) {
    const top = this.row_top(node);
    if (top + k_row_height < 0 || top > this.view.height) {
      return false;
    }
    ++this.boxes_drawn;
    const gap = width > 3 ? 1 : 0;
    this.context.fillStyle = color;
    this.context.fillRect(left, top, width - gap, k_row_height - 1);
    if (this.view.palette.border !== this.view.palette.background && width > 3) {
      this.context.lineWidth = 1;
      this.context.strokeStyle = this.view.palette.border;
      this.context.strokeRect(left + 0.5, top + 0.5, width - gap - 1, k_row_height - 2);
    }
    return true;
  }

  color(node, before, after, change, is_hit) {
    const { palette, data } = this.view;
    if (is_hit) {
      return palette.hit;
    }
    if (!data.is_difference) {
      return node === 0 ? palette.same : palette.plain[data.calls.labels[node] % k_levels];
    }
    if (change == 0) {
      return palette.same;
    }
    const most = Math.max(Math.abs(before), Math.abs(after));
    const share = Math.min(1, Math.abs(Number(change)) / most);
    const level = Math.max(0, Math.ceil(Math.sqrt(share) * k_levels) - 1);
    return (change > 0 ? palette.grew : palette.shrank)[level];
  }

  draw_label(node, left, width, glyph, is_hit) {
    const room = Math.floor((width - 8) / k_character_width);
    const marks = (is_hit ? "◆" : "") + glyph;
    const name = this.view.data.name(node);
    const left_for_name = room - (marks === "" ? 0 : marks.length + 1);
    const shown = left_for_name < k_least_name && left_for_name < name.length ? "" : shortened(name, left_for_name);
    this.context.fillStyle = is_hit ? this.view.palette.hit_text : this.view.palette.text;
    const text = marks + (marks === "" || shown === "" ? "" : " ") + shown;
    this.context.fillText(text, left + 4, this.row_top(node) + k_row_height / 2 + 0.5, width - 6);
  }

  /** The node at a place on the canvas, or -1. */
  node_at(x, y) {
    const { data, measure, zoom, width, top } = this.view;
    const depth = Math.floor((y + top) / k_row_height);
    let node = zoom;
    while (node > 0 && data.calls.depth[node] > depth) {
      node = data.calls.parents[node];
    }
    if (data.calls.depth[node] >= depth) {
      return node;
    }
    const scale = measure.width[zoom] > 0 ? width / measure.width[zoom] : 0;
    let left = 0;
    while (node >= 0 && data.calls.depth[node] < depth) {
      let child = data.calls.first_child(node);
      while (child >= 0 && x >= left + measure.width[child] * scale) {
        left += measure.width[child] * scale;
        child = data.calls.next_sibling(child);
      }
      node = child;
    }
    return node;
  }
}
