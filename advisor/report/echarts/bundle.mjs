// node bundle.mjs OUT_JS OUT_NOTICE, in the folder that holds node_modules: one minified script with
// the licences of what is in it, gzip, base64; and the notice for the foot of a report.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const [script, notice] = process.argv.slice(2);
const version = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version;
const text = (path) => readFileSync(`node_modules/${path}`, "utf8").trim();
const licences = ["echarts/NOTICE", "echarts/LICENSE", "zrender/LICENSE"].map(text).join("\n\n");

const result = await build({
  entryPoints: ["entry.js"],
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  globalName: "echarts",
  target: "es2020",
  legalComments: "none",  // the licences as a whole are in the banner instead
  banner: { js: `/*\n${licences.replaceAll("*/", "* /")}\n*/` },
  define: { "process.env.NODE_ENV": '"production"', __DEV__: "false" },
});
writeFileSync(script, gzipSync(result.outputFiles[0].contents, { level: 9 }).toString("base64"));
writeFileSync(notice,
  `Apache ECharts ${version("echarts")} (Apache License 2.0) with zrender ${version("zrender")} ` +
  `(BSD 3-Clause). ${text("echarts/NOTICE").split("\n").slice(1).join(" ").replace(/\s+/g, " ")}`);
