// Draws the charts of the page: unpacks the library, gives every option the functions that JSON
// cannot hold, and puts the drawing in place of the static chart. Where any of it fails (an old
// browser, a policy against scripts) the static charts stay.
"use strict";
(() => {
  const line = (from, to, width, opacity, color) => ({
    type: "line",
    shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1] },
    style: { stroke: color, lineWidth: width, opacity, lineCap: "round" },
  });
  const group = (children) => ({ type: "group", children });
  const known = (...values) => values.every((value) => Number.isFinite(value));

  // What series name in "renderItem"; each gets the series it belongs to.
  const renderers = {
    errorBars: (series) => (params, api) => {
      const [x, xLow, xHigh, y, yLow, yHigh] = [0, 1, 2, 3, 4, 5].map((i) => api.value(i));
      const color = series.itemStyle.color;
      const children = [];
      if (known(xLow, xHigh)) {
        children.push(line(api.coord([xLow, y]), api.coord([xHigh, y]), 1, 0.5, color));
      }
      if (known(yLow, yHigh)) {
        children.push(line(api.coord([x, yLow]), api.coord([x, yHigh]), 1, 0.5, color));
      }
      return group(children);
    },
    band: (series) => (params, api) => {
      const there = [];
      const back = [];
      for (let i = 0; i < series.data[0].length; i += 3) {
        there.push(api.coord([api.value(i), api.value(i + 2)]));
        back.unshift(api.coord([api.value(i), api.value(i + 1)]));
      }
      return {
        type: "polygon",
        shape: { points: [...there, ...back] },
        style: { fill: series.itemStyle.color, opacity: 0.18 },
      };
    },
    intervals: (series) => (params, api) => {
      const [low, high, innerLow, innerHigh, row] = [0, 1, 2, 3, 4].map((i) => api.value(i));
      const color = series.data[params.dataIndex].itemStyle.color;
      const span = (from, to, width, opacity) =>
        line(api.coord([from, row]), api.coord([to, row]), width, opacity, color);
      return group([span(low, high, 3, 0.4),
                    ...(innerHigh > innerLow ? [span(innerLow, innerHigh, 6, 0.45)] : [])]);
    },
    labels: placedLabels,
    cells: (series) => (params, api) => {
      const [width, height] = api.size([1, 1]);
      const [x, y] = api.coord([api.value(0), api.value(1)]);
      const { text, strong } = series.cells[params.dataIndex];
      // The cheapest have the most digits: smaller before they are left out.
      const size = Math.min(12, (width - 4) / (0.62 * text.length));
      return {
        type: "rect",
        shape: { x: x - width / 2 + 1, y: y - height / 2 + 1, width: width - 2, height: height - 2 },
        style: {
          fill: series.itemStyle.color,
          stroke: strong ? "var(--accent)" : "none",
          lineWidth: strong ? 3 : 0,
        },
        textContent: {
          style: { text: size >= 8 ? text : "", fontSize: size, fill: series.ink },
        },
        textConfig: { position: "inside" },
      };
    },
  };

  const unpacked = async (base64) => {
    const packed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  };

  const draw = (figure) => {
    const { height, option } = JSON.parse(figure.querySelector("script.option").textContent);
    for (const series of option.series) {
      if (series.renderItem) {
        series.renderItem = renderers[series.renderItem](series);
      }
    }
    const box = document.createElement("div");
    box.className = "live";
    box.style.height = `${height}px`;
    figure.append(box);
    figure.classList.add("drawn");  // hides the static chart, so that the box has its width
    try {
      const chart = window.echarts.init(box, null, { renderer: "svg" });
      chart.setOption(option);
      new ResizeObserver(() => {
        if (box.clientWidth > 0) {  // not on paper
          chart.resize();
        }
      }).observe(box);
    } catch (error) {
      figure.classList.remove("drawn");
      box.remove();
      throw error;
    }
  };

  const start = async () => {
    const script = document.createElement("script");
    script.textContent = await unpacked(document.getElementById("echarts").textContent);
    document.head.append(script);
    const figures = document.querySelectorAll("figure:has(> script.option)");
    figures.forEach(draw);
    document.documentElement.dataset.charts = figures.length;
  };
  start().catch((error) => console.error("the charts stay static:", error));
})();
