// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The audit's page is complete without this script: it filters findings, and
// moves between them with n and p.
"use strict";
(() => {
  const form = document.getElementById("filter");
  const files = [...document.querySelectorAll("details.file")];
  const rows = [...document.querySelectorAll(".diagnostics > li")]
    .filter(row => row.querySelector("a[href^='#finding-']"));
  const findings = [...document.querySelectorAll("article.finding")];
  if (!form)
    return;

  function filter() {
    const severities = new Set(
      [...form.querySelectorAll("[name=severity]:checked")].map(i => i.value));
    const rule = form.elements.rule.value;
    const path = form.elements.file.value.toLowerCase();
    const all = severities.size === 4 && !rule;
    let shown = 0;
    for (const file of files) {
      const here = file.dataset.file.toLowerCase().includes(path);
      let left = 0;
      for (const f of file.querySelectorAll("article.finding")) {
        f.hidden = !here || !severities.has(f.dataset.severity) ||
          (rule !== "" && f.dataset.rule !== rule);
        left += !f.hidden;
      }
      file.hidden = !here || (!all && !left);
      shown += left;
    }
    for (const row of rows)
      row.hidden = document.getElementById(
        row.querySelector("a").hash.slice(1)).hidden;
    for (const part of new Set(rows.map(row => row.closest("section"))))
      part.hidden = !part.id &&
        !rows.some(row => !row.hidden && part.contains(row));
    form.querySelector("output").textContent =
      `${shown} of ${findings.length} findings`;
  }

  // What a link or a key leads to may be in a part that is folded.
  function reveal(element) {
    for (let d = element; d; d = d.parentElement)
      if (d.tagName === "DETAILS")
        d.open = true;
  }

  function revealTarget() {
    const target = document.getElementById(location.hash.slice(1));
    if (!target)
      return;
    reveal(target);
    target.scrollIntoView();
  }

  function move(step) {
    const shown = findings.filter(f => !f.hidden);
    if (!shown.length)
      return;
    const at = shown.indexOf(document.activeElement);
    const next = at < 0 && step < 0
      ? shown.length - 1 : (at + step + shown.length) % shown.length;
    reveal(shown[next]);
    shown[next].focus({preventScroll: true});
    shown[next].scrollIntoView({block: "center"});
  }

  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", e => e.preventDefault());
  addEventListener("hashchange", revealTarget);
  addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey ||
        /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName))
      return;
    if (e.key === "n" || e.key === "p")
      move(e.key === "n" ? 1 : -1);
  });
  filter();
  revealTarget();
})();
