// view.jsx: a note, rendered; its links to walk, what links here, its tags and properties.
import { Markdown } from "../../parts/markdown.jsx";
import { documents } from "../../documents.js";
import { documentAddress } from "../../router.js";
import { fileName, folderOf, plural } from "../../words.js";

export async function load(host, path) {
  const [text, back] = await Promise.all([
    host.read(`notes:///${path.split("/").map(encodeURIComponent).join("/")}`),
    host.call("get_backlinks", { id: path, limit: 100 }).then((r) => r.data, () => ({ links: [], total: 0 })),
  ]);
  return { ...parted(text), back };
}

// Front matter and text.
function parted(source) {
  const m = /^---[ \t]*\r?\n([^]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(source);
  return m ? { properties: m[1], text: source.slice(m[0].length) } : { properties: "", text: source };
}

// Where a link leads, among the notes there are: as written, with the ending, below the note's own folder, by name.
export function target(name, from, paths) {
  const wanted = [name, `${name}.md`].flatMap((n) => [n, folderOf(from) ? `${folderOf(from)}/${n}` : n].map((p) => p.normalize("NFC").toLowerCase()));
  const lower = (p) => p.normalize("NFC").toLowerCase();
  return paths.find((p) => wanted.includes(lower(p))) ??
    paths.filter((p) => [lower(`${name}.md`), lower(name)].some((n) => lower(p).endsWith("/" + n) || lower(p) === n)).sort((a, b) => a.length - b.length)[0];
}

export function View({ path, value: { properties, text, back } }) {
  const paths = documents.use().items.filter((d) => d.kind === "notes").map((d) => d.path);
  const link = ({ name, place, shown, isEmbed }) => {
    const to = name ? target(name.replace(/^\.\//, ""), path, paths) : path;
    return to ? <a class="wiki" href={documentAddress(to)} title={isEmbed ? `embedded: ${to}` : to + place}>{shown}</a> : <span class="wiki missing" title="no such note">{shown}</span>;
  };
  return (
    <div class="notebook">
      <article class="prose">
        {properties && <details class="properties"><summary>Properties</summary><pre class="mono">{properties}</pre></details>}
        <Markdown text={text} link={link} />
      </article>
      <section class="back" aria-label="Links to this note">
        <h2>{plural(back.total, "note")} link{back.total === 1 ? "s" : ""} here</h2>
        <ul>{back.links.map((l) => <li key={l.id + l.line}><a href={documentAddress(l.id)}>{l.title || fileName(l.id)}</a><p class="small quiet">{l.context}</p></li>)}</ul>
      </section>
    </div>
  );
}
