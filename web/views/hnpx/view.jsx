// view.jsx: a book as a book, and beside it the outline: what is planned, empty and written, and who sees it.
import { useMemo } from "preact/hooks";
import { hue, number, plural } from "../../words.js";
import { readable, readBook } from "./book.js";

// Emphasis is *so* or _so_ in a book's text.
function prose(text) {
  return text.split(/(\*[^\s*](?:[^*]*[^\s*])?\*|(?<!\w)_[^\s_](?:[^_]*[^\s_])?_(?!\w))/).map((part, i) => i % 2 ? <em>{part.slice(1, -1)}</em> : part);
}

const Paragraph = ({ node, isFresh }) => {
  const text = readable(node), { mode, char } = node.attributes;
  if (!text) return <p class="planned" id={node.attributes.id}>{node.summary || "planned"}</p>;
  return <p id={node.attributes.id} class={`${mode ?? "narration"}${isFresh ? " glowing" : ""}`} title={char}>{mode === "internal" ? <em>{prose(text)}</em> : prose(text)}</p>;
};

const isPlanned = (node) => !node.parts.length;

function Sequence({ node, fresh }) {
  const { id, loc, time } = node.attributes;
  return (
    <section class="sequence" id={id}>
      <p class="where">{[loc, time].filter(Boolean).join(", ")}</p>
      {isPlanned(node) && <p class="planned">{node.summary}</p>}
      {node.parts.map((beat) => isPlanned(beat)
        ? <p class="planned" id={beat.attributes.id} key={beat.attributes.id}>{beat.summary}</p>
        : beat.parts.map((p) => <Paragraph key={p.attributes.id} node={p} isFresh={fresh.has(p.attributes.id)} />))}
    </section>
  );
}

function Outline({ book }) {
  return (
    <nav class="outline" aria-label="Outline" tabindex="0">
      <p class="small quiet">{plural(book.words, "word")}</p>
      <ol>
        {book.parts.map((c, i) => (
          <li key={c.attributes.id}>
            <a href={`#${c.attributes.id}`}>{i + 1}. {c.attributes.title}</a>
            <span class="small quiet"> {c.words ? number(c.words) : "planned"}</span>
            {c.attributes.pov && <span class={`small author h${hue(c.attributes.pov)}`}> {c.attributes.pov}</span>}
            <ol>
              {c.parts.map((s) => (
                <li key={s.attributes.id} class="small"><a href={`#${s.attributes.id}`}>{s.attributes.loc}</a>
                  {!s.words && <span class="quiet"> planned</span>}
                  {s.attributes.pov && <span class={`author h${hue(s.attributes.pov)}`}> {s.attributes.pov}</span>}</li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </nav>
  );
}

// The ids of the paragraphs whose words differ from the ones shown before.
function freshParagraphs(before, book) {
  const was = new Map(), fresh = new Set();
  const walk = (node, visit) => (node.name === "paragraph" ? visit(node) : node.parts.forEach((n) => walk(n, visit)));
  if (!before) return fresh;
  walk(before, (p) => was.set(p.attributes.id, p.text));
  walk(book, (p) => was.get(p.attributes.id) !== p.text && fresh.add(p.attributes.id));
  return fresh;
}

export async function load(host, path) {
  const xml = await host.read(`hnpx:///${path.split("/").map(encodeURIComponent).join("/")}`);
  try {
    return readBook(xml);
  } catch (e) {
    // The server says it better: what is wrong, and where.
    const error = await host.call("render_document", { file_path: path }).then(() => e, (said) => said);
    throw Object.assign(error, { raw: xml });
  }
}

export function View({ value: book, before }) {
  const fresh = useMemo(() => freshParagraphs(before, book), [book]);
  return (
    <div class="book">
      <Outline book={book} />
      <div class="prose">
        <p class="premise">{book.summary}</p>
        {book.parts.map((c, i) => (
          <section key={c.attributes.id} id={c.attributes.id}>
            <h2><span class="quiet">Chapter {i + 1}</span><br />{c.attributes.title}</h2>
            {isPlanned(c) && <p class="planned">{c.summary}</p>}
            {c.parts.map((s) => <Sequence key={s.attributes.id} node={s} fresh={fresh} />)}
          </section>
        ))}
      </div>
    </div>
  );
}
