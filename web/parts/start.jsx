// start.jsx: all documents as cards; without any, how to begin.
import { documents } from "../documents.js";
import { documentAddress } from "../router.js";
import { ago, bytes, fileName, folderOf, plural } from "../words.js";
import { byKind } from "./tree.jsx";

const SHOWN = 60;

function Begin() {
  const config = JSON.stringify({ mcpServers: { quire: { type: "http", url: `${location.origin}/mcp`, headers: { Authorization: "Bearer YOUR-KEY" } } } }, null, 2);
  return (
    <div class="start">
      <h1>No documents yet</h1>
      <p>Connect an agent with this configuration, then say to it: “Write a note about today in the folder that quire serves.”</p>
      <pre class="mono" tabindex="0">{config}</pre>
    </div>
  );
}

export function Start({ only }) {
  const { items, loaded, error } = documents.use();
  const kinds = byKind(items).filter((k) => !only || k.name === only);
  if (error) return <div class="body"><p class="note">{error.message}</p></div>;
  if (!loaded) return <div class="body" />;
  if (!items.length) return <div class="body"><Begin /></div>;
  return (
    <div class="body">
      <h1 class="hidden">Documents</h1>
      {kinds.map((k) => (
        <section key={k.name} aria-label={k.title} class="kind">
          <h2 class="apart"><span>{k.title}</span><span class="small quiet">{plural(k.items.length, "document")}</span></h2>
          <div class="cards">
            {k.items.slice(0, only ? 500 : SHOWN).map((d) => (
              <a key={d.path} href={documentAddress(d.path)}>
                <strong>{d.title || fileName(d.path).replace(/\.[^.]+$/, "")}</strong>
                <span class="small quiet">{folderOf(d.path) && `${folderOf(d.path)}/ · `}{d.size !== undefined && bytes(d.size)}{d.modified && ` · ${ago(d.modified)}`}</span>
              </a>
            ))}
          </div>
          {!only && k.items.length > SHOWN && <p><a href={`/kind/${k.name}`}>All {plural(k.items.length, "document")}</a></p>}
        </section>
      ))}
    </div>
  );
}
