// view.jsx: a Word file as rows, with the numbers that Word prints, insertions and deletions, comments in the margin, and the
// draft that waits to be saved.
import { useState } from "preact/hooks";
import { toast } from "../../parts/toast.jsx";
import { Failure } from "../../parts/failure.jsx";
import { plural } from "../../words.js";

const PAGE = 400;

export async function load(host, path) {
  const [{ data: rows }, comments, status] = await Promise.all([
    host.call("read_file", { file_path: path, format: "json", limit: PAGE }),
    host.call("get_comments", { file_path: path }).then((r) => r.data, () => ({})),
    host.call("get_session_status", { file_path: path }).then((r) => r.data, () => ({})),
  ]);
  return { rows, comments: comments.comments ?? [], status };
}

// The tags that read_file puts into text: a fixed few, read here into elements; everything else is text.
const shapes = { b: "strong", i: "em", u: "u", ins: "ins", del: "del", s: "s", sup: "sup", sub: "sub" };
function formatted(text) {
  const root = { children: [] }, stack = [root];
  for (const [part] of (text ?? "").matchAll(/<\/?[a-z]+(?: [^<>]*)?>|[^<]+|</g)) {
    const [, close, name] = /^<(\/?)([a-z]+)/.exec(part) ?? [];
    if (name && close && stack.some((n) => n.name === name)) while (stack.pop().name !== name);
    else if (name && !close && part.endsWith(">")) {
      const node = { name, children: [] };
      stack.at(-1).children.push(node);
      stack.push(node);
    } else if (!name) stack.at(-1).children.push(part.replace(/&(lt|gt|amp);/g, (a, n) => ({ lt: "<", gt: ">", amp: "&" })[n]));
  }
  const shown = (n) => {
    if (typeof n === "string") return n;
    const E = shapes[n.name] ?? "span";
    return <E>{n.children.map(shown)}</E>;
  };
  return root.children.map(shown);
}

const level = (row) => /heading (\d)/i.exec(row.paragraph_style_name ?? "")?.[1];

function Draft({ status, host, path, again, writes }) {
  const [error, setError] = useState(null);
  if (!status.edit_count) return null;
  const act = async (what, done) => {
    try {
      await what();
      setError(null);
      toast(done);
      again();
    } catch (e) {
      setError(e);
    }
  };
  const save = (mode, ending) => act(async () => {
    const to = ending ? path.replace(/(\.\w+)$/, `${ending}$1`) : path;
    await host.call("save", { file_path: path, save_to_local_path: to, save_format: mode, allow_overwrite: true });
  }, mode === "clean" ? "The draft is saved." : "The redline is saved beside the document.");
  return (
    <section class="note draft" aria-label="Draft">
      <p>{plural(status.edit_count, "edit")} wait{status.edit_count === 1 ? "s" : ""} to be saved.</p>
      {error && <Failure error={error} />}
      {writes && <p class="row">
        <button class="main" onClick={() => save("clean")}>Save clean</button>
        <button onClick={() => save("tracked", " redline")}>Save redline</button>
        <button onClick={() => act(() => host.call("clear_session", { session_id: status.session_id, confirm: true }), "The draft is discarded.")}>Discard</button>
      </p>}
    </section>
  );
}

export function View({ path, host, value: { rows, comments, status }, again, writes }) {
  const [more, setMore] = useState([]);
  const [next, setNext] = useState(rows.has_more ? rows.next_offset ?? PAGE + 1 : null);
  const nodes = [...(rows.nodes ?? []), ...more];
  const noted = Map.groupBy(comments, (c) => c.anchor_node_id ?? c.node_id ?? c.paragraph_id ?? "");
  const readOn = async () => {
    const { data } = await host.call("read_file", { file_path: path, format: "json", limit: PAGE, offset: next });
    setMore((m) => [...m, ...data.nodes]);
    setNext(data.has_more ? data.next_offset : null);
  };
  return (
    <div class="word">
      <Draft status={status} host={host} path={path} again={again} writes={writes} />
      <div class="leaf">
        {nodes.map((n) => {
          const H = level(n) ? `h${Math.min(6, Number(level(n)) + 1)}` : "p";
          return (
            <div class="wrow" key={n.id}>
              <H class={n.table_context ? "cell" : undefined}>
                {n.list_label && <span class="label">{n.list_label} </span>}{formatted(n.text)}
              </H>
              {(noted.get(n.id) ?? []).map((c, i) => <aside key={i} class="comment small"><strong>{c.author}</strong> {c.text}</aside>)}
            </div>
          );
        })}
        {next && <p><button onClick={readOn}>Read on: {plural(rows.total_paragraphs - nodes.length, "more paragraph")}</button></p>}
      </div>
      {(noted.get("") ?? []).map((c, i) => <aside key={i} class="comment small"><strong>{c.author}</strong> {c.text}</aside>)}
    </div>
  );
}
