// rail.jsx: the changes beside the document: what, who, when; undo, restore, redo.
import { useEffect, useRef, useState } from "preact/hooks";
import { changes, more, redo, restore, undo } from "../changes.js";
import { kindOf, kinds } from "../documents.js";
import { documentAddress } from "../router.js";
import { ago, fileName, hue, moment, plural, toolWords, who } from "../words.js";
import { toast } from "./toast.jsx";

export async function undoNow(change) {
  try {
    const { data } = await undo(change);
    toast(`Undone: ${summaryOf({ ...change, summary: data.summary || change.summary })}`, { label: "Redo", run: () => redoNow(change) });
  } catch (e) {
    // The tools' own advice names a tool; here it is a button.
    toast(e.message.replace(/[;,] file_\w+ .*$/s, "."), change.before
      ? { label: "Go back to before it", run: () => restoreNow({ ...change, revision: change.before }) } : {});
  }
}

async function redoNow(change) {
  try {
    await redo(change);
    toast("Done again.");
  } catch (e) {
    toast(e.message);
  }
}

export async function restoreNow(change) {
  try {
    const { data } = await restore(change);
    toast(data.changed ? `${fileName(change.path)} is as it was ${change.revision ? "before" : "after"} this change.` : "The document is like this already.",
      data.changed ? { label: "Undo", run: () => undoNow({ path: change.path, summary: "the restore" }) } : {});
  } catch (e) {
    toast(e.message);
  }
}

export function Author({ change }) {
  const name = who(change);
  return <span class={`author h${hue(name)}`}>{name}</span>;
}

// An undo is undone by the Redo of what it undid.
export const canUndo = (change) => !change.is_undone && !change.is_undo && change.before !== change.after && !(change.is_outside && !change.before);

// Only the newest undo of a document can be undone: that is the redo.
const canRedo = (change, all) => {
  const newest = change.is_undone && all.find((c) => c.path === change.path && c.is_undo && !c.is_undone);
  return Boolean(newest) && newest.summary.startsWith(`undo ${change.commit}:`);
};

// A summary begins with the tool that is named below it anyway.
export function summaryOf({ summary, tool, is_outside: isOutside, before }) {
  const undid = /^(undo|redo by undoing) \d+: (?:undo \d+: )?(?:\w+: )?([^]*)$/.exec(summary);
  if (undid) return `${undid[1] === "undo" ? "undid" : "did again"}: ${undid[2]}`;
  if (isOutside) return before ? "changed the document" : "was seen with new content";
  return tool && summary.startsWith(tool + ": ") ? summary.slice(tool.length + 2) : summary;
}

function Change({ change, chosen, redoable, writes, now }) {
  const kind = kindOf(change.path);
  const mark = useRef();
  useEffect(() => {
    if (chosen) mark.current.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <article ref={mark} class={`change${change.isNew ? " fresh" : ""}${change.is_undone ? " undone" : ""}`} aria-current={chosen ? "true" : undefined}>
      <p class="apart small"><Author change={change} /><time datetime={change.time} title={moment(change.time)} class="quiet">{ago(change.time, now)}</time></p>
      <p class="what"><a href={documentAddress(change.path, { view: "diff", at: change.commit })}>{summaryOf(change)}</a></p>
      <p class="small quiet">
        <a href={documentAddress(change.path)}>{fileName(change.path)}</a>
        {change.files > 1 && ` and ${plural(change.files - 1, "other file")}`}
        {change.tool && !change.is_outside && ` · ${toolWords(change.tool, kind)}`}
        {change.is_undone && " · undone"}
      </p>
      {writes && (
        <p class="row small">
          {canUndo(change) && <button onClick={() => undoNow(change)}>Undo</button>}
          {redoable && <button onClick={() => redoNow(change)}>Redo</button>}
          {change.after && <button class="plain" onClick={() => restoreNow(change)}>Restore this version</button>}
        </p>
      )}
    </article>
  );
}

// The first sight of a document is no change; quire records it just before a change of its own.
const isSight = (c, all) => c.is_outside && !c.before && all.some((o) => o.path === c.path && o.commit > c.commit && new Date(o.time) - new Date(c.time) < 2000);

export const shownOf = (items, filter) => items.filter((c) => !isSight(c, items) && isShown(filter)(c));
const isShown = (filter) => (c) =>
  (!filter.who || who(c) === filter.who) && (!filter.kind || kindOf(c.path) === filter.kind) && (!filter.path || c.path === filter.path);

function Filters({ items, filter, setFilter, path }) {
  const people = [...new Set(items.map(who))].sort();
  const kindsHere = kinds.filter((k) => items.some((c) => kindOf(c.path) === k.name));
  return (
    <div class="filters">
      <label class="hidden" for="by">By</label>
      <select id="by" value={filter.who ?? ""} onChange={(e) => setFilter({ ...filter, who: e.target.value })}>
        <option value="">everybody</option>
        {people.map((p) => <option key={p} value={p}>{p}</option>)}
      </select>
      <label class="hidden" for="of">Kind</label>
      <select id="of" value={filter.kind ?? ""} onChange={(e) => setFilter({ ...filter, kind: e.target.value })}>
        <option value="">all kinds</option>
        {kindsHere.map((k) => <option key={k.name} value={k.name}>{k.title}</option>)}
      </select>
      {path && <button aria-pressed={filter.path === path} onClick={() => setFilter({ ...filter, path: filter.path === path ? null : path })}>This document</button>}
    </div>
  );
}

export function Rail({ writes, place, chosen, filter, setFilter, isGone, close }) {
  const { items, next, loaded, error } = changes.use();
  const rail = useRef();
  const [seen, setSeen] = useState(0);
  const [now, setNow] = useState(Date.now());
  const shown = shownOf(items, filter);
  const newest = shown[0]?.commit ?? 0;
  const atTop = () => (rail.current?.scrollTop ?? 0) < 40;

  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), 20000);
    return () => clearInterval(clock);
  }, []);
  useEffect(() => {
    if (atTop()) setSeen(newest);
  }, [newest]);
  const waiting = seen ? shown.filter((c) => c.commit > seen).length : 0;
  // A change that arrives while one reads further down is counted, and moves nothing.
  const visible = waiting && !atTop() ? shown.filter((c) => c.commit <= seen) : shown;

  return (
    <section class="rail" aria-label="Changes" ref={rail} tabindex="-1" onScroll={() => atTop() && setSeen(newest)}>
      <header>
        <div class="apart">
          <h2>Changes</h2>
          <span class={`small quiet live${isGone ? " gone" : ""}`}>{isGone ? "no connection" : "live"}</span>
          <button class="plain only-narrow" onClick={close}>Close</button>
        </div>
        <Filters items={items} filter={filter} setFilter={setFilter} path={place.page === "document" ? place.path : null} />
      </header>
      {visible !== shown && <button class="pill" onClick={() => { rail.current.scrollTo({ top: 0 }); setSeen(newest); }}>{plural(waiting, "new change")}</button>}
      {error && <p class="change">{error.message}</p>}
      {visible.map((c) => <Change key={c.commit} change={c} chosen={chosen === c.commit} redoable={canRedo(c, items)} writes={writes} now={now} />)}
      {loaded && !shown.length && !error && <p class="change quiet">{items.length ? "No change fits the filter." : "Nothing has changed yet. What an agent writes appears here."}</p>}
      {next && <p class="change"><button onClick={more}>Older changes</button></p>}
    </section>
  );
}
