// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// What a page holds: names of any kind do nothing, values are exact, and nothing else than the page's own script runs.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, OpenPage, write_diff } from "./browser.mjs";
import { example_after, example_before, stack } from "./recordings.mjs";

const k_page = "pages/contents.html";
let browser;

before(async () => {
  write_diff(k_page, example_before(), example_after());
  browser = await launch();
});

after(() => browser.close());

test("lets no name do anything, and shows it", async () => {
  const names = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "\"quoted\" 'and' `so` & on",
    "line\nfeed\ttab\u202eturned",
    "日本語 größe 🚀",
    "x".repeat(4000),
    "constructor",
    "__proto__",
  ];
  const file = "pages/names.html";
  write_diff(
    file,
    [stack("m", 1)],
    names.map((name) => ({ frames: ["malloc", name, "main"], values: { allocations: 5 } })),
    [{}, { command: names.slice(0, 2).join(" ") }],
  );
  const opened = await OpenPage.of(browser, file);
  const { page } = opened;
  assert.equal(await page.locator("img, iframe, object, #rows script, #details script").count(), 0);
  assert.equal(await page.evaluate(() => [...document.scripts].filter((script) => !script.type).length), 1);
  const shown = await page.locator("#rows button.name").allTextContents();
  for (const name of names) {
    assert.ok(shown.includes(name.replace(/[\n\t\u202e]/g, "\ufffd")), name.slice(0, 50));
  }
  await page.click("#rows button.name:has-text('xxxx')");
  assert.deepEqual(await opened.violations(), []);
  assert.ok(
    await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    "a long name widens the page",
  );
  await opened.screenshot("names");
  await opened.close();
});

test("forbids what it does not need", async () => {
  const opened = await OpenPage.of(browser, k_page);
  const { page } = opened;
  const happened = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.injected = true";
    document.body.append(script);
    document.body.insertAdjacentHTML("beforeend", "<i id=i onclick='window.injected = true' style='color: red'>i</i>");
    document.getElementById("i").click();
    const fetched = await fetch("data:text/plain,x").then(
      () => true,
      () => false,
    );
    return {
      injected: window.injected === true,
      fetched,
      color: getComputedStyle(document.getElementById("i")).color === "rgb(255, 0, 0)",
    };
  });
  assert.deepEqual(happened, { injected: false, fetched: false, color: false });
  // What the browser says about it is what was wanted.
  opened.complaints = opened.complaints.filter((complaint) => !/Content Security Policy|data:text/.test(complaint));
  await opened.close();
});

test("is exact above 2^53 and below 1", async () => {
  const file = "pages/exact.html";
  const huge = 2n ** 60n + 1n;
  write_diff(
    file,
    [stack("malloc < a < main", huge), stack("malloc < b < main", 3n)],
    [stack("malloc < a < main", huge + 2n), stack("malloc < b < main", 4n)],
  );
  const opened = await OpenPage.of(browser, file);
  const text = await opened.text("#rows");
  const spaced = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, "\u00a0");
  assert.ok(text.includes(spaced(huge)) && text.includes(spaced(huge + 2n)) && text.includes("▲\u00a0+2"), text);
  await opened.page.focus("#flame");
  await opened.page.keyboard.press("Home");
  assert.ok((await opened.text("#status")).includes(spaced(huge + 3n) + " → " + spaced(huge + 6n)));
  assert.ok((await opened.page.evaluate(() => page.flame_graph.drawing.boxes_drawn)) >= 5);
  await opened.close();

  write_diff(
    file,
    [stack("malloc < a < main", 7n), stack("malloc < b < main", 9n)],
    [stack("malloc < a < main", 8n), stack("malloc < b < main", 9n)],
    [{ iterations: 3 }, { iterations: 6 }],
  );
  const divided = await OpenPage.of(browser, file);
  await divided.page.click("#rows button.name:has-text('a')");
  assert.match(await divided.text("#details"), /ending here\s+7\/3\s+4\/3\s+▼.-1/);
  assert.match(await divided.text("#rows"), /≈2.333\s+≈1.333\s+▼.-1/);
  assert.match(await divided.text("main"), /per iteration/);
  await divided.close();
});

test("writes values as the command does", async () => {
  const opened = await OpenPage.of(browser, k_page);
  const written = await opened.page.evaluate(() =>
    [
      value_text(1234567, 1n),
      value_text(-1234, 1n),
      value_text(1, 4n),
      value_text(-1, 3n),
      value_text(2, 3n),
      value_text(1, 100000n),
      value_text(-1, 100000n),
      value_text(-3, 2n),
      exact_text(2, 6n),
      exact_text(1, 8n),
      exact_text(-5n, 3n),
      value_text(0n, 7n),
      change_text(-3, 1n),
      change_text(3, 2n),
      change_text(0, 1n),
    ].map((text) => text.replaceAll("\u00a0", " ")),
  );
  assert.deepEqual(written, [
    "1 234 567",
    "-1 234",
    "0.25",
    "≈-0.333",
    "≈0.667",
    "<0.001",
    ">-0.001",
    "-1.5",
    "1/3",
    "0.125",
    "-5/3",
    "0",
    "▼ -3",
    "▲ +1.5",
    "0",
  ]);
  await opened.close();
});
