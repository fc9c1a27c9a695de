// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// A page of more than 100 000 calls: what it costs, in counts. Times are printed, not judged.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { after, before, test } from "node:test";
import { allocgate, launch, OpenPage } from "./browser.mjs";
import { large_recordings, write_recording } from "./recordings.mjs";

const k_page = "pages/large.html";
const k_megabyte = 1024 * 1024;
let browser;

function costs(page) {
  return page.evaluate(() => ({
    nodes: page.data.calls.size,
    boxes: page.flame_graph.drawing.boxes_drawn,
    elements: document.querySelectorAll("*").length,
    heap: performance.memory.usedJSHeapSize,
    rows: page.table.all.length,
  }));
}

/** Milliseconds until what an action changed is on the screen. */
function timed(page, action, argument) {
  return page.evaluate(
    async ([source, value]) => {
      const start = performance.now();
      if (source === "zoom") page.flame_graph.zoom_to(value);
      if (source === "search") page.search(value);
      if (source === "sort") page.table.sort_by(page.table.columns()[value]);
      const script = performance.now() - start;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return { script: Math.round(script), paint: Math.round(performance.now() - start) };
    },
    [action, argument],
  );
}

before(async () => {
  const recordings = large_recordings();
  write_recording("pages/large_before.json", recordings.before);
  write_recording("pages/large_after.json", recordings.after);
  const start = performance.now();
  allocgate("diff", "pages/large_before.json", "pages/large_after.json", "--no-pair", "--format", "html", "-o", k_page);
  console.log("written in " + Math.round(performance.now() - start) + " ms");
  browser = await launch();
});

after(() => browser.close());

test("a hundred thousand calls", async () => {
  const start = performance.now();
  const opened = await OpenPage.of(browser, k_page);
  console.log("opened and painted in " + Math.round(performance.now() - start) + " ms");
  const { page } = opened;
  const whole = await costs(page);
  const size = statSync(k_page).size;
  console.log(JSON.stringify({ size, ...whole }));
  assert.ok(whole.nodes > 100000, String(whole.nodes));
  assert.ok(whole.rows > 10000, String(whole.rows));
  assert.ok(whole.boxes > 500 && whole.boxes < 40000, "boxes drawn: " + whole.boxes);
  assert.ok(whole.elements < 2000, "elements: " + whole.elements);
  assert.ok(whole.heap < 150 * k_megabyte, "heap: " + whole.heap);
  assert.ok(size < 12 * k_megabyte, "bytes: " + size);
  await opened.screenshot("large", { fullPage: false });

  // Every stack's values are in the sums of the root, and every box of a level lies within the picture.
  const sums = await page.evaluate(() => {
    const { own_before, own_after, before, after } = page.measure;
    const sum = (values) => values.reduce((total, value) => total + value, 0);
    return [sum(own_before) - before[0], sum(own_after) - after[0]];
  });
  assert.deepEqual(sums, [0, 0]);

  const deep = await page.evaluate(() => {
    const { calls } = page.data;
    let widest = -1;
    for (let node = 1; node < calls.size; ++node) {
      if (calls.depth[node] === 6 && (widest < 0 || page.measure.width[node] > page.measure.width[widest])) {
        widest = node;
      }
    }
    return widest;
  });
  console.log("zoom " + JSON.stringify(await timed(page, "zoom", deep)));
  const zoomed = await costs(page);
  assert.ok(zoomed.boxes < 40000 && zoomed.elements < 2000, JSON.stringify(zoomed));
  await opened.screenshot("large_zoomed", { fullPage: false });
  console.log("search " + JSON.stringify(await timed(page, "search", "library_3::")));
  await opened.screenshot("large_searched", { fullPage: false });
  console.log("sort " + JSON.stringify(await timed(page, "sort", 4)));
  for (let i = 0; i < 3; ++i) {
    await page.click("#more-rows");
  }
  assert.equal(await page.locator("#rows tbody tr").count(), 400);
  await page.fill("#search", "");
  await page.selectOption("#what", "functions");
  assert.ok((await costs(page)).elements < 2000);
  assert.deepEqual(await opened.violations(), []);
  await opened.close();
});

test("a stack of 20 000 frames", async () => {
  const file = "pages/deep.html";
  const frames = Array.from({ length: 20000 }, (_, index) => "recursion_" + (index % 7));
  write_recording("pages/deep.json", [{ frames: ["malloc", ...frames, "main"], values: { allocations: 3 } }]);
  allocgate("stacks", "pages/deep.json", "--format", "html", "-o", file);
  const opened = await OpenPage.of(browser, file);
  const drawn = await opened.page.evaluate(async () => {
    page.open(page.data.calls.size - 1);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return {
      boxes: page.flame_graph.drawing.boxes_drawn,
      height: page.flame_graph.canvas.height,
      scrolled: page.flame_graph.scroller.scrollTop,
    };
  });
  assert.ok(drawn.boxes > 10 && drawn.boxes < 60, JSON.stringify(drawn));
  assert.ok(drawn.height < 4000 && drawn.scrolled > 300000, JSON.stringify(drawn));
  await opened.screenshot("deep", { fullPage: false });
  await opened.close();
});
