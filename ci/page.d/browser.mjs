// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// A browser with one page in it, and what every test asks of a page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { write_recording } from "./recordings.mjs";

const k_axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const k_most_bytes = 512 * 1024 * 1024;

export function allocgate(...words) {
  return execFileSync(process.env.ALLOCGATE_UNDER_TEST, words, {
    maxBuffer: k_most_bytes,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** A page of what two lists of stacks differ in. */
export function write_diff(file, stacks_before, stacks_after, about = [{}, {}]) {
  write_recording(file + ".before.json", stacks_before, about[0]);
  write_recording(file + ".after.json", stacks_after, about[1]);
  allocgate("diff", file + ".before.json", file + ".after.json", "--format", "html", "-o", file);
}

export function launch() {
  const options = { executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--enable-precise-memory-info"] };
  return chromium.launch(options);
}

export const k_schemes = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  forced: { forcedColors: "active", colorScheme: "light" },
};

/** A page that is open and ready; whatever it asks of the network or complains about is remembered. */
export class OpenPage {
  static async of(browser, file, options = {}) {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      reducedMotion: "reduce",
      ...options,
    });
    const opened = new OpenPage(context, await context.newPage(), file);
    await opened.load();
    return opened;
  }

  constructor(context, page, file) {
    this.context = context;
    this.page = page;
    this.url = pathToFileURL(path.resolve(file)).href;
    this.complaints = [];
    page.on(
      "request",
      (request) => /^(file|blob):/.test(request.url()) || this.complaints.push("fetched " + request.url()),
    );
    page.on(
      "request",
      (request) =>
        request.url().startsWith("file:") && request.url() !== this.url && this.complaints.push(request.url()),
    );
    page.on("console", (message) => this.complaints.push("console: " + message.text()));
    page.on("pageerror", (error) => this.complaints.push("error: " + error.message));
    page.on("dialog", (dialog) => {
      this.complaints.push("dialog: " + dialog.message());
      dialog.dismiss();
    });
  }

  async load() {
    await this.page.goto(this.url);
    await this.page.waitForSelector('html[data-state="ready"]', { timeout: 60000 });
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }

  text(selector) {
    return this.page.locator(selector).innerText();
  }

  async screenshot(name, options = {}) {
    await this.page.screenshot({ path: "screenshots/" + name + ".png", fullPage: true, ...options });
  }

  /** What axe-core finds wrong, as sentences. */
  async violations() {
    await this.page.evaluate(k_axe);
    const found = await this.page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
    assert.ok(found.passes.length > 10, "axe-core looked at next to nothing");
    return found.violations.map(
      (each) => each.id + ": " + each.nodes.map((node) => node.html.slice(0, 200)).join(" | "),
    );
  }

  async close() {
    await this.context.close();
    assert.deepEqual(this.complaints, []);
  }
}
