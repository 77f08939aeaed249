// lines.js: how a line of a book's XML reads in a diff: its prose as text, its tags as small marks.
import { unescapeXml } from "./book.js";

const mark = (tag) => {
  const [, close, name, rest] = /^<(\/?)([\w:-]+)([^]*?)\/?>$/.exec(tag) ?? [];
  if (!name || close) return null;
  const words = rest.trim().replace(/\s*=\s*/g, "=");
  return name === "summary" && !words ? "summary" : unescapeXml(words ? `${name} ${words}` : name);
};

// The pieces of a line: {text} or {tag}. Closing tags say nothing; white space between tags is layout.
export function read(line) {
  const pieces = [];
  for (const [part] of line.matchAll(/<[^>]*>|[^<]+/g)) {
    if (part[0] !== "<") {
      if (part.trim()) pieces.push({ text: unescapeXml(part.trim()) });
    } else if (part.startsWith("<!--") || part.startsWith("<?") || !part.endsWith(">")) pieces.push({ tag: part });
    else if (mark(part)) pieces.push({ tag: mark(part) });
  }
  return pieces;
}
