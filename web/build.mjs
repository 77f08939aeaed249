// build.mjs OUT: bundles the page into one file, as src/mcp/http/page.h describes. One entry, one chunk for each view, names
// with hashes. Fails if the first view needs more than its budget.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const FIRST_VIEW_BYTES = 150 * 1024; // of script and style, gzipped
const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
const { build } = createRequire(out)("esbuild"); // the libraries are beside the result, not in the sources
const kinds = readdirSync(join(here, "views"), { withFileTypes: true }).filter((e) => e.isDirectory()).map((e) => e.name);

// views/KIND/kind.js says what the page must know of a kind before its view is loaded. Only this list names the kinds.
const registry = {
  name: "kinds",
  setup(b) {
    b.onResolve({ filter: /^quire:kinds$/ }, () => ({ path: "kinds", namespace: "kinds" }));
    b.onLoad({ filter: /.*/, namespace: "kinds" }, () => ({
      resolveDir: here,
      contents: kinds.map((k, i) => `import k${i} from "./views/${k}/kind.js";`).join("\n") +
        `\nexport default [${kinds.map((_, i) => `k${i}`).join(", ")}];`,
    }));
  },
};

const result = await build({
  entryPoints: [join(here, "main.jsx")],
  bundle: true, splitting: true, format: "esm", target: "es2022", minify: true, write: false, metafile: true,
  outdir: "/", entryNames: "[name]-[hash]", chunkNames: "[name]-[hash]", assetNames: "[name]-[hash]",
  jsx: "automatic", jsxImportSource: "preact", legalComments: "none", charset: "utf8", logLevel: "warning",
  nodePaths: [join(dirname(out), "node_modules")], plugins: [registry],
});

const types = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8", svg: "image/svg+xml",
  html: "text/html; charset=utf-8" };
const files = result.outputFiles.map((f) => ({ path: "/" + f.path.split("/").pop(), bytes: Buffer.from(f.contents), lasts: true }));
const named = (start, end) => files.find((f) => f.path.startsWith(start) && f.path.endsWith(end)).path;
const html = readFileSync(join(here, "index.html"), "utf8").replace("/main.js", named("/main-", ".js")).replace("/main.css", named("/main-", ".css"));
files.push({ path: "/", type: "html", bytes: Buffer.from(html) }, { path: "/icon.svg", bytes: readFileSync(join(here, "icon.svg")) });

let first = 0, from = 0;
const lines = [], packed = [];
// What the entry imports at once, and so on: the rest is loaded when it is needed.
const outputs = Object.fromEntries(Object.entries(result.metafile.outputs).map(([path, o]) => ["/" + path.split("/").pop(), o]));
const needed = new Set([named("/main-", ".js"), named("/main-", ".css")]);
for (const path of needed)
  for (const i of outputs[path]?.imports ?? []) if (i.kind === "import-statement") needed.add("/" + i.path.split("/").pop());
for (const f of files) {
  const bytes = gzipSync(f.bytes, { level: 9 });
  const tag = createHash("sha256").update(f.bytes).digest("hex").slice(0, 16);
  lines.push(`${f.path} "${tag}" ${from} ${bytes.length} ${f.lasts ? "lasts" : "changes"} ${types[f.type ?? f.path.split(".").pop()]}`);
  packed.push(bytes);
  from += bytes.length;
  if (needed.has(f.path)) first += bytes.length;
}
if (first > FIRST_VIEW_BYTES) {
  console.error(`the first view needs ${first} bytes of script and style; the limit is ${FIRST_VIEW_BYTES}`);
  process.exit(1);
}
writeFileSync(out, Buffer.concat([Buffer.from(lines.join("\n") + "\n\n"), ...packed]));
