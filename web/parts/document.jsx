// document.jsx: one document: its head, and its text or the diff of a change. The view of its kind is loaded when it is needed.
import { Component } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { changes } from "../changes.js";
import { documents, kindNamed, kindOf } from "../documents.js";
import * as host from "../host.js";
import { onChange } from "../live.js";
import { documentAddress } from "../router.js";
import { useLoaded } from "../store.js";
import { ago, bytes, fileName, folderOf, moment } from "../words.js";
import { Diff } from "./diff.jsx";
import { Failure, Waiting } from "./failure.jsx";
import { Author, summaryOf } from "./rail.jsx";

// A view that fails must not take the page with it.
class Fence extends Component {
  componentDidCatch(error) {
    this.setState({ error });
  }
  render() {
    return this.state.error ? <Failure error={this.state.error} again={() => this.setState({ error: null })} /> : this.props.children;
  }
}

function Reading({ path, kind, writes }) {
  const [module, setModule] = useState(null);
  const before = useRef();
  const loaded = useLoaded(async () => {
    const m = await kind.view();
    const bound = { call: (t, a, o) => host.call(t, a, { kind: kind.name, ...o }), read: (u) => host.read(u, { kind: kind.name }) };
    return { value: await m.load(bound, path), host: bound, module: m };
  }, [path, kind.name]);
  const { value: now, error, again } = loaded;
  const shown = now && { before: before.current, ...now };

  useEffect(() => onChange(again), []);
  useEffect(() => {
    before.current = now?.value;
    setModule(now?.module);
  }, [now]);
  if (error && !now) return <><Failure error={error} again={again} />{error.raw ? <pre class="mono" tabindex="0">{error.raw}</pre> : <RawText path={path} />}</>;
  if (!shown) return <Waiting />;
  const { View } = shown.module;
  return (
    <Fence key={path}>
      {error && <Failure error={error} again={again} />}
      {shown.value?.warnings?.map((w) => <p class="note" key={w}>{w}</p>)}
      <View path={path} host={shown.host} value={shown.value} before={shown.before} again={again} writes={writes} key={module ? path : path + "."} />
    </Fence>
  );
}

// What a document holds, where its kind cannot read it.
function RawText({ path }) {
  const newest = changes.use().items.find((c) => c.path === path && c.after);
  const { value } = useLoaded(async () => (newest ? (await host.call("file_show", { file_path: path, commit: newest.commit })).text : null), [path, newest?.commit]);
  return value ? <pre class="mono">{value}</pre> : null;
}

export function Document({ place, writes }) {
  const { path, query } = place;
  const { items, loaded } = documents.use();
  const { items: all } = changes.use();
  const entry = items.find((d) => d.path === path), kind = kindNamed(entry?.kind ?? kindOf(path));
  const change = query.at ? all.find((c) => String(c.commit) === query.at) : all.find((c) => c.path === path);
  const isDiff = query.view === "diff";

  useEffect(() => {
    document.title = `${entry?.title || fileName(path)} · quire`;
  }, [path, entry]);
  return (
    <>
      <div class="head">
        <div class="apart">
          <h1>{folderOf(path) && <span class="quiet">{folderOf(path)}/</span>}{entry?.title || fileName(path)}</h1>
          <span class="row">
            <a href={documentAddress(path)} aria-current={isDiff ? undefined : "page"}>Read</a>
            {kind?.list ? null : <a href={documentAddress(path, { view: "diff", at: query.at })} aria-current={isDiff ? "page" : undefined}>What changed</a>}
          </span>
        </div>
        <p class="small quiet">
          {entry?.size !== undefined && bytes(entry.size)}
          {change && <> · {isDiff ? summaryOf(change) : "last changed"} by <Author change={change} /> <time datetime={change.time} title={moment(change.time)}>{ago(change.time)}</time></>}
        </p>
      </div>
      <div class="body">
        {isDiff ? <Diff path={path} kind={kind?.name} change={change} />
          : kind ? <Reading path={path} kind={kind} writes={writes} key={path} />
          : loaded ? <Failure error={{ message: `There is no document ${path}.`, hint: "It may have been moved or deleted; the changes beside tell." }}><p><a href="/">All documents</a></p></Failure>
          : <Waiting />}
      </div>
    </>
  );
}
