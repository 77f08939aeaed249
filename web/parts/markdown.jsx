// markdown.jsx: Markdown as elements, made from marked's tokens, never from markup: HTML in a document is shown as the text it
// is, and only links to the web, to mail and to notes are links.
import { Lexer } from "marked";

const safe = (href) => /^(https?:|mailto:)/i.test(href ?? "");
const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];
const wiki = /(!?)\[\[([^\]|#^\n]*)([#^][^\]|\n]*)?(?:\|([^\]\n]+))?\]\]|(?<![\w&/])#([\p{L}_][\p{L}\p{N}_/-]*)/gu;

// Wikilinks and tags stand in plain text. `link` makes the element for a note's name; NULL: they stay text.
function plain(text, link) {
  if (!link) return text;
  const out = [];
  let at = 0;
  for (const m of text.matchAll(wiki)) {
    out.push(text.slice(at, m.index));
    out.push(m[5] ? <span class="hashtag">#{m[5]}</span> : link({ name: m[2], place: m[3] ?? "", shown: m[4] ?? (m[2] + (m[3] ?? "")), isEmbed: m[1] === "!" }));
    at = m.index + m[0].length;
  }
  return [...out, text.slice(at)];
}

const Inline = ({ tokens, link }) => (tokens ?? []).map((t) => {
  const inside = <Inline tokens={t.tokens} link={link} />;
  switch (t.type) {
    case "strong": return <strong>{inside}</strong>;
    case "em": return <em>{inside}</em>;
    case "del": return <s>{inside}</s>;
    case "codespan": return <code>{t.text}</code>;
    case "br": return <br />;
    case "link": return safe(t.href) ? <a href={t.href} target="_blank" rel="noreferrer noopener">{inside}</a> : link && !/^[a-z][\w+.-]*:/i.test(t.href) ? link({ name: t.href, place: "", shown: inside }) : <span title={t.href}>{inside}</span>;
    case "image": return <span class="picture" title={t.href}>picture: {t.text || t.href}</span>;
    case "escape": return t.text;
    case "html": return <code class="markup">{t.raw}</code>;
    case "text": return t.tokens ? inside : plain(unescaped(t.text), link);
    default: return t.raw;
  }
});

// marked leaves entities as they are written.
const names = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
const unescaped = (s) => s.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (all, n) => names[n] ?? "'");

const Blocks = ({ tokens, link }) => tokens.map((t, i) => {
  switch (t.type) {
    case "heading": {
      const H = headings[t.depth - 1];
      return <H id={`h-${i}`}><Inline tokens={t.tokens} link={link} /></H>;
    }
    case "paragraph": return <p><Inline tokens={t.tokens} link={link} /></p>;
    case "text": return t.tokens ? <Inline tokens={t.tokens} link={link} /> : plain(unescaped(t.text), link);
    case "list": {
      const L = t.ordered ? "ol" : "ul";
      return <L start={t.ordered && t.start !== 1 ? t.start : undefined}>{t.items.map((item) => (
        <li>{item.task && <input type="checkbox" checked={item.checked} disabled aria-label={item.checked ? "done" : "open"} />}<Blocks tokens={item.tokens.filter((x) => x.type !== "checkbox")} link={link} /></li>
      ))}</L>;
    }
    case "blockquote": return <blockquote><Blocks tokens={t.tokens} link={link} /></blockquote>;
    case "code": return <pre tabindex="0"><code>{t.text}</code></pre>;
    case "hr": return <hr />;
    case "table": return (
      <table tabindex="0"><thead><tr>{t.header.map((c) => <th scope="col"><Inline tokens={c.tokens} link={link} /></th>)}</tr></thead>
        <tbody>{t.rows.map((r) => <tr>{r.map((c) => <td><Inline tokens={c.tokens} link={link} /></td>)}</tr>)}</tbody></table>
    );
    case "space": case "def": return null;
    case "html": return <pre class="markup" tabindex="0"><code>{t.raw}</code></pre>;
    default: return <p>{t.raw}</p>;
  }
});

export function Markdown({ text, link }) {
  return <Blocks tokens={new Lexer({ gfm: true }).lex(text)} link={link} />;
}
