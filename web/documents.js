// documents.js: the documents below the roots, and those that a kind keeps elsewhere (its kind.js lists them).
import { call } from "./host.js";
import kinds from "quire:kinds";
import { store } from "./store.js";

const MOST = 5000; // a list for eyes; the search box finds the rest
export const documents = store({ items: [], total: 0, loaded: false, error: null });

async function files() {
  const items = [];
  let after, total = 0;
  do {
    const { data } = await call("file_list", { limit: 500, ...(after ? { after } : {}) });
    items.push(...data.files);
    ({ next: after, total } = data);
  } while (after && items.length < MOST);
  return { items, total };
}

export async function refreshDocuments(served) {
  try {
    const { items, total } = await files();
    for (const k of kinds)
      if (k.list && served.includes(k.name)) items.push(...(await k.list().catch(() => [])).map((d) => ({ ...d, kind: k.name })));
    documents.set({ items, total: Math.max(total, items.length), loaded: true, error: null });
  } catch (error) {
    documents.set((was) => ({ ...was, loaded: true, error }));
  }
}

export const kindNamed = (name) => kinds.find((k) => k.name === name);
export const kindOf = (path) => documents.get().items.find((d) => d.path === path)?.kind ?? kinds.find((k) => k.owns?.(path))?.name;
export { kinds };
