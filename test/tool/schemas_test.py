#!/usr/bin/env python3
"""The schemas that clients are sent, of every tool of every kind: nothing that a provider does not take, and null for an
optional argument is the same as leaving it out."""
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import TOP, Folder, Stdio, Tap  # noqa: E402

QUIRE = os.environ.get("QUIRE", os.path.join(TOP, "build/asan/quire"))
KINDS = ["hnpx", "floorplan", "docjl", "notes", "docx"]
FOREIGN = {"$ref", "$defs", "definitions", "const", "oneOf", "allOf", "not", "$schema", "patternProperties"}
tap = Tap()


def foreign(schema, path=""):
    """Keywords that some provider refuses. Names of properties are no keywords."""
    if isinstance(schema, list):
        for i, item in enumerate(schema):
            yield from foreign(item, f"{path}/{i}")
    elif isinstance(schema, dict):
        for key, value in schema.items():
            if key in FOREIGN:
                yield f"{path}/{key}"
            if key == "properties":
                for name, inner in value.items():
                    yield from foreign(inner, f"{path}/{name}")
            elif key not in ("enum", "default", "required", "examples"):
                yield from foreign(value, f"{path}/{key}")


def sensible(name, schema):
    if "default" in schema or "enum" in schema:
        return schema.get("default", schema.get("enum", [None])[0])
    kind = schema.get("type")
    if kind == "string":
        return "none.txt" if "path" in name else "x"
    if kind == "array":
        return [sensible(name, schema.get("items", {}))]
    if kind == "object":
        return {n: sensible(n, s) for n, s in schema.get("properties", {}).items() if n in schema.get("required", [])}
    return {"integer": 1, "number": 1, "boolean": False}.get(kind, {})


def outcome(answer):
    """What must be the same with null: refused or not, and in which words."""
    if "error" in answer:
        return "error", answer["error"]["message"]
    result = answer["result"]
    failed = result.get("isError", False)
    return failed, "".join(b.get("text", "") for b in result["content"]) if failed else ""


for kind in [None] + KINDS:
    args = [kind] if kind else []
    listed = subprocess.run([QUIRE, "tools", *args, "--tools", "all", "--json"], capture_output=True, check=True).stdout
    found = [f"{t['name']} {which}{where}" for t in json.loads(listed)["tools"] for which in ("inputSchema", "outputSchema")
             for where in foreign(t.get(which, {}))]
    tap.same(found, [], f"no schema of {kind or 'all kinds together'} has a keyword that a provider refuses")

for kind in KINDS:
    with Folder() as folder:
        roots = [os.path.join(folder.path, name) for name in ("without", "with")]
        for root in roots:
            shutil.copytree(os.path.join(TOP, "examples"), root)
        with Stdio(kind, root=roots[0]) as without, Stdio(kind, root=roots[1]) as with_nulls:
            differ, tried = [], 0
            for tool in without.request("tools/list")["result"]["tools"]:
                properties, required = tool["inputSchema"].get("properties", {}), tool["inputSchema"].get("required", [])
                arguments = {n: sensible(n, properties[n]) for n in required}
                nulls = {n: None for n, s in properties.items() if n not in required and "type" in s}
                tried += len(nulls)
                have = [outcome(s.request("tools/call", {"name": tool["name"], "arguments": a})) for s, a in
                        ((without, arguments), (with_nulls, {**arguments, **nulls}))]
                have = [(failed, words.replace(r, "ROOT")) for (failed, words), r in zip(have, roots)]
                if have[0] != have[1]:
                    differ.append((tool["name"], have))
        tap.same(differ, [], f"{kind}: null for any of {tried} optional arguments is the same as none")
tap.done()
