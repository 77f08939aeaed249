// toast.jsx: what was just done, with the way back, for ten seconds.
import { store } from "../store.js";

const LASTS = 10000;
const toasts = store([]);
let serial = 0;

export function toast(words, { label, run } = {}) {
  const id = ++serial;
  const end = () => toasts.set((all) => all.filter((t) => t.id !== id));
  toasts.set((all) => [...all.slice(-2), { id, words, label, run: run && (() => { end(); run(); }) }]);
  setTimeout(end, LASTS);
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.use().map((t) => (
        <div class="toast" key={t.id}>
          <span>{t.words}</span>
          {t.run && <button onClick={t.run}>{t.label}</button>}
        </div>
      ))}
    </div>
  );
}
