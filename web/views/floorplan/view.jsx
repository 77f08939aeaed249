// view.jsx: a plan as a drawing that zooms and pans, the reviewer's findings, and the text of the plan beside it. The drawing is
// a picture to the browser: nothing in it can run.
import { useEffect, useRef, useState } from "preact/hooks";
import { useLoaded } from "../../store.js";
import { Failure, Waiting } from "../../parts/failure.jsx";

const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;

export async function load(host, path) {
  const [{ data, text }, review] = await Promise.all([
    host.call("read_floorplan", { file_path: path }),
    host.call("critique_floorplan", { file_path: path }).then((r) => r.data, (error) => ({ error, findings: [] })),
  ]);
  return { lines: (data?.text ?? text).split("\n").map((l) => l.replace(/^\d+\t/, "")), review };
}

function Drawing({ path, host, floor, theme, at }) {
  const drawn = useLoaded(async () => {
    const args = { file_path: path, format: "svg", width: 1600, theme, ...(floor === "all" ? { renderAllFloors: true } : { floorIndex: floor }) };
    const { resources, data } = await host.call("render_floorplan", args);
    return { src: `data:image/svg+xml,${encodeURIComponent(resources[0].text)}`, floors: data?.floorCount ?? 1, title: data?.title };
  }, [path, floor, theme, at]);
  const [view, setView] = useState({ x: 0, y: 0, scale: 1 });
  const drag = useRef(null), box = useRef();
  const zoom = (by) => setView((v) => ({ ...v, scale: Math.min(12, Math.max(0.25, v.scale * by)) }));
  const move = (x, y) => setView((v) => ({ ...v, x: v.x + x, y: v.y + y }));
  const moves = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };

  useEffect(() => {
    const el = box.current;
    const wheel = (e) => { if (!e.ctrlKey && !e.metaKey) return; e.preventDefault(); zoom(e.deltaY < 0 ? 1.15 : 1 / 1.15); };
    el.addEventListener("wheel", wheel, { passive: false });
    return () => el.removeEventListener("wheel", wheel);
  }, []);
  return (
    <figure>
      <p class="row" role="group" aria-label="Zoom">
        <button onClick={() => zoom(1.3)} aria-label="Zoom in">+</button><button onClick={() => zoom(1 / 1.3)} aria-label="Zoom out">−</button>
        <button onClick={() => setView({ x: 0, y: 0, scale: 1 })}>Whole plan</button>
        <span class="small quiet">drag to move; Ctrl and the wheel zoom</span>
      </p>
      <div class="sheet" ref={box} tabindex="0" role="group" aria-label="Drawing; arrow keys move it"
        onKeyDown={(e) => moves[e.key] && (e.preventDefault(), move(...moves[e.key]))}
        onPointerDown={(e) => { drag.current = [e.clientX, e.clientY]; box.current.setPointerCapture(e.pointerId); }}
        onPointerMove={(e) => { if (!drag.current) return; move(e.clientX - drag.current[0], e.clientY - drag.current[1]); drag.current = [e.clientX, e.clientY]; }}
        onPointerUp={() => { drag.current = null; }} onPointerCancel={() => { drag.current = null; }}>
        {drawn.value ? <img src={drawn.value.src} alt={`Plan ${drawn.value.title ?? path}`} draggable={false}
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }} /> : drawn.error ? <Failure error={drawn.error} /> : <Waiting what="Drawing…" />}
      </div>
    </figure>
  );
}

const floorsOf = (lines) => lines.map((l) => /^\s*floor\s+([^\s{]+)/.exec(l)?.[1]).filter(Boolean);

function Findings({ review, chosen, choose }) {
  if (review.error) return <Failure error={review.error} />;
  if (!review.findings.length) return <p class="quiet">The reviewer finds nothing.</p>;
  return (
    <ul class="findings">
      {review.findings.map((f, i) => (
        <li key={i}>
          <button class={`plain finding ${f.severity}`} aria-pressed={chosen === i} onClick={() => choose(chosen === i ? null : i)}>
            <strong>{f.severity}</strong> <span>{f.message}</span>
            {f.rule && <span class="small quiet">{f.rule}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}

export function View({ path, host, value: { lines, review } }) {
  const floors = floorsOf(lines);
  const [floor, setFloor] = useState(0);
  const [theme, setTheme] = useState(dark() ? "dark" : "default");
  const [chosen, choose] = useState(null);
  const finding = chosen === null ? null : review.findings[chosen];
  const words = finding ? [finding.room, ...(finding.rooms ?? [])].filter(Boolean) : [];
  const marked = (line, i) => finding && (finding.line === i + 1 || words.some((w) => new RegExp(`\\b${w.replace(/[^\p{L}\p{N}_]/gu, "\\$&")}\\b`, "u").test(line)));
  return (
    <div class="plan">
      <div>
        <p class="row">
          <label class="row">Floor <select value={floor} onChange={(e) => setFloor(e.target.value === "all" ? "all" : Number(e.target.value))}>
            {floors.map((f, i) => <option key={i} value={i}>{f}</option>)}{floors.length > 1 && <option value="all">all floors</option>}
          </select></label>
          <label class="row">Theme <select value={theme} onChange={(e) => setTheme(e.target.value)}>{["default", "dark", "blueprint"].map((t) => <option key={t}>{t}</option>)}</select></label>
        </p>
        <Drawing path={path} host={host} floor={floor} theme={theme} at={lines} />
        <h2>Review</h2>
        <Findings review={review} chosen={chosen} choose={choose} />
      </div>
      <section aria-label="Text of the plan">
        <pre class="mono source" tabindex="0">{lines.map((l, i) => <span key={i} class={marked(l, i) ? "marked" : undefined}><span class="count" aria-hidden="true">{i + 1}</span>{l + "\n"}</span>)}</pre>
      </section>
    </div>
  );
}
