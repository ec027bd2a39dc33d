// Runs that another process stores appear while the page is open. Without this the page is as good
// as when it was loaded.
"use strict";
(() => {
  const main = document.querySelector("main[data-events]");
  if (!main || !window.EventSource) {
    return;
  }
  const coming = document.querySelector("#coming");
  const most = 1000;  // rows; older ones have their own page
  const again = 30000;  // ms until the next try, where the server took no more listeners
  let came = 0;
  const shown = (html) => {
    const made = document.createElement("template");
    made.innerHTML = html;  // the server escapes what came from outside
    return made.content;
  };
  const put = (event) => {
    const body = document.querySelector("#runs tbody");
    if (!body) {
      location.reload();  // the first run of all
      return;
    }
    const row = shown(JSON.parse(event.data).row).firstElementChild;
    for (const old of [...body.rows]) {
      if (old.dataset.run === row.dataset.run) {
        old.remove();  // it was made again
      }
    }
    row.classList.add("came");
    body.prepend(row);
    while (body.rows.length > most) {
      body.lastElementChild.remove();
    }
    came += 1;
    coming.textContent = `Live: ${came} ${came === 1 ? "run has" : "runs have"} come since this page was loaded.`;
  };
  const listen = (address) => {
    const source = new EventSource(address);
    let last = "";
    source.addEventListener("open", () => {
      if (came === 0) {
        coming.textContent = "Live: runs appear here as they are stored.";
      }
    });
    source.addEventListener("run", (event) => {
      last = event.lastEventId;
      put(event);
    });
    source.addEventListener("counts", (event) => {
      const counts = JSON.parse(event.data);
      document.querySelector("#counted").textContent = counts.text;
      const campaigns = document.querySelector("#campaigns");
      const open = campaigns.querySelector("details")?.open;
      campaigns.replaceChildren(shown(counts.table));
      campaigns.querySelector("details")?.toggleAttribute("open", open ?? true);
    });
    source.addEventListener("anew", () => location.reload());
    source.addEventListener("error", () => {
      coming.textContent = "Not live any more: is rightsize serve still running? Trying again.";
      if (source.readyState === EventSource.CLOSED) {  // an answer, and no events
        coming.textContent = "Not live at the moment: too many listen, or the token is another. Load the page again to see what came.";
        const next = new URL(address, document.baseURI);
        if (last !== "") {
          next.searchParams.set("after", last);
        }
        setTimeout(() => listen(next.href), again);
      }
    });
    window.addEventListener("pagehide", () => source.close());
  };
  listen(main.dataset.events);
})();
