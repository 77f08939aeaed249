// book.js: reads a book. The server has checked the XML; the page's policy allows no parser that could make markup.
const entities = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

export const unescapeXml = (s) =>
  s.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi, (all, hex, dec, name) => {
    const code = hex ? parseInt(hex, 16) : dec ? parseInt(dec, 10) : 0;
    return code ? (code <= 0x10ffff ? String.fromCodePoint(code) : all) : entities[name] ?? all;
  });

// The tree of elements: {name, attributes, children, text, summary}. Throws where the tags do not close.
export function readBook(xml) {
  const root = { children: [] }, stack = [root];
  const tokens = /<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|<\?[^]*?\?>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/gy;
  for (let m; tokens.lastIndex < xml.length && (m = tokens.exec(xml)); ) {
    const [, cdata, close, name, attributes, empty, text] = m, top = stack.at(-1);
    if (cdata !== undefined || text !== undefined) top.text = (top.text ?? "") + (cdata ?? unescapeXml(text));
    else if (close) {
      if (stack.length < 2 || stack.pop().name !== name) throw new Error(`</${name}> closes nothing`);
    } else if (name) {
      const node = { name, attributes: {}, children: [] };
      for (const [, key, , a, b] of attributes.matchAll(/([\w:.-]+)\s*=\s*("([^"]*)"|'([^']*)')/g)) node.attributes[key] = unescapeXml(a ?? b);
      top.children.push(node);
      if (!empty) stack.push(node);
    }
  }
  const book = root.children.find((n) => n.name === "book");
  if (!book || stack.length > 1) throw new Error("This is not a whole book.");
  return finish(book);
}

function finish(node) {
  node.summary = node.children.find((n) => n.name === "summary")?.text?.trim() ?? "";
  node.parts = node.children.filter((n) => n.name !== "summary").map(finish);
  node.words = node.name === "paragraph" ? (node.text?.trim().match(/\S+/g) ?? []).length : node.parts.reduce((n, p) => n + p.words, 0);
  return node;
}

const quoted = /^["“”„«»‘’'—–-]/;

// A paragraph as a reader sees it: speech in quotation marks, unless the author wrote some.
export function readable(paragraph) {
  const text = (paragraph.text ?? "").trim().replace(/\s*\n\s*/g, " ");
  return paragraph.attributes.mode === "dialogue" && text && !quoted.test(text) && !/[“”"«»]/.test(text) ? `“${text}”` : text;
}
