// Comfort, without which every form still works: blank fields stay out of addresses, a chosen job
// file shows what it says, sliders, and answers about an option that appear where they were asked.
"use strict";
(() => {
  const asked = (form) => {
    const fields = new URLSearchParams();
    for (const [key, value] of new FormData(form)) {
      if (value !== "") {
        fields.append(key, value);
      }
    }
    return fields;
  };
  for (const form of document.querySelectorAll("form.ask")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      location.assign(`${form.getAttribute("action")}?${asked(form)}`);
    });
    const file = form.elements.namedItem("job");
    if (file instanceof HTMLSelectElement && location.pathname === "/") {
      file.addEventListener("change", () => location.assign(`/?job=${encodeURIComponent(file.value)}`));
    }
  }

  const said = document.querySelector(".said");
  let asking = null;
  const ask = async (form) => {
    asking?.abort();
    asking = new AbortController();
    said.setAttribute("aria-busy", "true");
    let text = "";
    try {
      const posted = form.method === "post";  // a job file that was sent along is too long
      const action = form.getAttribute("action");
      const response = await fetch(posted ? action : `${action}?${asked(form)}`, {
        method: form.method,
        body: posted ? asked(form) : undefined,
        headers: { Accept: "text/plain" },
        signal: asking.signal,
      });
      text = await response.text();
    } catch (error) {
      if (error.name === "AbortError") {
        return;
      }
      text = "The server cannot be reached: is rightsize serve still running?";
    }
    const pre = document.createElement("pre");
    pre.tabIndex = 0;
    pre.textContent = text;
    said.replaceChildren(pre);
    said.removeAttribute("aria-busy");
  };
  for (const form of document.querySelectorAll("form.asks")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      ask(form);
    });
  }

  // From a quarter to four times, in steps of a fourth root of two; the middle says nothing.
  const wait = 120;  // ms; a slider that is moved is asked about when it rests
  for (const input of document.querySelectorAll("input[data-slider]")) {
    const slider = document.createElement("input");
    slider.type = "range";
    slider.min = "-8";
    slider.max = "8";
    slider.value = "0";
    slider.setAttribute("aria-label", `${input.name.replace("supposed.", "")}, as a factor`);
    input.after(slider);
    let resting = 0;
    slider.addEventListener("input", () => {
      const steps = Number(slider.value);
      input.value = steps === 0 ? "" : `x${Number((2 ** (steps / 4)).toPrecision(3))}`;
      clearTimeout(resting);
      resting = setTimeout(() => ask(input.form), wait);
    });
    input.addEventListener("input", () => { slider.value = "0"; });
  }
})();
