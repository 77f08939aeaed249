// changes.js: the changes of all documents, newest first, as the history has them.
import { call } from "./host.js";
import { onChange } from "./live.js";
import { store } from "./store.js";

const PAGE = 50;
export const changes = store({ items: [], next: null, loaded: false, error: null });

const fetchPage = async (before) => {
  const { data } = await call("file_history", { limit: PAGE, ...(before ? { before } : {}) });
  return data;
};

// Reads the newest page again and keeps what was read before below it.
export async function refresh() {
  try {
    const { commits, next } = await fetchPage();
    changes.set((was) => {
      const oldest = commits.at(-1)?.commit ?? 0;
      const older = was.items.filter((c) => c.commit < oldest);
      const known = new Set(was.items.map((c) => c.commit));
      return { items: [...commits.map((c) => ({ ...c, isNew: was.loaded && !known.has(c.commit) })), ...older],
        next: older.length ? was.next : next ?? null, loaded: true, error: null };
    });
  } catch (error) {
    changes.set((was) => ({ ...was, loaded: true, error }));
  }
}

export async function more() {
  const { next, items } = changes.get();
  if (!next) return;
  const page = await fetchPage(next);
  changes.set((was) => was.items.length === items.length ? { ...was, items: [...was.items, ...page.commits], next: page.next ?? null } : was);
}

let pending = null;
// Fifty changes a second are one reading, not fifty.
onChange(() => {
  pending ??= setTimeout(() => {
    pending = null;
    refresh();
  }, 60);
});

const undoOne = (change, redo) => call("file_undo", { file_path: change.path, ...(redo ? { redo: true } : { commit: change.commit }) });
export const undo = (change) => undoOne(change, false);
export const redo = (change) => undoOne(change, true);
// The state after the change; with a revision, that one.
export const restore = ({ path, commit, revision }) => call("file_restore", { file_path: path, ...(revision ? { revision } : { commit }) });
