// Only comfort: sorting by a click on a heading, and open details on paper (but for the long lists).
"use strict";
(() => {
  const numberOf = (text) => {
    const match = text.replace(/,/g, "").match(/-?\d+(\.\d+)?/);
    return match ? Number(match[0]) : Infinity;
  };
  const sort = (table, index, numeric, down) => {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const key = (row) => row.cells[index].textContent;
    rows.sort((a, b) => numeric ? numberOf(key(a)) - numberOf(key(b))
                                : key(a).localeCompare(key(b)));
    if (down) {
      rows.reverse();
    }
    body.append(...rows);
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table, index, head.classList.contains("number"), down);
      });
    });
  }
  const closed = new Set();
  window.addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not([open]):not(.long)")) {
      closed.add(details);
      details.open = true;
    }
  });
  window.addEventListener("afterprint", () => {
    closed.forEach((details) => { details.open = false; });
    closed.clear();
  });
})();
