// diff.jsx: what a change did, word by word. A kind's lines.js may say how a line of its format reads (prose instead of tags);
// the raw lines are one switch away. Nothing that changed is left out: what a kind's reading does not show stands as a tag.
import { diffWordsWithSpace } from "diff";
import { useEffect, useState } from "preact/hooks";
import { call } from "../host.js";
import { kindNamed } from "../documents.js";
import { useLoaded } from "../store.js";
import { plural } from "../words.js";
import { Failure, Waiting } from "./failure.jsx";

const WORDS_MAX = 20000; // characters of a line that are compared word by word

// A unified diff as hunks of lines: {sign, text}.
export function readDiff(text) {
  const hunks = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("@@")) hunks.push({ head: line, lines: [] });
    else if (hunks.length && /^[ +-]/.test(line)) hunks.at(-1).lines.push({ sign: line[0], text: line.slice(1) });
  }
  return hunks;
}

// Puts the removed lines of a run beside the added ones, in order.
function paired(lines) {
  const out = [];
  for (let i = 0; i < lines.length; ) {
    if (lines[i].sign === " ") {
      out.push({ same: lines[i++].text });
      continue;
    }
    const from = i;
    while (lines[i]?.sign === "-") i++;
    const middle = i;
    while (lines[i]?.sign === "+") i++;
    const gone = lines.slice(from, middle), come = lines.slice(middle, i);
    for (let k = 0; k < Math.max(gone.length, come.length); k++) out.push({ before: gone[k]?.text, after: come[k]?.text });
  }
  return out;
}

function compared(before, after) {
  if (before.length + after.length > WORDS_MAX) return [{ removed: true, value: before }, { added: true, value: after }];
  return diffWordsWithSpace(before, after);
}

const Part = ({ part }) => part.added ? <ins>{part.value}</ins> : part.removed ? <del>{part.value}</del> : <>{part.value}</>;

// A line as its kind reads it is a list of pieces: {text} or {tag}. Pieces of two versions are paired by their place.
function Pieces({ before, after }) {
  const out = [];
  for (let i = 0; i < Math.max(before.length, after.length); i++) {
    const b = before[i], a = after[i];
    if (b && a && !b.tag === !a.tag && (b.tag ?? b.text) === (a.tag ?? a.text)) out.push(b.tag ? <span class="tag">{b.tag}</span> : b.text);
    else if (b?.text !== undefined && a?.text !== undefined) out.push(...compared(b.text, a.text).map((p) => <Part part={p} />));
    else out.push(b && (b.tag ? <del class="tag">{b.tag}</del> : <del>{b.text}</del>), a && (a.tag ? <ins class="tag">{a.tag}</ins> : <ins>{a.text}</ins>));
    out.push(" ");
  }
  return out;
}

function Line({ line, read }) {
  const pieces = (t) => (t === undefined ? [] : read ? read(t) : [{ text: t }]);
  if (line.same !== undefined) {
    const shown = pieces(line.same);
    return shown.length ? <div class="line">{shown.map((p) => p.tag ? <span class="tag">{p.tag}</span> : p.text)}</div> : null;
  }
  const sort = line.before === undefined ? "added" : line.after === undefined ? "removed" : "both";
  const before = pieces(line.before), after = pieces(line.after);
  if (!before.length && !after.length) return null;
  return (
    <div class={`line ${sort}`}>
      <span class="hidden">{sort === "both" ? "changed: " : sort + ": "}</span>
      <Pieces before={before} after={after} />
    </div>
  );
}

export function Hunks({ text, read }) {
  const hunks = readDiff(text);
  if (!hunks.length) return <p class="quiet">{text.trim() || "There is no difference."}</p>;
  return hunks.map((h, i) => (
    <div class={`hunk${read ? " read" : " mono"}`} key={i} role="group" aria-label={`Change ${i + 1} of ${hunks.length}`}>
      {paired(h.lines).map((line, k) => <Line key={k} line={line} read={read} />)}
    </div>
  ));
}

export function Diff({ path, kind, change }) {
  const [raw, setRaw] = useState(false);
  const [read, setRead] = useState(null);
  const range = change ? { ...(change.before ? { from: change.before } : { from: String(change.commit) }), to: change.after ?? String(change.commit) } : {};
  const { value, error, loading, again } = useLoaded(() => call("file_diff", { file_path: path, ...range }), [path, change?.commit]);

  useEffect(() => {
    setRead(null);
    kindNamed(kind)?.lines?.().then((m) => setRead(() => m.read));
  }, [kind]);
  if (change?.is_outside && !change.before) return <p class="quiet">This is how the document was when quire first saw it. What it was before is not known.</p>;
  if (!change && error) return <p class="quiet">Nothing has changed in this document since quire knows it.</p>;
  if (error) return <Failure error={error} again={again} />;
  if (!value) return <Waiting what="Comparing…" />;
  return (
    <div class="diff" aria-busy={loading}>
      {read && <p class="row"><label class="row"><input type="checkbox" checked={raw} onChange={(e) => setRaw(e.target.checked)} /> Raw lines</label></p>}
      {change?.files > 1 && <p class="quiet small">This change touched {plural(change.files, "file")}; this is {path}.</p>}
      <Hunks text={value.text} read={raw ? null : read} />
    </div>
  );
}
