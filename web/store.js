// store.js: a value that several parts show. Setting it shows it again everywhere.
import { useEffect, useState } from "preact/hooks";

export function store(value) {
  const shown = new Set();
  return {
    get: () => value,
    set(next) {
      value = typeof next === "function" ? next(value) : next;
      shown.forEach((show) => show(value));
    },
    use() {
      const [now, show] = useState(value);
      useEffect(() => {
        show(value);
        shown.add(show);
        return () => shown.delete(show);
      }, []);
      return now;
    },
  };
}

// A value that is loaded: {value} or {error}, and `again()` to load it once more. What is shown stays until the new value is
// here. `needs` are the values it depends on.
export function useLoaded(load, needs) {
  const [state, set] = useState({ loading: true });
  const [round, turn] = useState(0);
  useEffect(() => {
    const end = new AbortController();
    set((s) => ({ ...s, loading: true }));
    Promise.resolve(load(end.signal)).then(
      (value) => end.signal.aborted || set({ value }),
      (error) => end.signal.aborted || set((s) => ({ value: s.value, error })));
    return () => end.abort();
  }, [...needs, round]);
  return { ...state, again: () => turn((n) => n + 1) };
}
