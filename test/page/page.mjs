// page.mjs QUIRE FOLDER: what a person does on the page, in a real browser, while agents and editors write.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { axe, browse, end, ok, Server, soon } from "./browser.mjs";

const [, , quire, top] = process.argv;
const examples = new URL("../../examples/", import.meta.url).pathname;
const book = readFileSync(join(examples, "lighthouse.hnpx"), "utf8");
const evil = "\u202e<script>window.pwned=1</script><img src=x onerror=window.pwned=1>";
const server = await new Server(quire, top, {
  "lighthouse.hnpx": book,
  "house.floorplan": { copy: join(examples, "house.floorplan") },
  "notes/plan.md": "---\ntags: [sea]\n---\n# Plan\n\nSee [[harbour]] and **bold**. [no](javascript:window.pwned=1) [web](https://example.org/)\n",
  "notes/harbour.md": "# Harbour\n\nBack to [[plan]] and to [[nowhere]].\n",
  "notes/evil.md": `# ${evil}\n\n${evil}\n\n<iframe src="https://example.org/"></iframe>\n\n${"x".repeat(1 << 20)}\n`,
  "evil.hnpx": book.replace("The Extra Hour", "&lt;script&gt;window.pwned=1&lt;/script&gt;"),
  "evil.floorplan": 'floorplan\n  floor Ground {\n    room A at (0,0) size (4 x 4) label "</text><script>window.pwned=1</script>"\n  }\n',
  "broken.hnpx": "<book><chapter>",
  "secret/hidden.md": "# Hidden\n\nnothing for everybody\n",
}).start();
const browser = await browse();
const asked = [], troubles = [];
async function person(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  page.on("request", (r) => asked.push(r.url()));
  page.on("pageerror", (e) => troubles.push(e.message));
  page.on("console", (m) => m.type() === "error" && /Content Security Policy|Trusted Type|Refused to/.test(m.text()) && troubles.push(m.text()));
  return page;
}
const cards = (page) => page.getByRole("region", { name: "Changes" }).getByRole("article");

// Login.
const page = await person();
await page.goto(`${server.base}/d/lighthouse.hnpx`);
ok(await soon(() => page.getByLabel("Key").isVisible()), "without a visit the page asks for a key");
await page.getByLabel("Key").fill("quire_wrong_wrong_wrong");
await page.getByRole("button", { name: "Log in" }).click();
ok(await soon(() => page.getByRole("alert").isVisible()) && /unknown key/.test(await page.getByRole("alert").innerText()), "a wrong key is refused in words");
await page.getByLabel("Key").fill(server.key);
await page.getByRole("button", { name: "Log in" }).click();
ok(await soon(() => page.getByRole("heading", { name: "The Extra Hour" }).isVisible()), "with the key the address that was asked for is shown");
const guest = await person();
await guest.goto(`${server.base}/#once=${server.once}`);
ok(await soon(() => guest.getByRole("navigation", { name: "Documents" }).isVisible()), "the one-time link needs no key");
ok(!guest.url().includes("once"), "its secret leaves the address");
const late = await person();
await late.goto(`${server.base}/#once=${server.once}`);
ok(await soon(() => late.getByLabel("Key").isVisible()) && /used already/.test(await late.getByRole("alert").innerText()), "it works once, and the page says so");
await late.context().close();

// The visit: neither half is enough, and the origin must be the page's.
const token = await page.evaluate(() => localStorage.getItem("quire.token"));
const cookies = await page.context().cookies();
const cookie = cookies.map((c) => `${c.name}=${c.value}`).join("; ");
ok(cookies.length === 1 && cookies[0].httpOnly && cookies[0].sameSite === "Strict" && cookies[0].name.includes(server.port), "the cookie is HttpOnly and Strict, and its name has the port", JSON.stringify(cookies));
async function post(headers) {
  const r = await fetch(`${server.base}/mcp`, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify({ method: "file_list", params: {} }) });
  return r.status;
}
const both = { Cookie: cookie, "Quire-Token": token, Origin: server.base };
ok(await post(both) === 200, "cookie and token from the own origin are a key");
ok(await post({ ...both, Cookie: "" }) === 401 && await post({ Cookie: cookie, Origin: server.base }) === 401, "one without the other is 401");
ok(await post({ ...both, Origin: "http://127.0.0.1:1" }) === 403 && await post({ Cookie: cookie, "Quire-Token": token }) === 401, "another origin, or none, is refused");
ok(await post({ ...both, "Quire-Token": token.slice(0, -1) + (token.endsWith("A") ? "B" : "A") }) === 401, "a token of another visit is refused");
const login = (origin) => fetch(`${server.base}/login`, { method: "POST", headers: { "Content-Type": "application/json", ...(origin ? { Origin: origin } : {}) }, body: JSON.stringify({ key: server.key }) }).then((r) => r.status);
ok(await login("http://127.0.0.1:1") === 403 && await login() === 403, "no other page can log in");

// Reading.
const views = [["lighthouse.hnpx", "The causeway came up"], ["notes/plan.md", "bold"], ["house.floorplan", "default_unit"]];
for (const [path, words] of views) {
  await page.goto(`${server.base}/d/${path}`);
  ok(await soon(async () => (await page.locator("main").innerText()).includes(words)), `${path} is shown`);
}
ok(await soon(() => page.getByRole("img", { name: /Plan/ }).evaluate((i) => i.naturalWidth > 100)), "a plan is drawn");
await page.goto(`${server.base}/d/notes/plan.md`);
await page.locator("main article").getByRole("link", { name: "harbour" }).click();
ok(await soon(() => page.url().endsWith("/d/notes/harbour.md")), "a link between notes leads to the note");
ok(await soon(() => page.getByRole("region", { name: "Links to this note" }).getByRole("link", { name: "Plan" }).isVisible()), "what links here is listed");
await page.goBack();
ok(page.url().endsWith("/d/notes/plan.md"), "back works");
await page.goto(`${server.base}/d/broken.hnpx`);
ok(await soon(() => page.locator("main").getByRole("alert").isVisible()) && /line|closed|element/i.test(await page.locator("main").innerText()), "a broken document shows its error", await page.locator("main").innerText());
await page.goto(`${server.base}/nothing/here`);
ok(await soon(() => page.getByText("nothing at this address").isVisible()), "an unknown address is a page that leads home");
ok((await fetch(`${server.base}/nothing/here`, { headers: { Accept: "text/html" } })).status === 404, "with status 404");

// Changes: an agent writes in another process, a person with an editor.
await page.goto(`${server.base}/d/lighthouse.hnpx`);
await soon(() => page.locator(".book").isVisible());
const paragraph = () => readFileSync(join(server.root, "lighthouse.hnpx"), "utf8");
server.call("hnpx", "edit_node_attributes", { file_path: "lighthouse.hnpx", node_id: "m1llfh", attributes: { text: "They had spelled the family's name right." } });
const first = cards(page).filter({ hasText: "m1llfh" }).first();
ok(await soon(() => first.isVisible()), "a change by an agent in another process arrives");
ok(/Claude/.test(await first.innerText()) && /edit node/.test(await first.innerText()), "it says who and with which tool", await first.innerText());
ok(await soon(async () => (await page.locator("main").innerText()).includes("name right")), "the open book shows it");
await first.getByRole("link", { name: /m1llfh/ }).click();
ok(await soon(async () => (await page.locator("ins").allInnerTexts()).join("").includes("right") && (await page.locator("del").allInnerTexts()).join("").includes("wrong")), "its diff marks the word that changed");
ok(!(await page.locator(".diff").innerText()).includes("</"), "a book's diff reads as a book");
await page.getByLabel("Raw lines").check();
ok(await soon(async () => (await page.locator(".diff").innerText()).includes("name wrong") || (await page.locator(".diff").innerText()).includes("name right")), "the raw lines are one switch away");
await first.getByRole("button", { name: "Undo" }).click();
ok(await soon(() => paragraph() === book), "Undo gives back the bytes");
await page.getByRole("status").getByRole("button", { name: "Redo" }).click();
ok(await soon(() => paragraph().includes("name right")), "Redo in the toast does it again");
await soon(() => first.getByRole("button", { name: "Restore this version" }).isVisible());
appendFileSync(join(server.root, "notes/harbour.md"), "\nBy hand.\n");
ok(await soon(() => cards(page).filter({ hasText: "another program" }).filter({ hasText: "harbour" }).first().isVisible()), "a change by an editor arrives");
appendFileSync(join(server.root, "notes/harbour.md"), "\nTwice.\n");
const edited = cards(page).filter({ hasText: "harbour" }).filter({ has: page.getByRole("button", { name: "Undo" }) }).first();
ok(await soon(() => edited.isVisible()), "the next one can be undone");
await edited.getByRole("button", { name: "Undo" }).click();
ok(await soon(() => !readFileSync(join(server.root, "notes/harbour.md"), "utf8").includes("Twice")), "and is");
server.call("hnpx", "edit_node_attributes", { file_path: "lighthouse.hnpx", node_id: "1wohd7", attributes: { text: "First." } });
server.call("hnpx", "edit_node_attributes", { file_path: "lighthouse.hnpx", node_id: "1wohd7", attributes: { text: "Second." } });
let said;
await soon(async () => (await cards(page).filter({ hasText: "1wohd7" }).count()) === 2);
await cards(page).filter({ hasText: "1wohd7" }).nth(1).getByRole("button", { name: "Undo" }).click();
ok(await soon(async () => /changed since/i.test((said = await page.locator(".toast").allInnerTexts()).join())), "an undo that later changes overlap says so", said);
await page.locator(".toast").last().getByRole("button", { name: "Go back to before it" }).click();
ok(await soon(() => !paragraph().includes("First.") && !paragraph().includes("Second.")), "and its advice works");
await cards(page).filter({ hasText: "1wohd7" }).nth(1).getByRole("button", { name: "Restore this version" }).click();
ok(await soon(() => paragraph().includes("First.") && !paragraph().includes("Second.")), "Restore gives back that version");

// The keyboard.
await page.goto(`${server.base}/`);
await soon(async () => (await cards(page).count()) > 2);
await page.keyboard.press("j");
await page.keyboard.press("j");
ok(await cards(page).nth(1).getAttribute("aria-current") === "true", "j and k choose a change");
await page.keyboard.press("d");
ok(await soon(() => page.url().includes("view=diff")), "d opens what it did");
await page.keyboard.press("/");
await page.keyboard.type("harb");
ok(await page.getByRole("searchbox", { name: "Search" }).inputValue() === "harb" && await soon(() => page.getByRole("link", { name: /harbour/ }).first().isVisible()), "/ searches names");
await page.keyboard.press("Escape");
await page.keyboard.press("?");
ok(await soon(() => page.getByRole("dialog").isVisible()), "? lists the keys");
await page.keyboard.press("Escape");

// Many tabs share one stream.
const tabs = await Promise.all(Array.from({ length: 10 }, async () => {
  const tab = await page.context().newPage();
  await tab.goto(`${server.base}/`);
  return tab;
}));
await Promise.all(tabs.map((t) => soon(async () => (await cards(t).count()) > 2)));
server.call("hnpx", "edit_node_attributes", { file_path: "lighthouse.hnpx", node_id: "m1llfh", attributes: { text: "Seen in ten tabs." } }, "Tenfold");
ok((await Promise.all(tabs.map((t) => soon(() => cards(t).filter({ hasText: "Tenfold" }).isVisible())))).every(Boolean), "ten tabs see a change");
await cards(tabs[9]).filter({ hasText: "Tenfold" }).getByRole("button", { name: "Undo" }).click();
ok(await soon(() => !paragraph().includes("Seen in ten tabs")), "and each can undo it");
await Promise.all(tabs.map((t) => t.close()));

// Hostile documents.
for (const path of ["notes/evil.md", "evil.hnpx", "evil.floorplan"]) {
  await page.goto(`${server.base}/d/${path}`);
  await soon(() => page.locator("main .body > *").first().isVisible());
  await page.waitForTimeout(300);
  ok(await page.evaluate(() => window.pwned === undefined) && await page.locator("main script, main iframe").count() === 0, `${path} changes nothing`);
}
ok(asked.every((u) => u.startsWith(server.base) || u.startsWith("data:") || u.startsWith("blob:")), "no request leaves the origin", asked.filter((u) => !u.startsWith(server.base)).slice(0, 3));
await page.goto(`${server.base}/d/notes/plan.md`);
await soon(() => page.locator("main").getByText("bold").isVisible());
ok(await page.locator('main a[href^="javascript"]').count() === 0, "a javascript: link is no link");

// Nobody is kept out: axe finds nothing, in light and dark.
for (const colorScheme of ["light", "dark"]) {
  await page.emulateMedia({ colorScheme });
  for (const path of ["/", "/d/lighthouse.hnpx", "/d/notes/plan.md", "/d/house.floorplan", "/d/lighthouse.hnpx?view=diff"]) {
    await page.goto(server.base + path);
    await soon(() => page.locator("main .body > *").first().isVisible());
    await page.waitForTimeout(2500); // what glows has faded
    // The policy allows no injected script, so axe comes through the debugger.
    await page.evaluate(readFileSync(axe, "utf8"));
    const { violations } = await page.evaluate(() => window.axe.run());
    ok(violations.length === 0, `axe finds nothing at ${path} (${colorScheme})`, violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((x) => x.html + " " + x.failureSummary).join(" | ")}`).join("\n"));
  }
}
for (const width of [320, 900, 1400, 2560]) {
  await page.setViewportSize({ width, height: 800 });
  await page.goto(`${server.base}/d/lighthouse.hnpx`);
  await soon(() => page.locator(".book").isVisible());
  ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `nothing is wider than the page at ${width} pixels`);
}
await page.setViewportSize({ width: 1400, height: 900 });

// The key of a run ends with it; the address stays.
await page.goto(`${server.base}/d/notes/plan.md`);
await soon(() => page.getByRole("searchbox").isVisible());
await page.getByRole("searchbox").fill("typed before");
await server.stop();
ok(await soon(() => page.getByText("does not respond").isVisible()), "a lost connection is said");
await server.start();
ok(await soon(() => page.getByLabel("Key").isVisible()) && /ended/.test(await page.getByRole("alert").first().innerText()), "a new run asks for its key, and says why");
await page.getByLabel("Key").fill(server.key);
await page.getByRole("button", { name: "Log in" }).click();
ok(await soon(() => page.locator("main").getByText("bold").isVisible()) && page.url().endsWith("/d/notes/plan.md"), "the address is as it was");
ok(await page.getByRole("searchbox").inputValue() === "typed before", "what was typed is there");
await page.getByRole("button", { name: "Log out" }).click();
ok(await soon(() => page.getByLabel("Key").isVisible()), "Log out ends the visit");
ok(await post({ Cookie: cookie, "Quire-Token": token, Origin: server.base }) === 401, "its cookie is worth nothing");
await server.stop();

// Keys from a file: a restart needs no new login, and grants decide what is there.
const keys = join(top, "keys.json");
writeFileSync(keys, JSON.stringify({ keys: [
  { name: "anna", key: "anna-anna-anna", grants: { kinds: ["*"], tools: ["*"], documents: ["**"], write: ["**"] } },
  { name: "reader", key: "reader-reader", grants: { kinds: ["notes"], tools: ["*"], documents: ["notes/*"] } }] }), { mode: 0o600 });
const log = join(top, "access.log"), config = join(top, "quire.toml");
writeFileSync(config, `[mcp_server]\naccess_log = "${log}"\n`);
await server.start("--keys", keys, "--config", config);
const enter = async (p, key) => {
  await p.goto(`${server.base}/`);
  await p.getByLabel("Key").fill(key);
  await p.getByRole("button", { name: "Log in" }).click();
  return soon(() => p.getByRole("navigation", { name: "Documents" }).isVisible());
};
ok(await enter(page, "anna-anna-anna"), "a key of the file logs in");
const logged = readFileSync(log, "utf8");
ok(/"anna"[^\n]*POST \/login/.test(logged) && !logged.includes("anna-anna"), "the access log names who logged in, and no secret", logged);
await server.stop();
await server.start("--keys", keys);
await page.goto(`${server.base}/d/notes/plan.md`);
ok(await soon(() => page.locator("main").getByText("bold").isVisible()), "after a restart no login is needed");
const reader = await person();
await enter(reader, "reader-reader");
await soon(async () => (await reader.getByRole("navigation", { name: "Documents" }).innerText()).includes("plan"));
const shelf = await reader.getByRole("navigation", { name: "Documents" }).innerText();
ok(shelf.includes("plan") && !/hidden|lighthouse|house/.test(shelf), "what a key may not read is not there", shelf);
ok(shelf.includes("reading room") && await reader.getByRole("button", { name: /Undo|Restore/ }).count() === 0, "what it may not write has no button");
await page.goto(`${server.base}/`);
await page.getByRole("button", { name: "Log out" }).click();
await soon(() => page.getByLabel("Key").isVisible());
await server.stop();

// Without the page.
await server.start("--no-page", "--keys", keys);
ok((await fetch(`${server.base}/`)).status === 404 && (await fetch(`${server.base}/login`, { method: "POST", headers: { Origin: server.base } })).status === 404, "--no-page serves none");
await server.stop();

// quire view: for people whose client runs quire over a pipe.
const view = spawn(quire, ["view", join(server.root, "notes/plan.md"), "--state", server.state], { cwd: server.root, stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, DISPLAY: "", WAYLAND_DISPLAY: "" } });
let said2 = "";
view.stderr.on("data", (d) => { said2 += d; });
await soon(() => said2.includes("#once="));
await page.goto(/http:\S+/.exec(said2)[0]);
ok(await soon(() => page.locator("main").getByText("bold").isVisible()), "quire view shows the document that it was given", said2 + page.url() + await page.locator("body").innerText());
server.call("hnpx", "edit_node_attributes", { file_path: "lighthouse.hnpx", node_id: "m1llfh", attributes: { text: "Over a pipe." } }, "Pipe");
ok(await soon(() => cards(page).filter({ hasText: "Pipe" }).first().isVisible()), "and what another quire process writes");
view.kill();
ok(!troubles.length, "no script failed, and no policy was broken", troubles.join("\n"));
await browser.close();
end();
