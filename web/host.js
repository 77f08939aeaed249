// host.js: what a view may ask for: call a tool, read a resource, hear of changes. Here it speaks MCP (the stateless era) to
// the server that sent the page. A view never uses fetch, so the same view can live where another host answers.
import { token } from "./session.js";

const VERSION = "2026-07-28", META = "io.modelcontextprotocol/";
let serial = 0;

export class Refusal extends Error {
  constructor(message, more = {}) {
    super(message);
    Object.assign(this, more);
  }
}

// Listeners of "gone" (the server does not respond), "back", and "locked" (a key is needed again).
const listeners = { gone: new Set(), back: new Set(), locked: new Set() };
export function on(what, run) {
  listeners[what].add(run);
  return () => listeners[what].delete(run);
}
let isGone = false;
function tell(what) {
  if ((what === "gone") === isGone && what !== "locked") return;
  if (what !== "locked") isGone = what === "gone";
  listeners[what].forEach((run) => run());
}

function meta(more) {
  return { [META + "protocolVersion"]: VERSION, [META + "clientCapabilities"]: {},
    [META + "clientInfo"]: { name: "the page", version: "1" }, "quire/structured": true, ...more };
}

// A header holds visible ASCII only; everything else is sent in base64, as the protocol has it.
function headerValue(text) {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
}

async function send(method, params, { kind, name, signal } = {}) {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": VERSION, "Mcp-Method": method };
  if (name !== undefined) headers["Mcp-Name"] = headerValue(name);
  if (token()) headers["Quire-Token"] = token();
  const body = JSON.stringify({ jsonrpc: "2.0", id: ++serial, method, params: { ...params, _meta: meta() } });
  let r;
  try {
    r = await fetch(kind ? `/mcp/${kind}` : "/mcp", { method: "POST", headers, body, signal, cache: "no-store" });
  } catch (e) {
    if (e.name === "AbortError") throw e;
    tell("gone");
    throw new Refusal("The server does not respond.", { isGone: true });
  }
  tell("back");
  if (r.status === 401) {
    tell("locked");
    throw new Refusal("This visit has ended. Log in again.", { status: 401 });
  }
  return r;
}

// The messages of an event stream, one by one.
async function* messages(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    for (let end; (end = rest.indexOf("\n\n")) >= 0; rest = rest.slice(end + 2)) {
      const data = rest.slice(0, end).split("\n").filter((l) => l.startsWith("data:")).map((l) => l.slice(5).trimStart());
      if (data.length) yield JSON.parse(data.join("\n"));
    }
  }
}

async function request(method, params, options) {
  const r = await send(method, params, options);
  let answer;
  if (r.headers.get("Content-Type")?.startsWith("text/event-stream")) {
    for await (const m of messages(r)) if (m.id !== undefined) answer = m;
  } else {
    answer = await r.json();
  }
  if (!answer) throw new Refusal("The server ended the connection before its result.", { isGone: true });
  if (answer.error) throw new Refusal(answer.error.message ?? "The request was refused.",
    { status: r.status, wait: Number(r.headers.get("Retry-After")) || 0 });
  return answer.result;
}

// Calls a tool; a person may see more of a result at once than a model. The result has `data` (its structure), `text` and `resources`. A refusal of the tool is thrown.
export async function call(tool, args = {}, { kind, signal } = {}) {
  const result = await request("tools/call", { name: tool, arguments: { ...args, answer_whole: true } }, { kind, name: tool, signal });
  const text = result.content.filter((b) => b.type === "text").map((b) => b.text).join("\n");
  if (result.isError) {
    let said = result.structuredContent;
    try {
      said ??= JSON.parse(text);
    } catch { /* the message is the text itself */ }
    const e = said?.error ?? said ?? {};
    throw new Refusal(e.message ?? text, { code: e.code, hint: e.hint ?? e.details?.hint, details: e.details });
  }
  const data = result.structuredContent;
  return { data, text, resources: result.content.filter((b) => b.type === "resource").map((b) => b.resource), warnings: data?._warnings ?? [] };
}

export async function read(uri, { kind } = {}) {
  const result = await request("resources/read", { uri }, { kind, name: uri });
  return result.contents[0]?.text ?? "";
}

// Hears of changes of resources until the signal aborts; opens the stream again when it ends. `heard(uri)`; `heard(null)` after
// each time that the stream was opened again, because news may have been missed.
export async function subscribe(uris, heard, signal) {
  for (let again = false, wait = 250; !signal.aborted; again = true) {
    try {
      const r = await send("subscriptions/listen", { notifications: { resourceSubscriptions: uris } }, { signal });
      if (r.ok && r.headers.get("Content-Type")?.startsWith("text/event-stream")) {
        if (again) heard(null);
        for await (const m of messages(r)) {
          wait = 250;
          if (m.method === "notifications/resources/updated") heard(m.params.uri);
        }
      }
    } catch (e) {
      if (e.name === "AbortError" || e.status === 401) return;
      tell("gone");
    }
    await new Promise((done) => setTimeout(done, wait));
    wait = Math.min(wait * 2, 5000);
  }
}
