#!/usr/bin/env python3
"""Runs every case below test/cases/KIND through the real program, over stdio with sanitizers, and over HTTP as shipped; those of a kind that keeps its
documents in a database also run on PostgreSQL, if installed.

A case is {"files": {path: content}, "steps": [...], "after": {path: content}}. A step is
  {"call": {"tool", "arguments"}, then one of
   "answer": structuredContent, "text": the first text block, "error": the error object, or "plain": true to expect success only,
   "keep": {name: pointer into the answer}}
${name} in later steps is what was kept; {"$any": type} matches any value of a type, {"$has": words} a string that contains
them, {"$absent": true} a member that is not there. A result may have members that the case does not name only if the
case says {"$more": true}. The result's `revision` need not be named.

A Word file is written as {"docx": the body's XML, "styles": ..., "numbering": ...}, and compared by {"docx": the body's XML}.
"""
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import docx  # noqa: E402
from postgres import Cluster  # noqa: E402
from quire import QUIRE, TOP, Folder, Http, Stdio, Tap, is_type, schema_faults  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
NEVER_NAMED = {"revision"}


def substituted(value, kept):
    if isinstance(value, str):
        for name, known in kept.items():
            if value == "${" + name + "}":
                return known
            value = value.replace("${" + name + "}", str(known))
        return value
    if isinstance(value, list):
        return [substituted(v, kept) for v in value]
    if isinstance(value, dict):
        return {k: substituted(v, kept) for k, v in value.items()}
    return value


def differs(want, have, where=""):
    """Where `have` differs from the case."""
    if isinstance(want, dict) and "$any" in want:
        return [] if want["$any"] == "value" or is_type(have, want["$any"]) else [f"{where}: {have!r} is no {want['$any']}"]
    if isinstance(want, dict) and "$has" in want:
        words = want["$has"] if isinstance(want["$has"], list) else [want["$has"]]
        text = have if isinstance(have, str) else json.dumps(have, ensure_ascii=False)
        return [f"{where}: {text!r:.300} lacks {w!r}" for w in words if w not in text]
    if isinstance(want, dict) and isinstance(have, dict):
        out, more = [], want.get("$more", False)
        for name, value in want.items():
            if name == "$more":
                continue
            if isinstance(value, dict) and value.get("$absent"):
                out += [f"{where}/{name}: should not be there"] if name in have else []
            elif name not in have:
                out.append(f"{where}/{name}: missing")
            else:
                out += differs(value, have[name], where + "/" + name)
        if not more:
            out += [f"{where}/{n}: not expected: {have[n]!r:.200}" for n in have if n not in want and n not in NEVER_NAMED]
        return out
    if isinstance(want, list) and isinstance(have, list):
        if len(want) != len(have):
            return [f"{where}: {len(have)} items, not {len(want)}: {have!r:.400}"]
        return [d for i, (w, h) in enumerate(zip(want, have)) for d in differs(w, h, f"{where}/{i}")]
    return [] if want == have else [f"{where}: want {want!r:.400}, have {have!r:.400}"]


def pointed(value, pointer):
    for part in pointer.strip("/").split("/"):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def long_numbers(value, given, where=""):
    """Numbers with meaningless digits, unless the case has them: 3.6000000000000001 metres."""
    if isinstance(value, dict):
        return [f for k, v in value.items() for f in long_numbers(v, given, f"{where}/{k}")]
    if isinstance(value, list):
        return [f for i, v in enumerate(value) for f in long_numbers(v, given, f"{where}/{i}")]
    digits = repr(value).partition("e")[0].replace("-", "").replace(".", "").strip("0") if isinstance(value, float) else ""
    return [f"{where}: {value!r} has too many digits"] if len(digits) > 6 and repr(value) not in given else []


def judge(step, answer, schemas):
    """The faults of one result, and the value that `keep` reads."""
    if "error" in answer:
        return [f"a protocol error: {answer['error']}"], None
    result = answer["result"]
    texts = [b["text"] for b in result["content"] if b["type"] == "text"]
    failed = result.get("isError", False)
    if "error" in step:
        if not failed:
            return [f"expected an error, got {json.dumps(result)[:400]}"], None
        if "structuredContent" in result:
            return ["an error carries structuredContent"], None
        body = json.loads(texts[0])
        return differs(step["error"], body), body
    if failed:
        return [f"refused: {texts[0]}"], None
    structured, faults = result.get("structuredContent"), []
    schema = schemas.get(step["call"]["tool"])
    if schema is not None:
        faults += ["no structuredContent"] if structured is None else ["schema " + f for f in schema_faults(structured, schema)]
    if "answer" in step:
        faults += differs(step["answer"], structured)
    if "text" in step:
        faults += differs(step["text"], texts[0] if texts else None, "text")
    if "blocks" in step:
        faults += differs(step["blocks"], result["content"], "blocks")
    return faults, structured if structured is not None else {"text": texts[0] if texts else ""}


def content_of(value):
    return docx.docx(value["docx"], value.get("styles", ""), value.get("numbering", "")) if isinstance(value, dict) else value


def run(case, kind, open_server):
    faults, kept, given = [], {}, json.dumps(case)
    with Folder({n: content_of(v) for n, v in case.get("files", {}).items()}) as folder:
        before = {n: folder.read(n) for n in case.get("files", {})}
        with open_server(kind, folder) as server:
            tools = server.request("tools/list")["result"]["tools"]
            schemas = {t["name"]: t.get("outputSchema") for t in tools}
            for number, step in enumerate(case["steps"]):
                step = substituted(step, kept)
                if "write" in step:  # another program's edit
                    for name, content in step["write"].items():
                        folder.write(name, content_of(content))
                    continue
                answer = server.call(step["call"]["tool"], step["call"].get("arguments", {}))
                found, body = judge(step, answer, schemas)
                found += long_numbers(answer.get("result", {}).get("structuredContent"), given)
                faults += [f"step {number}: {f}" for f in found]
                if found:
                    break
                for name, pointer in step.get("keep", {}).items():
                    kept[name] = pointed(body, pointer)
        for name, want in substituted(case.get("after", {}), kept).items():
            if want is None:
                if os.path.exists(os.path.join(folder.path, name)):
                    faults.append(f"{name} exists afterwards")
                continue
            if isinstance(want, dict) and "docx" in want:
                faults += differs(want["docx"], docx.body(folder.read(name)), f"after {name}")
                continue
            have = folder.read(name).decode(errors="replace")
            faults += differs(want, have, f"after {name}") if want != {"$same": True} else (
                [] if folder.read(name) == before[name] else [f"{name} was changed"])
    return faults


SHIPPED = os.path.abspath(os.environ.get("QUIRE_RELEASE", os.path.join(TOP, "build/quire")))
WAYS = {
    "stdio": lambda kind, folder: Stdio(kind, root=folder.path),
    "http": lambda kind, folder: Http(kind, "--config", os.path.join(HERE, "limits.toml"), root=folder.path,
                                      quire=SHIPPED if os.path.exists(SHIPPED) else QUIRE),
}
IN_A_DATABASE = ("docjl",)


class Ways:
    """The ways to run the cases of a kind. The PostgreSQL server is started for the first case that needs it."""

    def __init__(self):
        self.cluster = None

    def of(self, kind):
        yield from WAYS.items()
        if kind in IN_A_DATABASE and Cluster.available():
            if not self.cluster:
                self.cluster = Cluster().__enter__()
            yield "stdio on PostgreSQL", self.on_postgres

    def on_postgres(self, kind, folder):
        self.cluster.sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        return Stdio(kind, "--store", self.cluster.url, root=folder.path)

    def end(self):
        if self.cluster:
            self.cluster.__exit__(None, None, None)


def main():
    tap = Tap()
    ways = Ways()
    only = sys.argv[1:]
    for path in sorted(glob.glob(os.path.join(HERE, "*/**/*.json"), recursive=True)):
        name = os.path.relpath(path, HERE)
        if only and not any(o in name for o in only):
            continue
        with open(path, encoding="utf-8") as f:
            cases = json.load(f)
        for number, case in enumerate(cases if isinstance(cases, list) else [cases]):
            title = f"{name} {case.get('claim', number)}"
            for way, open_server in ways.of(name.split("/")[0]):
                try:
                    faults = run(case, name.split("/")[0], open_server)
                except Exception as e:  # a server that died, or an invalid reply
                    faults = [f"{type(e).__name__}: {e}"]
                tap.ok(not faults, f"{title} over {way}", "\n".join(faults))
    ways.end()
    if only and not tap.n:
        tap.ok(False, f"test/cases has {' or '.join(only)}")
    tap.done()


if __name__ == "__main__":
    main()
