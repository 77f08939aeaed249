// view.jsx: a manual: its outline, its blocks with labels and references to follow, and the audit trail with its proof.
import { useState } from "preact/hooks";
import { Failure, Waiting } from "../../parts/failure.jsx";
import { useLoaded } from "../../store.js";
import { ago, moment, plural } from "../../words.js";

export async function load(host, id) {
  const { data } = await host.call("mcp_docjl_get_document", { document_id: id });
  return { warnings: data._warnings, document: data.document, proof: await host.call("mcp_docjl_verify_audit", { document_id: id }).then((r) => r.data, () => null) };
}

const anchor = (label) => `b-${label}`;
const safe = (href) => /^(https?:|mailto:)/i.test(href ?? "");

function Inline({ content }) {
  if (typeof content === "string") return content;
  return (content ?? []).map((c) => {
    switch (c.type) {
      case "bold": return <strong>{c.content}</strong>;
      case "italic": return <em>{c.content}</em>;
      case "code": return <code>{c.content}</code>;
      case "link": return safe(c.href) ? <a href={c.href} target="_blank" rel="noreferrer noopener">{c.content}</a> : <span title={c.href}>{c.content}</span>;
      case "ref": return <a class="ref" href={`#${anchor(c.target)}`}>{c.content || c.target}</a>;
      default: return c.content ?? "";
    }
  });
}

const Items = ({ block }) => {
  const L = block.ordered ? "ol" : "ul";
  return <L>{(block.items ?? []).map((item) => <li><Inline content={item?.content ?? item} />{item?.items && <Items block={{ ordered: block.ordered, items: item.items }} />}</li>)}</L>;
};

function Body({ block, depth }) {
  const H = `h${Math.min(6, (block.level ?? depth) + 1)}`;
  switch (block.type) {
    case "heading": return <H><Inline content={block.content} /></H>;
    case "section": return <H>{block.title}</H>;
    case "paragraph": return <p><Inline content={block.content} /></p>;
    case "list": return <Items block={block} />;
    case "table": return (
      <table tabindex="0">{block.caption && <caption>{block.caption}</caption>}
        <thead><tr>{(block.headers ?? []).map((h) => <th scope="col"><Inline content={h} /></th>)}</tr></thead>
        <tbody>{(block.rows ?? []).map((r) => <tr>{r.map((c) => <td><Inline content={c} /></td>)}</tr>)}</tbody></table>
    );
    case "code": return <pre tabindex="0"><code>{block.content}</code></pre>;
    case "image": return <p class="picture">picture: {block.caption || block.alt || block.src}</p>;
    case "reference": return <p><a class="ref" href={`#${anchor(block.target)}`}><Inline content={block.content ?? block.target ?? block.href} /></a></p>;
    default: return <pre class="mono">{JSON.stringify({ ...block, children: undefined }, null, 2)}</pre>;
  }
}

function Block({ block, depth }) {
  return (
    <div class="block" id={block.label ? anchor(block.label) : undefined}>
      {block.label && <span class="blabel small quiet">{block.label}</span>}
      <Body block={block} depth={depth} />
      {block.compliance_note && <p class="small compliance">{block.compliance_note}</p>}
      {(block.children ?? []).map((b, i) => <Block key={b.label ?? i} block={b} depth={depth + 1} />)}
    </div>
  );
}

const Outline = ({ blocks }) => {
  const heads = (blocks ?? []).filter((b) => b.type === "heading" || b.type === "section");
  if (!heads.length) return null;
  return <ol>{heads.map((b) => <li key={b.label}><a href={`#${anchor(b.label)}`}>{b.title ?? <Inline content={b.content} />}</a><Outline blocks={b.children} /></li>)}</ol>;
};

function Trail({ id, host, at }) {
  const { value, error, again } = useLoaded(async () => (await host.call("mcp_docjl_get_audit_log", { document_id: id, limit: 50 })).data, [id, at]);
  if (error) return <Failure error={error} again={again} />;
  if (!value) return <Waiting />;
  return (
    <ol class="trail">{value.entries.map((e) => (
      <li key={e.audit_id}><strong>{e.operation}</strong> {e.block_label} <span class="quiet small">{e.user} · <time datetime={e.timestamp} title={moment(e.timestamp)}>{ago(e.timestamp)}</time></span></li>
    ))}</ol>
  );
}

export function View({ path, host, value: { document: manual, proof } }) {
  const [showsTrail, showTrail] = useState(false);
  return (
    <div class="manual">
      <p class="row"><strong>{manual.metadata?.title}</strong> <span class="quiet">version {manual.metadata?.version}</span>
        {proof && <span class={proof.valid ? "sound" : "broken"}>{proof.valid ? `the trail of ${plural(proof.entries, "entry", "entries")} is unbroken` : `the trail is altered: ${proof.reason}`}</span>}
        <button aria-pressed={showsTrail} onClick={() => showTrail(!showsTrail)}>Audit trail</button></p>
      {showsTrail && <Trail id={path} host={host} at={manual} />}
      <nav class="outline" aria-label="Outline"><Outline blocks={manual.docjll} /></nav>
      <div class="blocks">{manual.docjll.map((b, i) => <Block key={b.label ?? i} block={b} depth={1} />)}</div>
    </div>
  );
}
