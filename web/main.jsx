// main.jsx: the start of the page: who is here, then the shell: documents, the document, changes.
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { changes, refresh } from "./changes.js";
import { kinds, refreshDocuments } from "./documents.js";
import { on } from "./host.js";
import { onChange, start } from "./live.js";
import { Document } from "./parts/document.jsx";
import { Keys, useKeys } from "./parts/keys.jsx";
import { Login } from "./parts/login.jsx";
import { canUndo, Rail, shownOf, undoNow } from "./parts/rail.jsx";
import { Start } from "./parts/start.jsx";
import { Toasts } from "./parts/toast.jsx";
import { Tree } from "./parts/tree.jsx";
import { documentAddress, followLink, go, usePlace } from "./router.js";
import { enterOnce, forget, leave, whoami } from "./session.js";
import "./theme.css";
import "./base.css";

function Missing() {
  return <div class="body"><div class="start"><h1>There is nothing at this address</h1><p><a href="/">All documents</a></p></div></div>;
}

function Page({ place, writes }) {
  if (place.page === "document") return <Document place={place} writes={writes} />;
  if (place.page === "start" || place.page === "kind") return <Start only={place.kind} />;
  return <Missing />;
}

function Shell({ me, locked }) {
  const place = usePlace();
  const search = useRef(), main = useRef();
  const { items } = changes.use();
  const [filter, setFilter] = useState({});
  const [chosen, choose] = useState(null);
  const [open, setOpen] = useState(null); // narrow screens: "nav" or "rail"
  const [isGone, setGone] = useState(false);
  const [showsKeys, showKeys] = useState(false);
  const shown = shownOf(items, filter);
  const change = shown.find((c) => c.commit === chosen);

  useEffect(() => {
    const load = () => Promise.all([refreshDocuments(me.kinds), refresh()]);
    let later = null;
    load();
    const ends = [start(), on("gone", () => setGone(true)), on("back", () => setGone(false)), on("locked", locked),
      onChange(() => { later ??= setTimeout(() => { later = null; refreshDocuments(me.kinds); }, 400); })];
    return () => ends.forEach((end) => end());
  }, [me]);
  useEffect(() => {
    setOpen(null);
    main.current.scrollTo?.({ top: 0 });
    if (place.page !== "document") document.title = "quire";
  }, [place.page, place.path, place.query.view, place.query.at]);

  const step = (by) => {
    const at = shown.findIndex((c) => c.commit === chosen);
    choose(shown[Math.min(Math.max(at < 0 ? 0 : at + by, 0), shown.length - 1)]?.commit ?? null);
  };
  useKeys({
    "/": () => { setOpen("nav"); search.current.focus(); },
    j: () => step(1), k: () => step(-1),
    Enter: (e) => (!change || e.target !== document.body ? false : go(documentAddress(change.path))),
    d: () => change && go(documentAddress(change.path, { view: "diff", at: change.commit })),
    u: () => me.writes && change && canUndo(change) && undoNow(change),
    "g *": (e) => { const k = kinds.find((one) => one.key === e.key); if (k) go(`/kind/${k.name}`); },
    Escape: (e) => { if (e.target !== document.body) e.target.blur(); else if (open) setOpen(null); else if (chosen) choose(null); else history.back(); },
    "?": () => showKeys(true),
  });

  return (
    <div class={`shell${open ? ` ${open}-open` : ""}`} onClick={followLink}>
      <nav aria-label="Documents"><Tree place={place} served={me.kinds} search={search} />
        <p class="folder small">{me.name && <>{me.name} · </>}{!me.writes && <>reading room · </>}<button class="plain small" onClick={() => showKeys(true)}>Keys</button>
          {me.needs_key && <button class="plain small" onClick={async () => { await leave(); location.reload(); }}>Log out</button>}</p>
      </nav>
      <main ref={main} tabindex="-1">
        {isGone && <p class="banner" role="alert">The server does not respond. What you see may be old; the page tries again.</p>}
        <Page place={place} writes={me.writes && !isGone} />
      </main>
      <Rail writes={me.writes && !isGone} place={place} chosen={chosen} filter={filter} setFilter={setFilter} isGone={isGone} close={() => setOpen(null)} />
      <div class="tabs" role="group" aria-label="Parts of the page">
        <button aria-pressed={open === "nav"} onClick={() => setOpen(open === "nav" ? null : "nav")}>Documents</button>
        <button aria-pressed={!open} onClick={() => setOpen(null)}>Read</button>
        <button aria-pressed={open === "rail"} onClick={() => setOpen(open === "rail" ? null : "rail")}>Changes</button>
      </div>
      <Toasts />
      {showsKeys && <Keys close={() => showKeys(false)} />}
    </div>
  );
}

function App({ first }) {
  const [me, setMe] = useState(first.me);
  const [why, setWhy] = useState(first.why);
  // What was typed stays: the shell is kept below the login.
  const [isLocked, lock] = useState(!first.me);
  const locked = () => { forget(); setWhy("This visit has ended: the key expired or was removed, or the server made a new one when it started."); lock(true); };
  return (
    <>
      {isLocked && <Login why={why} entered={(entered) => { setMe(entered); lock(false); }} />}
      {me && <div hidden={isLocked}><Shell me={me} locked={locked} /></div>}
    </>
  );
}

// The one-time link has its secret behind the #, so no log sees it; it leaves the address at once.
async function begin() {
  const once = /^#once=([\w-]+)$/.exec(location.hash)?.[1];
  if (once) history.replaceState(null, "", location.pathname + location.search);
  try {
    return { me: once ? await enterOnce(once).catch(() => whoami()) : await whoami() };
  } catch (e) {
    if (e.status === 401) return { why: once ? "This link was used already, or the server has started again." : null };
    return { why: e.status ? e.message : "The server does not respond." };
  }
}

begin().then((first) => render(<App first={first} />, document.getElementById("page")));
