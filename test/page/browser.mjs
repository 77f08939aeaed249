// browser.mjs: a browser, a server and TAP for the tests of the page.
import { execFileSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const need = createRequire(new URL("../node/page.js", import.meta.url));
const { chromium } = need("playwright-core");
export const axe = need.resolve("axe-core/axe.min.js");

let n = 0, failed = 0;
export function ok(holds, claim, detail = "") {
  console.log(`${holds ? "ok" : "not ok"} ${++n} - ${claim}`);
  if (!holds && detail) console.log(String(detail).split("\n").map((l) => "# " + l).join("\n"));
  failed += !holds;
}
export function end() {
  console.log(`1..${n}`);
  process.exitCode = failed ? 1 : 0;
}
// Waits until the check holds; false if it does not within ten seconds. A test never asserts how long it took.
export async function soon(check) {
  for (const until = Date.now() + 10000; Date.now() < until; await new Promise((r) => setTimeout(r, 50)))
    if (await Promise.resolve().then(check).catch(() => false)) return true;
  return false;
}

// The browser looks up nothing outside this machine.
const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
export const browse = () => chromium.launch({ executablePath: "/usr/bin/chromium", args: quiet });

export class Server {
  constructor(quire, top, files = {}) {
    Object.assign(this, { quire, root: join(top, "root"), state: join(top, "state") });
    mkdirSync(this.root, { recursive: true });
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }
  write(name, content) {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    if (content.copy) copyFileSync(content.copy, path);
    else writeFileSync(path, content);
  }
  // Starts it; the address and the secrets are read from what it prints.
  async start(...options) {
    const port = this.port ?? 0;
    this.process = spawn(this.quire, ["serve", "--root", this.root, "--state", this.state, "--http", `127.0.0.1:${port}`, ...options], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    this.process.stderr.on("data", (d) => { said += d; });
    const isUp = await soon(() => /at (http:\S+)\/mcp/.test(said) && (options.length || /for a lasting key/.test(said)));
    if (!isUp) throw new Error("the server did not start: " + said);
    this.base = /at (http:\S+)\/mcp/.exec(said)[1];
    this.port = new URL(this.base).port;
    this.once = /#once=(\S+)/.exec(said)?.[1];
    this.key = /stored nowhere: (\S+)/.exec(said)?.[1];
    return this;
  }
  async stop() {
    const over = new Promise((r) => this.process.once("exit", r));
    this.process.kill("SIGTERM");
    await over;
  }
  call(kind, tool, args, user = "Claude") {
    return execFileSync(this.quire, ["call", "--root", this.root, "--state", this.state, "--user", user, kind, tool, JSON.stringify(args)], { encoding: "utf8" });
  }
}
