// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Small pages: what they say, how they are used, and that nothing in a name can do anything.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { allocgate, k_schemes, launch, OpenPage } from "./browser.mjs";
import { example_after, example_before, write_dhat } from "./recordings.mjs";

const k_before = "pages/before.json";
const k_after = "pages/after.json";
const k_page = "pages/diff.html";
let browser;

before(async () => {
  write_dhat(k_before, example_before(), "./server --port 0");
  write_dhat(k_after, example_after(), "./server --port 0");
  allocgate("diff", k_before, k_after, "--format", "html", "-o", k_page);
  browser = await launch();
});

after(() => browser.close());

test("says what 'diff --format json' says", async () => {
  const diff = JSON.parse(allocgate("diff", k_before, k_after, "--format", "json"));
  const opened = await OpenPage.of(browser, k_page);
  const { page } = opened;
  const shown = await page.evaluate(() => ({
    rows: page.table.all.map((row) => [row.kind, row.before, row.after, row.change]),
    totals: [page.measure.before[0], page.measure.after[0], page.measure.change(0)],
    cells: document.querySelectorAll("#rows tbody tr").length,
  }));
  assert.deepEqual(shown.totals, [diff.total.before, diff.total.after, diff.total.delta]);
  const lists = {
    only_in_after: "only in after",
    only_in_before: "only in before",
    changed: "changed",
    paired: "paired",
  };
  const expected = Object.entries(lists).flatMap(([list, kind]) =>
    diff[list].map((row) => [kind, row.before, row.after, row.delta]),
  );
  assert.deepEqual(shown.rows.toSorted?.() ?? [...shown.rows].sort(), [...expected].sort());
  assert.equal(shown.cells, expected.length);
  assert.match(await opened.text("main"), /only in after\s+1\s+▲\s\+1.000/);
  const bytes = diff.total.measures.allocated_bytes;
  await page.selectOption("#measure", { label: "allocated_bytes" });
  assert.equal(await page.evaluate(() => page.measure.change(0)), bytes.delta);
  await opened.close();
});

test("shows a stack with files and lines, and a pair under both names", async () => {
  const opened = await OpenPage.of(browser, k_page);
  const { page } = opened;
  await page.click("#rows button.name:has-text('make_unique<Session>')");
  const details = await opened.text("#details");
  assert.match(details, /Stack \(only in after\), innermost first/);
  assert.match(details, /Session::open\s+src\/session.cpp:44/);
  assert.match(await opened.text("#status"), /operator new\(unsigned long\): 0 → 1.000 allocations, ▲.\+1.000/);
  await page.click("#rows tr:has-text('paired') button.name");
  assert.match(await opened.text("#details"), /new_step[\s\S]*The same stack before[\s\S]*old_step/);
  await opened.close();
});

test("keeps what vanished in the picture", async () => {
  const opened = await OpenPage.of(browser, k_page);
  const found = await opened.page.evaluate(() => {
    const { data, drawing, measure } = page.flame_graph;
    const node = Array.from({ length: data.calls.size }, (_, index) => index).find((index) =>
      data.name(index).startsWith("legacy::"),
    );
    const middle = [];
    for (let x = 0; x < drawing.view.width; ++x) {
      if (drawing.node_at(x, (data.calls.depth[node] + 0.5) * 18) === node) {
        middle.push(x);
      }
    }
    const y = (data.calls.depth[node] + 0.9) * 18;
    const pixel = drawing.context.getImageData(middle[0] + 5, y, 1, 1).data;
    return {
      after: measure.after[node],
      pixels: middle.length,
      color: "rgb(" + [...pixel.slice(0, 3)].join(", ") + ")",
      shrank: drawing.view.palette.shrank[3],
    };
  });
  assert.equal(found.after, 0);
  assert.ok(found.pixels > 50, String(found.pixels));
  assert.equal(found.color, found.shrank);
  await opened.close();
});

test("is used by mouse", async () => {
  const opened = await OpenPage.of(browser, k_page);
  const { page } = opened;
  const canvas = page.locator("#flame");
  await canvas.hover({ position: { x: 1150, y: 45 } });
  assert.match(await opened.text("#flame-hover"), /^serve: |^accept_loop: 700 → 650 allocations, ▼.-50/);
  await canvas.click({ position: { x: 400, y: 5 * 18 - 9 } });
  assert.match(
    await opened.text("#details"),
    /^http::parse_header[\s\S]*Called from[\s\S]*http::read_request\s+serve\s+main/,
  );
  assert.equal(await page.evaluate(() => page.data.name(page.flame_graph.zoom)), "http::parse_header");
  await canvas.click({ position: { x: 400, y: 27 } });
  assert.equal(await page.evaluate(() => page.data.name(page.flame_graph.zoom)), "main");
  await page.click("#zoom-out");
  assert.equal(await page.evaluate(() => page.flame_graph.zoom), 0);
  await opened.close();
});

test("is used by keyboard, and announces what happens", async () => {
  const opened = await OpenPage.of(browser, k_page);
  const { page } = opened;
  await page.focus("#flame");
  await page.keyboard.press("ArrowDown");
  assert.match(await opened.text("#status"), /^main: /);
  assert.equal(await page.getAttribute("#flame-item", "aria-level"), "2");
  await page.keyboard.press("ArrowDown");
  assert.match(await opened.text("#status"), /^serve: /);
  await page.keyboard.press("ArrowRight");
  assert.match(await opened.text("#status"), /^accept_loop: /);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => page.flame_graph.zoom === page.flame_graph.current), true);
  await page.keyboard.press("ArrowLeft");
  assert.match(await opened.text("#status"), /^serve: /);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => page.flame_graph.zoom), 0);
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "search");
  await page.keyboard.type("HTTP::parse");
  assert.match(await opened.text("#status"), /^1 frame, 2 rows; allocations there and below: 5.000 → 6.200, ▲.\+1.200/);
  assert.equal(await page.locator("#rows tbody tr").count(), 2);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => page.data.name(page.flame_graph.current)), "http::parse_header");
  await page.keyboard.press("Escape");
  assert.equal(await page.inputValue("#search"), "");
  await page.fill("#search", "respond.cpp:19");
  assert.equal(await page.locator("#rows tbody tr").count(), 0); // unchanged stacks are no rows
  await page.fill("#search", "session.cpp:44");
  assert.equal(await page.locator("#rows tbody tr").count(), 1);
  await opened.close();
});

test("sorts by each column, both ways", async () => {
  const opened = await OpenPage.of(browser, k_page);
  const { page } = opened;
  const column = (index) => page.locator("#rows tbody tr td:nth-child(" + index + ")").allInnerTexts();
  const number = (text) => Number(text.replace(/[^0-9-]/g, ""));
  await page.click("#rows th button:has-text('after')");
  const descending = (await column(3)).map(number);
  assert.deepEqual(
    descending,
    [...descending].sort((left, right) => right - left),
  );
  await page.click("#rows th button:has-text('after')");
  assert.deepEqual((await column(3)).map(number), [...descending].reverse());
  assert.equal(await page.getAttribute("#rows th:has-text('after')", "aria-sort"), "ascending");
  assert.equal(await opened.text("#status"), "sorted by after, ascending");
  await page.click("#rows th button:has-text('function')");
  const names = await column(5);
  assert.deepEqual(names, [...names].sort());
  await page.selectOption("#what", "functions");
  const serve = await page.locator("#rows tr:has-text('serve')").first().innerText();
  assert.match(serve, /10.500\s+11.200\s+▲.\+700/);
  await opened.close();
});

for (const [scheme, options] of Object.entries(k_schemes)) {
  test("has no axe-core violation and looks right in " + scheme, async () => {
    const opened = await OpenPage.of(browser, k_page, options);
    const { page } = opened;
    await opened.screenshot(scheme);
    assert.deepEqual(await opened.violations(), []);
    await page.click("#rows button.name:has-text('push_back')");
    await page.fill("#search", "http");
    assert.deepEqual(await opened.violations(), []);
    await opened.screenshot(scheme + "_zoomed_and_searched");
    await opened.close();
  });
}

test("follows the scheme while it is open", async () => {
  const opened = await OpenPage.of(browser, k_page);
  const same = () => opened.page.evaluate(() => page.flame_graph.drawing.view.palette.same);
  const light = await same();
  await opened.page.emulateMedia({ colorScheme: "dark" });
  await opened.page.waitForFunction((old) => page.flame_graph.drawing.view.palette.same !== old, light);
  await opened.page.emulateMedia({ forcedColors: "active" });
  await opened.page.waitForFunction(
    () => page.flame_graph.drawing.view.palette.border === page.flame_graph.drawing.view.palette.text,
  );
  await opened.close();
});

test("prints on paper, also from a dark screen", async () => {
  const opened = await OpenPage.of(browser, k_page, k_schemes.dark);
  writeFileSync("pages/print.pdf", await opened.page.pdf({ format: "A4" }));
  await opened.page.emulateMedia({ media: "print" });
  await opened.page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.equal(await opened.page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  assert.equal(
    await opened.page.evaluate(() => page.flame_graph.drawing.view.palette.background),
    "rgb(255, 255, 255)",
  );
  await opened.page.setViewportSize({ width: 700, height: 1000 });
  const canvas = await opened.page.locator("#flame").boundingBox();
  assert.ok(canvas.x + canvas.width <= 700 && canvas.width > 600, JSON.stringify(canvas));
  assert.ok(Math.abs(canvas.height / canvas.width - (7 * 18) / 800) < 0.01, JSON.stringify(canvas));
  await opened.screenshot("print");
  await opened.close();
});

test("saves what the command writes", async () => {
  const opened = await OpenPage.of(browser, k_page);
  const expected = {
    "difference.folded": allocgate("diff", k_before, k_after, "--format", "folded"),
    "before.pb.gz": allocgate("stacks", k_before, "--format", "pprof"),
    "after.speedscope.json": allocgate("stacks", k_after, "--format", "speedscope"),
  };
  for (const [name, content] of Object.entries(expected)) {
    const [download] = await Promise.all([
      opened.page.waitForEvent("download"),
      opened.page.click("#downloads button:has-text('" + name + "')"),
    ]);
    assert.equal(download.suggestedFilename(), name);
    assert.deepEqual(readFileSync(await download.path()), content);
  }
  await opened.close();
});

test("is there for one recording too", async () => {
  const file = "pages/one.html";
  allocgate("stacks", k_before, "--format", "html", "-o", file);
  const opened = await OpenPage.of(browser, file);
  assert.match(await opened.text("main"), /allocations\s+11.612/);
  assert.doesNotMatch(await opened.text("#rows"), /difference|only in/);
  assert.deepEqual(await opened.violations(), []);
  await opened.screenshot("one_recording");
  await opened.close();
});

test("shows groups by their name", async () => {
  const file = "pages/modules.html";
  allocgate("diff", k_before, k_after, "--by", "file", "--format", "html", "-o", file);
  const opened = await OpenPage.of(browser, file);
  assert.match(await opened.text("#rows"), /list[\s\S]*file[\s\S]*src\/session.cpp|unique_ptr.h/);
  assert.equal(await opened.text("#what-stacks"), "files");
  await opened.close();
});

test("of a recording with itself has a picture and no rows", async () => {
  const file = "pages/same.html";
  allocgate("diff", k_before, k_before, "--format", "html", "-o", file);
  const opened = await OpenPage.of(browser, file);
  assert.equal(await opened.text("#row-count"), "0 of 0 rows shown");
  assert.ok((await opened.page.evaluate(() => page.flame_graph.drawing.boxes_drawn)) > 10);
  assert.deepEqual(await opened.violations(), []);
  await opened.close();
});

test("fits a telephone and a page without JavaScript", async () => {
  const narrow = await OpenPage.of(browser, k_page, { viewport: { width: 380, height: 800 } });
  assert.ok(await narrow.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
  await narrow.screenshot("narrow");
  await narrow.close();
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto("file://" + process.cwd() + "/" + k_page);
  assert.match(await plain.innerText("main"), /only in before[\s\S]*need JavaScript/);
  await context.close();
});
