// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The flame graph as a thing to use: where it is zoomed to, which node is current, mouse and keyboard. Assistive
// technology sees a tree of which one item is there at a time, the current one.

const k_rows_in_print = 50;
const k_width_in_print = 800; // more than A4 has: pictures are made smaller for paper, not larger
const k_ratio_in_print = 2;
const k_most_rows_shown = 30;

class FlameGraph {
  /** on_select(node) is called when another node becomes the current one. */
  constructor(data, elements, on_select) {
    this.data = data;
    this.scroller = elements.scroller;
    this.space = elements.space;
    this.canvas = elements.canvas;
    this.item = elements.item;
    this.hover = elements.hover;
    this.probe = elements.probe;
    this.on_select = on_select;
    this.drawing = new FlameDrawing(this.canvas);
    this.search = new Search(data, "");
    this.measure = data.measure(0);
    this.zoom = 0;
    this.current = 0;
    this.listen();
  }

  listen() {
    this.canvas.addEventListener("click", (event) => this.click(event));
    this.canvas.addEventListener("mousemove", (event) => this.point(event));
    this.canvas.addEventListener("mouseleave", () => this.show_hover(-1));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.scroller.addEventListener("scroll", () => this.redraw_soon());
    new ResizeObserver(() => this.redraw_soon()).observe(this.scroller);
    for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)", "(prefers-contrast: more)"]) {
      window.matchMedia(query).addEventListener("change", () => this.draw());
    }
    window.addEventListener("beforeprint", () => this.set_printing(true));
    window.addEventListener("afterprint", () => this.set_printing(false));
  }

  set_printing(is_printing) {
    document.documentElement.toggleAttribute("data-printing", is_printing);
    this.is_printing = is_printing;
    this.draw();
  }

  redraw_soon() {
    if (!this.is_waiting) {
      this.is_waiting = true;
      requestAnimationFrame(() => this.draw());
    }
  }

  rows() {
    return this.data.calls.deepest + 1;
  }

  draw() {
    this.is_waiting = false;
    const rows = Math.min(this.rows(), this.is_printing ? k_rows_in_print : k_most_rows_shown);
    this.scroller.style.height = rows * k_row_height + 2 + "px";
    this.space.style.height = this.rows() * k_row_height + "px";
    this.drawing.draw({
      data: this.data,
      measure: this.measure,
      search: this.search,
      palette: read_palette(this.probe),
      zoom: this.zoom,
      current: this.current,
      width: this.is_printing ? k_width_in_print : this.scroller.clientWidth,
      ratio: this.is_printing ? k_ratio_in_print : window.devicePixelRatio || 1,
      height: rows * k_row_height,
      top: this.is_printing ? 0 : this.scroller.scrollTop,
    });
  }

  set_measure(measure) {
    this.measure = measure;
    // Where the new measure has nothing the picture would be empty.
    this.zoom = measure.width[this.zoom] > 0 ? this.zoom : 0;
    this.select(measure.width[this.current] > 0 ? this.current : this.zoom);
  }

  set_search(search) {
    this.search = search;
    this.draw();
  }

  zoom_to(node) {
    this.zoom = node;
    this.select(node);
  }

  /** Makes a node the current one, and visible. */
  select(node) {
    this.current = node;
    if (!this.data.calls.is_within(node, this.zoom) && !this.data.calls.is_within(this.zoom, node)) {
      this.zoom = node;
    }
    this.scroll_to(node);
    this.draw();
    this.tell();
    this.on_select(node);
  }

  scroll_to(node) {
    const top = this.data.calls.depth[node] * k_row_height;
    const height = this.scroller.clientHeight;
    if (top < this.scroller.scrollTop) {
      this.scroller.scrollTop = top;
    } else if (top + k_row_height > this.scroller.scrollTop + height) {
      this.scroller.scrollTop = top + k_row_height - height;
    }
  }

  tell() {
    const has_children = this.child_to_show(this.current) >= 0;
    this.item.textContent = this.sentence(this.current);
    this.item.setAttribute("aria-level", this.data.calls.depth[this.current] + 1);
    this.item.toggleAttribute("aria-expanded", false);
    if (has_children) {
      this.item.setAttribute("aria-expanded", "true");
    }
  }

  /** "run: 10 before, 12 after, ▲ +2 allocations". */
  sentence(node) {
    const { measure } = this;
    const unit = this.data.unit;
    const after = value_text(measure.after[node], unit);
    if (!this.data.is_difference) {
      const share = percent_text(measure.after[node], measure.after[0]);
      return this.data.name(node) + ": " + after + " " + measure.name + (share === "" ? "" : ", " + share);
    }
    const before = value_text(measure.before[node], unit);
    const change = change_text(measure.change(node), unit);
    return this.data.name(node) + ": " + before + " → " + after + " " + measure.name + ", " + change;
  }

  click(event) {
    const node = this.drawing.node_at(event.offsetX, event.offsetY);
    if (node >= 0) {
      this.zoom_to(node);
    }
  }

  point(event) {
    this.show_hover(this.drawing.node_at(event.offsetX, event.offsetY));
  }

  show_hover(node) {
    this.hover.textContent = node < 0 ? "" : this.sentence(node);
  }

  key(event) {
    const action = {
      ArrowDown: () => this.child_to_show(this.current),
      ArrowUp: () => this.data.calls.parents[this.current],
      ArrowRight: () => this.sibling(1),
      ArrowLeft: () => this.sibling(-1),
      Home: () => 0,
      n: () => this.search.next_after(this.current),
    }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    if (action !== undefined) {
      const node = action();
      if (node >= 0) {
        this.select(node);
      }
    } else if (event.key === "Enter" || event.key === " ") {
      this.zoom_to(this.current);
    } else if (event.key === "Escape") {
      this.zoom_to(0);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** The widest child, or -1. */
  child_to_show(node) {
    const { calls } = this.data;
    let widest = -1;
    for (let child = calls.first_child(node); child >= 0; child = calls.next_sibling(child)) {
      if (this.measure.width[child] > (widest < 0 ? 0 : this.measure.width[widest])) {
        widest = child;
      }
    }
    return widest;
  }

  /** The next sibling with any width to the right (1) or to the left (-1), or -1. */
  sibling(direction) {
    const { calls } = this.data;
    if (this.current === 0) {
      return -1;
    }
    let left = -1;
    let child = calls.first_child(calls.parents[this.current]);
    for (; child >= 0; child = calls.next_sibling(child)) {
      if (this.measure.width[child] > 0) {
        if (child > this.current && direction > 0) {
          return child;
        }
        left = child < this.current ? child : left;
      }
    }
    return direction < 0 ? left : -1;
  }
}
