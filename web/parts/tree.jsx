// tree.jsx: the documents by kind and folder, with the search box over their names and over what each kind can search.
import { useEffect, useState } from "preact/hooks";
import { documents, kinds } from "../documents.js";
import { documentAddress } from "../router.js";
import { fileName, folderOf, number } from "../words.js";

const SHOWN = 200; // of a folder; the search box finds the rest

function Entry({ document: d, place, withFolder }) {
  const isHere = place.page === "document" && place.path === d.path;
  return (
    <li>
      <a href={documentAddress(d.path)} aria-current={isHere ? "page" : undefined} title={d.path}>
        {d.title || fileName(d.path)}
        {withFolder && folderOf(d.path) && <span class="quiet small"> {folderOf(d.path)}</span>}
      </a>
    </li>
  );
}

function Folders({ items, place }) {
  const folders = Map.groupBy(items.slice(0, SHOWN), (d) => folderOf(d.path));
  return (
    <>
      {[...folders].map(([folder, inside]) => (
        <div key={folder}>
          {folder && <p class="folder">{folder}/</p>}
          <ul>{inside.map((d) => <Entry key={d.path} document={d} place={place} />)}</ul>
        </div>
      ))}
      {items.length > SHOWN && <p class="folder">and {number(items.length - SHOWN)} more: search for them</p>}
    </>
  );
}

export const byKind = (items) =>
  [...Map.groupBy(items, (d) => d.kind ?? "")].map(([name, inside]) => ({ name, title: kinds.find((k) => k.name === name)?.title ?? name,
    order: kinds.find((k) => k.name === name)?.order ?? 99, items: inside })).sort((a, b) => a.order - b.order);

export function Tree({ place, served, search }) {
  const { items, loaded } = documents.use();
  const [words, setWords] = useState("");
  const [found, setFound] = useState([]);
  const wanted = words.trim().toLowerCase();
  const named = wanted ? items.filter((d) => (d.path + " " + (d.title ?? "")).toLowerCase().includes(wanted)).slice(0, 50) : [];

  useEffect(() => {
    if (wanted.length < 3) return setFound([]);
    const end = new AbortController();
    const later = setTimeout(async () => {
      const lists = await Promise.all(kinds.filter((k) => k.find && served.includes(k.name)).map((k) => k.find(wanted, end.signal).catch(() => [])));
      if (!end.signal.aborted) setFound(lists.flat().slice(0, 20));
    }, 250);
    return () => { clearTimeout(later); end.abort(); };
  }, [wanted]);

  return (
    <>
      <a class="brand" href="/"><img src="/icon.svg" alt="" /> quire</a>
      <label class="hidden" for="search">Search</label>
      <input id="search" type="search" ref={search} placeholder="Search  /" value={words} onInput={(e) => setWords(e.target.value)} />
      {wanted ? (
        <div class="tree matches">
          <h2>Names</h2>
          {named.length ? <ul>{named.map((d) => <Entry key={d.path} document={d} place={place} withFolder />)}</ul> : <p class="folder">no name contains this</p>}
          {found.length > 0 && <h2>In documents</h2>}
          <ul>{found.map((f, i) => (
            <li key={i}><a href={documentAddress(f.path, f.query)}>{f.title}<span class="quiet small"> {f.snippet}</span></a></li>
          ))}</ul>
        </div>
      ) : (
        <div class="tree">
          {byKind(items).map((k) => (
            <div key={k.name}>
              <h2><a href={`/kind/${k.name}`}><span>{k.title}</span><span class="quiet">{number(k.items.length)}</span></a></h2>
              <Folders items={k.items} place={place} />
            </div>
          ))}
          {loaded && !items.length && <p class="folder">no documents yet</p>}
        </div>
      )}
    </>
  );
}
