#!/usr/bin/env python3
"""Every tool of every kind with each of its arguments wrong in turn: refused with a message, or done; never a fault
of the program."""
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import TOP, Folder, Stdio, Tap  # noqa: E402

DOCUMENTS = {"hnpx": ("lighthouse.hnpx", "a.hnpx"), "floorplan": ("flat.floorplan", "a.floorplan")}
WRONG = [..., None, 5, -1, 1.5, True, "", "x", "x" * 50000, [], {}, "\x00", [[]], [None], [5], {"a": 1}, 10**30, -10**30, 1e308,
         "\u202e\ud7ff", "../../etc/passwd", "/etc/passwd", "a\x00b", "[", "{}", "[]", "null", ["x"] * 2000]
tap = Tap()


def sensible(name, schema, root, document):
    """A value that the schema accepts, as far as a schema can check."""
    while "$ref" in schema:
        target = root
        for part in schema["$ref"].lstrip("#/").split("/"):
            target = target[part]
        schema = target
    if "default" in schema or "enum" in schema:
        return schema.get("default", schema.get("enum", [None])[0])
    kind = schema.get("type")
    if kind == "string":
        return document if "path" in name else "book" if name.endswith("id") else "x"
    if kind == "array":
        return [sensible(name, schema.get("items", {}), root, document)] * max(1, schema.get("minItems", 0))
    if kind == "object":
        return {n: sensible(n, s, root, document) for n, s in schema.get("properties", {}).items() if n in schema.get("required", [])}
    return {"integer": schema.get("minimum", 1), "number": 1, "boolean": False}.get(kind, {})


def faults_of(tool, name, value, answer):
    schema = tool["inputSchema"]
    if "error" in answer:
        yield "answered by an error of the protocol"
        return
    failed = answer["result"].get("isError", False)
    text = "".join(block.get("text", "") for block in answer["result"]["content"])
    if failed and ("INTERNAL" in text or not 20 < len(text) < 4000 or "structuredContent" in answer["result"]):
        yield "not refused in words"
    if not failed and (name == "unknown_zz" or (name in schema.get("required", []) and value in (..., None))):
        yield "taken"
    if not failed and "outputSchema" in tool and "structuredContent" not in answer["result"]:
        yield "no structuredContent"


for kind, (example, document) in DOCUMENTS.items():
    with Folder() as folder:
        root = os.path.join(folder.path, "root")
        os.mkdir(root)
        shutil.copy(os.path.join(TOP, "examples", example), os.path.join(root, document))
        with Stdio(kind, root=root) as server:
            count, found = 0, []
            for tool in server.request("tools/list")["result"]["tools"]:
                schema = tool["inputSchema"]
                if schema["type"] != "object" or {"anyOf", "oneOf", "allOf"} & set(schema) or len(tool["annotations"]) != 4:
                    found.append((tool["name"], "a schema that some client does not take"))
                right = sensible("", schema, schema, document)
                for name in [*schema.get("properties", {}), "unknown_zz"]:
                    for value in WRONG[name == "unknown_zz":]:
                        arguments = {**right, name: value}
                        if value is ...:
                            del arguments[name]
                        count += 1
                        answer = server.call(tool["name"], arguments)
                        found += [(tool["name"], name, str(value)[:30], fault, json.dumps(answer)[:200])
                                  for fault in faults_of(tool, name, value, answer)]
            tap.same(found[:20], [], f"{kind}: {count} calls with one argument wrong")
            tap.same(server.close(), 0, f"{kind}: and the server ends well")
        tap.same(os.listdir(folder.path), ["root"], f"{kind}: nothing was written beside the root")
tap.done()
