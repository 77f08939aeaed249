#!/usr/bin/env python3
"""A key learns nothing about documents outside its grant: the error is always the same as for a name that does not
exist."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, Http, Tap  # noqa: E402

tap = Tap()
BOOK = '<book id="aaaaaa">\n  <summary>One</summary>\n</book>\n'
PLAN = "floorplan\n  floor f1 {\n    room A at (0,0) size (10 x 10) walls [top: solid]\n  }\n"
GRANTS = {"kinds": ["*"], "tools": ["*"], "documents": ["mine/**", "read/**"], "write": ["mine/**"]}
# name -> what exists there; all outside the grant. The last one does not exist.
KINDS = ("file", "folder", "pipe", "link_in", "link_out", "loop", "nobody", "none")


def value(schema):
    """Makes a value of the type; paths are filled in by name."""
    kind = schema.get("type")
    if "enum" in schema:
        return schema["enum"][0]
    if kind == "array":
        return [value(schema.get("items", {}))]
    if kind == "object":
        return {name: value(schema["properties"][name]) for name in schema.get("required", [])}
    return {"string": "aaaaaa", "integer": 1, "number": 1, "boolean": True}.get(kind, 1)


def arguments(tool, name):
    properties = tool["inputSchema"].get("properties", {})
    paths = [p for p in properties if p in ("file_path", "output_path", "path", "id", "save_to_local_path", "directory")]
    out = {p: value(properties[p]) for p in tool["inputSchema"].get("required", [])}
    out.update({p: name for p in paths if p != "output_path" or p in out})
    return out


with Folder({"root/mine/a.hnpx": BOOK, "root/read/b.hnpx": BOOK, "keys.json": json.dumps({"keys": [
        {"name": "one", "key": "one-secret", "grants": GRANTS}]})}) as folder:
    os.chmod(folder.path + "/keys.json", 0o600)
    root = folder.path + "/root"
    for end, text in ((".hnpx", BOOK), (".floorplan", PLAN), (".md", "# Note\n"), (".docx", "no zip")):
        folder.write(f"root/secret/file{end}", text)
        os.mkdir(f"{root}/secret/folder{end}")
        os.mkfifo(f"{root}/secret/pipe{end}")
        os.symlink(f"../mine/a{end}", f"{root}/secret/link_in{end}")
        os.symlink("/etc/passwd", f"{root}/secret/link_out{end}")
        os.symlink(f"loop{end}", f"{root}/secret/loop{end}")
        folder.write(f"root/secret/nobody{end}", text)
        os.chmod(f"{root}/secret/nobody{end}", 0)
    os.symlink("../secret/file.hnpx", f"{root}/mine/leads_out.hnpx")
    os.symlink("../secret/none.hnpx", f"{root}/mine/leads_nowhere.hnpx")
    os.symlink("../secret/folder.hnpx", f"{root}/mine/leads_to_folder.hnpx")
    with Http("--tools", "all", "--keys", folder.path + "/keys.json", root=root, key="one-secret") as server:
        tools = server.request("tools/list")["result"]["tools"]

        def same(claim, ask, names):
            """All responses are the same except for the name."""
            answers = {}
            for name in names:
                text = json.dumps({k: v for k, v in ask(name).items() if k != "id"}).replace(name, "NAME")
                text = re.sub(r'"[^"]*semantic index[^"]*"|, {"type": "text", "text": [^}]*semantic index[^}]*}"}', "", text)
                text = text.replace(', "_warnings": []', "")
                answers.setdefault(text, []).append(name)
            return tap.ok(len(answers) == 1, claim, "\n".join(f"{names}: {text[:300]}" for text, names in answers.items()))

        def outside(end):
            return [f"secret/{name}{end}" for name in KINDS] + [f"mine/../secret/{name}{end}" for name in ("file", "folder", "none")]

        for tool in tools:
            kind = tool["name"].split("_")[0]
            end = {"hnpx": ".hnpx", "notes": ".md", "docx": ".docx", "file": ".hnpx"}.get(kind, ".floorplan" if "floorplan" in tool["name"] else "")
            if not end or not set(arguments(tool, "")) & {"file_path", "output_path", "path", "id", "save_to_local_path"}:
                continue
            same(f"{tool['name']} tells nothing", lambda name: server.call(tool["name"], arguments(tool, name)), outside(end))
        same("a new book outside the grant gets one refusal", lambda name: server.call("hnpx_create_document", {"file_path": name}), outside(".hnpx"))
        same("so does an export to there",
             lambda name: server.call("hnpx_export_document", {"file_path": "mine/a.hnpx", "output_path": name, "format": "markdown", "overwrite": True}),
             [f"secret/{name}.hnpx" for name in KINDS])
        same("a dry run too", lambda name: server.call("hnpx_edit_node_attributes", {
            "file_path": name, "node_id": "book", "attributes": {"summary": "x"}, "dry_run": True}), outside(".hnpx"))
        inside = ["mine/leads_out.hnpx", "mine/leads_nowhere.hnpx", "mine/leads_to_folder.hnpx"]
        same("a link that leads out of the grant is as one that leads nowhere",
             lambda name: server.call("hnpx_get_subtree", {"file_path": name, "node_id": "book"}), inside)
        for end, kind in ((".hnpx", "hnpx"), (".floorplan", "floorplan")):
            same(f"resources/read of {kind} tells nothing", lambda name: server.request("resources/read", {"uri": f"{kind}:///{name}"}),
                 [f"secret/{name}{end}" for name in KINDS])
            same(f"completion of {kind} tells nothing", lambda name: server.request("completion/complete", {
                "ref": {"type": "ref/resource", "uri": kind + ":///{+path}"}, "argument": {"name": "path", "value": name}}),
                [f"secret/{name}" for name in KINDS])
        answer = server.call("hnpx_edit_node_attributes", {"file_path": "read/b.hnpx", "node_id": "book", "attributes": {"summary": "x"}})
        tap.ok("read, but not change" in json.dumps(answer), "of what it may read it is told that it may not change it", answer)
        answer = server.call("hnpx_get_subtree", {"file_path": "mine/nosuch.hnpx", "node_id": "book"})
        tap.ok("mine/nosuch.hnpx" in json.dumps(answer) and answer["result"]["isError"], "a missing name inside the grant is missing", answer)
        tap.ok("result" in server.call("hnpx_get_subtree", {"file_path": root + "/mine/a.hnpx", "node_id": "book"}), "an absolute name is asked as well")

# What lives in the graph of a vault tells no more: neither a note that is taken nor a note that links here.
with Folder({"root/mine/a.md": "# A\n\nmine\n", "root/mine/b.md": "# B\n", "root/secret/taken.md": "# T\n\n[[mine/a]]\n",
             "keys.json": json.dumps({"keys": [{"name": "one", "key": "one-secret", "grants": GRANTS}]})}) as folder:
    os.chmod(folder.path + "/keys.json", 0o600)
    root = folder.path + "/root"
    with Http("notes", "--keys", folder.path + "/keys.json", root=root, key="one-secret") as server:
        def said(tool, **args):
            result = server.request("tools/call", {"name": tool, "arguments": args})["result"]
            return result.get("isError", False), "".join(b.get("text", "") for b in result["content"])
        made = {name: said("create_node", title=name, content="x", folder="secret") for name in ("taken", "unused")}
        tap.ok(made["taken"][0] and made["taken"][1].replace("taken", "unused") == made["unused"][1],
               "create_node says the same for a note outside the grant and for none", made)
        moved = said("move_node", id="mine/a.md", to="mine/c.md")
        tap.ok(moved[0] and "may not" in moved[1] and "keeps changing" not in moved[1] and "secret" not in moved[1] and "taken" not in moved[1],
               "move_node refuses plainly what would change a note outside the grant", moved)
        tap.ok(folder.read("root/mine/a.md") == b"# A\n\nmine\n" and folder.read("root/secret/taken.md") == b"# T\n\n[[mine/a]]\n",
               "and nothing is written")
        moved = said("move_node", id="mine/b.md", to="mine/d.md")
        tap.ok(not moved[0], "a note without such links moves", moved)
tap.done()
