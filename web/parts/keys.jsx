// keys.jsx: everything by keyboard, and the list of it.
import { useEffect, useRef } from "preact/hooks";
import { kinds } from "../documents.js";

export const keyList = [
  ["/", "search"], ["j  k", "next and previous change"], ["Enter", "open the document of the change"], ["d", "what the change did"],
  ["u", "undo the change"], ...kinds.map((k) => [`g  ${k.key}`, k.title.toLowerCase()]), ["Esc", "back"], ["?", "this list"],
];

export function Keys({ close }) {
  const box = useRef();
  useEffect(() => box.current.showModal(), []);
  return (
    <dialog ref={box} onClose={close} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl>{keyList.map(([k, what]) => <><dt>{k.split("  ").map((one) => <kbd>{one}</kbd>)}</dt><dd>{what}</dd></>)}</dl>
      <p class="row"><button onClick={() => box.current.close()}>Close</button></p>
    </dialog>
  );
}

const isTyping = (e) => /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) || e.target.isContentEditable;

// `run` has a function for each key; "g" waits for one more key.
export function useKeys(run) {
  const newest = useRef(run);
  newest.current = run;
  useEffect(() => {
    let waiting = 0;
    const press = (e) => {
      if (e.metaKey || e.ctrlKey || e.altKey || (isTyping(e) && e.key !== "Escape")) return;
      const name = Date.now() - waiting < 1500 ? "g " + e.key : e.key;
      waiting = e.key === "g" && !name.startsWith("g ") ? Date.now() : 0;
      const found = newest.current[name] ?? (name.startsWith("g ") ? newest.current["g *"] : null);
      if (found && found(e) !== false) e.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
