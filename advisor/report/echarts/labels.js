// The texts inside a plot, each where none lies on another: every one takes the first free place
// near its point, and where none is left its number does, which a table under the chart explains.
// draw.js gives this to the series that name "labels"; svg_chart.cpp does the same on paper.
"use strict";
const placedLabels = (() => {
  const font = "11px system-ui, sans-serif";
  const line_height = 13;
  const pen = document.createElement("canvas").getContext("2d");
  const widthOf = (text) => {
    pen.font = font;
    return Math.ceil(pen.measureText(text).width);
  };
  const overlap = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const boxAt = (left, top, width) =>
    ({ left, top, right: left + width, bottom: top + line_height });
  const between = (value, low, high) => Math.max(low, Math.min(value, high));

  // Beside a point, nearest first; aslant, as its error bars and the frontier run straight.
  const besidePoint = ([x, y], width) =>
    [7, 16, 28, 42, 58, 76].flatMap((distance) =>
      [[1, -1], [-1, -1], [1, 1], [-1, 1], [1, 0], [-1, 0], [0, -1], [0, 1]].map(
        ([right, down]) => boxAt(
          right === 0 ? x - width / 2 : right > 0 ? x + distance : x - distance - width,
          y - line_height / 2 + down * (distance + (right === 0 ? line_height / 2 : 0)), width)));

  // Above a line that stands, in the row that the plot leaves free for it, or else inside.
  const aboveLine = ([x], width, plot, page) =>
    [0, 1, 2, 3].map((row) => boxAt(
      between(x - width / 2, 0, page.width - width),
      row === 0 ? plot.y - line_height - 2 : plot.y + 4 + (row - 1) * line_height, width));

  // On a line that lies, at its ends, above it or below.
  const alongLine = ([, y], width, plot) =>
    [[0, 0], [1, 0], [0, 1], [1, 1]].map(([end, below]) => boxAt(
      end ? plot.x + plot.width - width - 4 : plot.x + 4,
      below ? y + 3 : y - line_height - 2, width));

  const gap = ([x, y], box) =>
    Math.hypot(between(x, box.left, box.right) - x, between(y, box.top, box.bottom) - y);
  const far = 30;

  // The place of a label, as itself or as its number; undefined where all are taken. What lies
  // nearer to another point than to its own would be read as that one's.
  const placeOf = (label, at, plot, page, { taken, points }) => {
    const inside = (box) => box.left >= 0 && box.right <= page.width && box.top >= 0 &&
      (label.guide || (box.left >= plot.x && box.top >= plot.y && box.bottom <= plot.y + plot.height));
    const places = { up: aboveLine, across: alongLine }[label.guide] ?? besidePoint;
    const first = (text, wanted) => {
      const box = text && places(at, widthOf(text), plot, page).find(
        (one) => inside(one) && !taken.some((other) => overlap(one, other)) && wanted(one));
      return box ? { text, box } : undefined;
    };
    const own = (box) => label.guide || points.every((other) =>
      (other[0] === at[0] && other[1] === at[1]) || gap(other, box) > gap(at, box));
    const near = (box) => own(box) && (label.guide || gap(at, box) < far);
    return first(label.text, near) ?? first(label.number, own) ?? first(label.text, own) ??
      first(label.number, () => true) ?? first(label.text, () => true);
  };

  const leader = ([x, y], box) => {
    const near = [between(x, box.left, box.right), between(y, box.top, box.bottom)];
    return gap([x, y], box) > 12
      ? [{ type: "line",
           shape: { x1: x, y1: y, x2: near[0], y2: near[1] },
           style: { stroke: "var(--quiet)", lineWidth: 0.7 } }]
      : [];
  };

  return (series) => (params, api) => {
    const plot = params.coordSys;
    const page = { width: api.getWidth(), height: api.getHeight() };
    // One context for a round of drawing: the points take their places before any text does.
    if (!params.context.taken) {
      params.context.points = series.data
        .filter((_, i) => !series.labels[i].guide)
        .map((value) => api.coord(value));
      params.context.taken = params.context.points
        .map(([x, y]) => ({ left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }));
    }
    const label = series.labels[params.dataIndex];
    const at = api.coord([api.value(0), api.value(1)]);
    const [x, y] = [at[0] - plot.x, at[1] - plot.y];
    if (x < -1 || y < -1 || x > plot.width + 1 || y > plot.height + 1) {
      return undefined;  // zoomed out of sight
    }
    const placed = placeOf(label, at, plot, page, params.context);
    if (!placed) {
      return undefined;
    }
    params.context.taken.push(placed.box);
    const text = {
      type: "text",
      x: placed.box.left,
      y: placed.box.top + 1,
      style: {
        text: placed.text, font, fill: label.guide ? "var(--accent)" : "var(--ink)",
        stroke: "var(--paper)", lineWidth: 3,
      },
    };
    return { type: "group", children: [...(label.guide ? [] : leader(at, placed.box)), text] };
  };
})();
