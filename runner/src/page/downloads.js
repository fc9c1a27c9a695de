// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The files that travel inside the page, saved as if they had been downloaded.

async function save_file(script) {
  const is_inflated = script.dataset.inflated === "true";
  const bytes = Uint8Array.from(atob(script.textContent), (character) => character.charCodeAt(0));
  const blob = is_inflated ? await inflated(script.textContent) : new Blob([bytes], { type: "application/gzip" });
  const link = element("a", undefined, { href: URL.createObjectURL(blob), download: script.dataset.file });
  document.body.append(link);
  link.click();
  link.remove();
  // Only when the browser had time to begin.
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function show_downloads(container) {
  for (const script of container.querySelectorAll("script[data-file]")) {
    const button = element("button", script.dataset.file, { type: "button" });
    button.append(" ", element("span", "(" + script.dataset.what + ")", { class: "muted" }));
    button.addEventListener("click", () => save_file(script));
    script.parentElement.prepend(button);
  }
}
