// page.mjs BASE ONCE: opens the page in a headless browser. Prints JSON: milliseconds of script until a large book can be read,
// and, for each line on standard input (a path of a document that changes now), the milliseconds until the page shows it.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../test/node/page.js", import.meta.url))("playwright-core");
const [, , base, once] = process.argv;
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-quic",
  "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
const page = await browser.newPage();
await page.goto(`${base}/#once=${once}`);
await page.waitForSelector("nav[aria-label=Documents] a[href^='/d/']");
const session = await page.context().newCDPSession(page);
await session.send("Performance.enable");
const scripted = async () => (await session.send("Performance.getMetrics")).metrics.find((m) => m.name === "ScriptDuration").value;
await page.goto(`${base}/d/book.hnpx`);
await page.waitForSelector(".book .prose section");
console.log(JSON.stringify({ script_ms: (await scripted()) * 1000 }));
await page.goto(`${base}/`);
await page.waitForSelector("nav[aria-label=Documents] a[href^='/d/']");
await page.waitForTimeout(500);
for await (const line of createInterface({ input: process.stdin })) {
  await page.waitForFunction((n) => document.querySelectorAll("article").length >= n, Number(line), { polling: 5, timeout: 10000 });
  console.log(JSON.stringify({ shown: Date.now() }));
}
await browser.close();
