// words.js: how times, numbers, people and tools read on the page.
const thin = "\u202f";
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const steps = [["second", 1], ["minute", 60], ["hour", 3600], ["day", 86400], ["month", 2629800], ["year", 31557600]];

export const number = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, thin);
export const plural = (n, one, many = one + "s") => `${number(n)} ${n === 1 ? one : many}`;

export function ago(time, now = Date.now()) {
  const seconds = Math.round((new Date(time) - now) / 1000);
  if (seconds > -10 && seconds <= 5) return "now";
  const [unit, size] = steps.findLast(([, s]) => Math.abs(seconds) >= s) ?? steps[0];
  return relative.format(Math.trunc(seconds / size), unit);
}
export const moment = (time) => new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });

export function bytes(n) {
  if (n < 1024) return `${n} bytes`;
  return n < 1 << 20 ? `${(n / 1024).toFixed(n < 10240 ? 1 : 0)} KB` : `${(n / (1 << 20)).toFixed(1)} MB`;
}

// Authors have one of six hues, the same everywhere.
export function hue(name) {
  let h = 0;
  for (const c of name ?? "") h = (h * 31 + c.codePointAt(0)) >>> 0;
  return h % 6;
}

export const who = (change) => (change.is_outside ? "another program" : change.who || "somebody");

// A tool's name as words: hnpx_edit_paragraph_text is "edit paragraph text".
export const toolWords = (tool, kind) => (tool ?? "").replace(/^mcp_/, "").replace(kind + "_", "").replaceAll("_", " ");

export const fileName = (path) => path.slice(path.lastIndexOf("/") + 1);
export const folderOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf("/")));
