// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of a page are complete without this script: it sorts, filters,
// and folds long ones.
"use strict";

const SHOWN_ROWS = 12;
const UNITS = {ns: 1, us: 1e3, ms: 1e6, s: 1e9, B: 1, kB: 1e3, MB: 1e6, GB: 1e9};

// "1,234", "12.3 us", "3.6 to 5.3 %", "< 0.1 %": the number in it;
// null for text. Unknown values come last.
function numberIn(text) {
  if (text === "-" || text === "")
    return -Infinity;
  const found = /^[<+]?\s*(?:at most )?(-?[\d,]+(?:\.\d+)?)(?: to (-?[\d.,]+))?\s*(ns|us|ms|s|B|kB|MB|GB)?\b/
    .exec(text);
  return found && Number((found[2] ?? found[1]).replaceAll(",", "")) *
    (UNITS[found[3]] ?? 1);
}

function sortTable(table, column, ascending) {
  const body = table.tBodies[0];
  const keyed = [...body.rows].map((row, index) =>
    ({row, index, text: row.cells[column].textContent}));
  const numbers = keyed.map(k => numberIn(k.text));
  const isText = numbers.some(n => n === null);
  keyed.forEach((k, i) => { k.number = numbers[i]; });
  keyed.sort((a, b) => (ascending ? 1 : -1) *
    (isText ? a.text.localeCompare(b.text) : a.number - b.number) || a.index - b.index);
  body.append(...keyed.map(k => k.row));
}

function setUpTable(section) {
  const table = section.querySelector("table");
  const rows = () => [...table.tBodies[0].rows];
  let all = rows().length <= SHOWN_ROWS + 3;
  const filter = document.createElement("input");
  const more = document.createElement("button");

  function show() {
    const wanted = filter.value.toLowerCase();
    let left = 0;
    for (const row of rows()) {
      const fits = row.textContent.toLowerCase().includes(wanted);
      row.hidden = !fits || (!all && !wanted && left >= SHOWN_ROWS);
      left += fits;
    }
    more.hidden = all || wanted !== "";
  }

  for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => {
      // Numbers sort from the largest on, names from A.
      const before = head.getAttribute("aria-sort");
      const ascending = before ? before === "descending"
                               : head.classList.contains("text");
      for (const other of table.tHead.rows[0].cells)
        other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      sortTable(table, column, ascending);
      show();
    });
    head.replaceChildren(button);
  }
  if (rows().length > 3) {
    filter.type = "search";
    filter.placeholder = "filter";
    filter.setAttribute("aria-label",
      "Filter the table: " +
      (section.closest("section").querySelector("h2")?.textContent ?? ""));
    filter.addEventListener("input", show);
    section.prepend(filter);
  }
  more.type = "button";
  more.className = "more";
  more.textContent = `Show all ${rows().length}`;
  more.addEventListener("click", () => {
    all = true;
    show();
  });
  section.append(more);
  show();
}

for (const section of document.querySelectorAll(".sheet"))
  setUpTable(section);
