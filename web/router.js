// router.js: an address for every state of the page, so that back, reload and a link sent to a colleague work.
//
//   /                        all documents
//   /kind/KIND               the documents of one kind
//   /d/PATH?view=diff&at=N   a document; with a change, its diff
import { useEffect, useState } from "preact/hooks";

export const documentAddress = (path, query = {}) => {
  const words = new URLSearchParams(Object.entries(query).filter(([, v]) => v !== undefined && v !== null && v !== "")).toString();
  return "/d/" + path.split("/").map(encodeURIComponent).join("/") + (words ? "?" + words : "");
};

function readPath(path) {
  try {
    return path.split("/").map(decodeURIComponent).join("/");
  } catch {
    return null;
  }
}

export function here() {
  const { pathname, search } = location;
  const query = Object.fromEntries(new URLSearchParams(search));
  if (pathname === "/") return { page: "start", query };
  if (pathname.startsWith("/kind/")) return { page: "kind", kind: readPath(pathname.slice(6)), query };
  const path = pathname.startsWith("/d/") ? readPath(pathname.slice(3)) : null;
  return path ? { page: "document", path, query } : { page: "missing", query };
}

const listeners = new Set();
const tell = () => listeners.forEach((run) => run(here()));
addEventListener("popstate", tell);

export function go(address, { replace = false } = {}) {
  if (address === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", address);
  tell();
}

export function usePlace() {
  const [place, set] = useState(here);
  useEffect(() => {
    listeners.add(set);
    return () => listeners.delete(set);
  }, []);
  return place;
}

// A link within the page: a click moves without loading, a middle click opens a tab as always.
export function followLink(event) {
  const a = event.target.closest?.("a[href]");
  if (!a || a.origin !== location.origin || a.target || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (a.getAttribute("href").startsWith("#")) return;
  event.preventDefault();
  go(a.pathname + a.search);
}
