// A script for a page in a browser: which texts of its charts lie on one another or are cut off at
// the edge, in the drawings and in the static charts, and which words stand beside points. It
// leaves both in the document, for --dump-dom.
#pragma once

#include <string>
#include <string_view>

namespace rightsize::test {

// One finding a line in #findings; the words beside points of the first chart in #named.
inline constexpr std::string_view judge_texts = R"js(<script>
(() => {
  const slack = 1;  // pixels: boxes of text are higher than its letters
  const boxes_of = (svg) => [...svg.querySelectorAll("text")]
    .filter((text) => text.textContent.trim() && !text.closest("[clip-path]"))  // a paged legend
    .map((text) => {
      const box = text.getBoundingClientRect();
      return { left: box.left + slack, right: box.right - slack, top: box.top + 2 * slack,
               bottom: box.bottom - 2 * slack, words: text.textContent };
    });
  const overlap = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const judge = (svg) => {
    const frame = svg.getBoundingClientRect();
    const boxes = boxes_of(svg);
    return boxes.flatMap((a, i) => [
      ...(a.left < frame.left - slack || a.right > frame.right + slack ||
          a.top < frame.top - slack || a.bottom > frame.bottom + slack ? [`"${a.words}" is cut`] : []),
      ...boxes.slice(i + 1).filter((b) => overlap(a, b)).map((b) => `"${a.words}" on "${b.words}"`),
    ]);
  };
  const leave = (id, lines) => {
    const out = document.createElement("pre");
    out.id = id;
    out.textContent = lines.join("\n");
    document.body.append(out);
  };
  const run = () => {
    const found = [];
    for (const figure of document.querySelectorAll("#charts figure")) {
      const title = figure.querySelector("figcaption strong").textContent;
      const add = (kind, svg) => found.push(
        ...(svg ? judge(svg) : []).map((finding) => `${title} (${kind}): ${finding}`));
      add("live", figure.querySelector(".live svg"));
      const drawn = figure.classList.replace("drawn", "hidden");
      const live = figure.querySelector(".live");
      live?.style.setProperty("display", "none");
      add("static", figure.querySelector(".static svg"));
      live?.style.removeProperty("display");
      if (drawn) {
        figure.classList.replace("hidden", "drawn");
      }
    }
    leave("named", [...document.querySelectorAll("#charts figure:first-of-type .live text")]
      .filter((text) => text.getAttribute("stroke") === "var(--paper)")
      .map((text) => text.textContent));
    leave("findings", found);
  };
  const wait = () => document.getElementById("echarts") &&
    document.documentElement.dataset.charts === undefined
    ? setTimeout(wait, 50) : setTimeout(run, 300);
  wait();
})();
</script>)js";

// The page with the script, as wide as a screen of `pixels`.
inline std::string judged(std::string html, int pixels) {
  // Windows have a least width, so a telephone is a narrow page in one.
  const auto style = "<style>html { max-width: " + std::to_string(pixels) + "px }</style>";
  return html.insert(html.rfind("</body>"), style + std::string(judge_texts));
}

// What the script left under an id; "?" where it left nothing.
inline std::string left_in(const std::string& dom, const std::string& id) {
  const auto open = "<pre id=\"" + id + "\">";
  const auto at = dom.find(open);
  if (at == std::string::npos) {
    return "?";
  }
  return dom.substr(at + open.size(), dom.find("</pre>", at) - at - open.size());
}

}  // namespace rightsize::test
