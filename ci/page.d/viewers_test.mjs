// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// What other people's viewers make of our exports: valgrind's dh_view of DHAT's format, and speedscope of its own.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { allocgate, launch } from "./browser.mjs";
import { example_before, write_recording } from "./recordings.mjs";

const k_recording = "pages/viewers.json";
const k_dh_view = ["/usr/libexec/valgrind/dh_view.html", "/usr/lib/valgrind/dh_view.html"].find(existsSync);
const k_speedscope = "node_modules/speedscope/dist/release/index.html";
let browser;

/** The sum of a measure over the stacks that `wanted` takes. */
function sum_of(measure, wanted = () => true) {
  return example_before()
    .filter(wanted)
    .reduce((sum, each) => sum + each.values[measure], 0);
}

function exported(format, file) {
  writeFileSync(file, allocgate("stacks", k_recording, "--format", format, "--totals"));
  return file;
}

before(async () => {
  write_recording(k_recording, example_before(), { command: "./server --port 0" });
  browser = await launch();
});

after(() => browser.close());

/** Nothing that the viewer needs comes from elsewhere, and nothing goes wrong in it. */
async function watched_page() {
  const page = await browser.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || complaints.push(request.url()));
  return { page, complaints };
}

test("dh_view shows our sums and frames", { skip: !k_dh_view && "valgrind's dh_view is not installed" }, async () => {
  const { page, complaints } = await watched_page();
  await page.goto(pathToFileURL(k_dh_view).href);
  await page.setInputFiles("input[type=file]", exported("dhat", "pages/export.dhat.json"));
  await page.waitForFunction(() => document.body.innerText.includes("PP 1/1"));
  const shown = (await page.locator("body").innerText()).replaceAll(",", "");
  assert.match(shown, /\.\/server --port 0/);
  assert.match(shown, new RegExp(`\\b${sum_of("allocated_bytes")} bytes`), "all bytes");
  assert.match(shown, new RegExp(`\\b${sum_of("allocations")} blocks`), "all blocks");
  assert.match(shown, /legacy::copy_body \(src\/legacy\/copy\.cpp:17\)/);
  await page.screenshot({ path: "screenshots/dh_view.png" });
  assert.deepEqual(complaints, []);
  await page.close();
});

/** What speedscope's table says that a function has itself, without the share in brackets. */
async function own_value(page, name) {
  const row = page.locator("tr", { has: page.getByText(name, { exact: true }) });
  const cells = await row.locator("td").allInnerTexts();
  return cells[1].replace(/\s*\(.*$/s, "").replaceAll(",", "").trim();
}

test("speedscope shows our sums and frames", async () => {
  const { page, complaints } = await watched_page();
  const content = readFileSync(exported("speedscope", "pages/export.speedscope.json")).toString("base64");
  // From a file there is nothing to fetch: the page is told of a profile that is handed to it.
  await page.goto(pathToFileURL(path.resolve(k_speedscope)).href + "#localProfilePath=dev/null");
  await page.waitForFunction(() => typeof window.speedscope?.loadFileFromBase64 === "function");
  await page.evaluate((text) => window.speedscope.loadFileFromBase64("export.speedscope.json", text), content);
  await page.waitForFunction(() => document.body.innerText.includes("allocations (1/2)"));
  // Its table of functions, with what each has itself, is text; the graph is a picture.
  await page.keyboard.press("3");
  await page.waitForFunction(() => document.body.innerText.includes("legacy::copy_body"));
  for (const name of ["malloc", "operator new(unsigned long)", "calloc"]) {
    const own = sum_of("allocations", (each) => each.frames[0] === name);
    assert.equal(await own_value(page, name), String(own), name);
  }
  assert.equal(await own_value(page, "legacy::copy_body"), "0", "it allocates in malloc");
  await page.screenshot({ path: "screenshots/speedscope.png" });
  assert.deepEqual(complaints, []);
  await page.close();
});
