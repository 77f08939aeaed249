#!/usr/bin/env python3
"""Properties and tags: reading, finding by conditions, setting for one note or many, renaming a tag."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

tap = Tap()


def body(answer):
    result = answer["result"]
    return json.loads(result["content"][0]["text"]) if result.get("isError") else result["structuredContent"]


PLAN = """---
# about the plan
status: open   # or done
due: 2026-12-01
priority: 3
done: false
people: ["[[Ann]]", Bob]
empty:
nested: {a: 1}
tags:
  - project/active
  - 'work'
aliases: The Plan
---
Text with #Project/Next and #projects.
"""
FILES = {"Work/plan.md": PLAN, "Work/old.md": "---\nstatus: done\ndue: 2025-01-01\npriority: 10\n---\n[[plan]]\n", "Ann.md": "[[plan]]\n",
         "b.md": "# B\n", "crlf.md": "---\r\nstatus: open\r\n---\r\nx\r\n", "bad.md": "---\na: [\n---\nx\n"}

folder = Folder(FILES)
q = Stdio("notes", root=folder.path)
got = body(q.call("get_node", {"id": "Work/plan.md"}))
tap.same(got["properties"], {"status": "open", "due": "2026-12-01", "priority": 3, "done": False, "people": ["[[Ann]]", "Bob"], "empty": None,
                             "nested": "{a: 1}", "tags": ["project/active", "work"], "aliases": "The Plan"}, "a note has its properties")
tap.ok("properties" not in body(q.call("get_node", {"id": "b.md"})), "or none")


def found(*where, **more):
    answer = body(q.call("find_nodes", {"where": list(where), **more}))
    return [n["id"] for n in answer["nodes"]] if "nodes" in answer else answer


ROWS = (
    (["status = open"], ["Work/plan.md", "crlf.md"]), (["status != open"], ["Ann.md", "Work/old.md", "b.md", "bad.md"]),
    (["STATUS = Open", "due is missing"], ["crlf.md"]), (["due < 2026-12-01"], ["Work/old.md"]), (["due <= 2026-12-01"], ["Work/old.md", "Work/plan.md"]),
    (["priority < 5"], ["Work/plan.md"]), (["priority >= 10"], ["Work/old.md"]), (["priority is present"], ["Work/old.md", "Work/plan.md"]),
    (["done = false"], ["Work/plan.md"]), (["empty is missing", "people ~ bob"], ["Work/plan.md"]), (["people = Bob"], ["Work/plan.md"]),
    (["tag = project"], ["Work/plan.md"]), (["tag = #project/next"], ["Work/plan.md"]), (["tag = proj"], []), (["tag is missing", "folder = work"], ["Work/old.md"]),
    (["folder = Work"], ["Work/old.md", "Work/plan.md"]), (["folder = Wor"], []), (["name ~ PLA"], ["Work/plan.md"]), (["name = the plan"], ["Work/plan.md"]),
    (["links to Work/plan.md"], ["Ann.md", "Work/old.md"]), (["links to [[plan]]"], None), (["linked from Ann.md"], ["Work/plan.md"]),
    (["incoming = 0", "outgoing = 0"], ["b.md", "bad.md", "crlf.md"]), (["incoming > 1"], ["Work/plan.md"]), (["modified > 2020-01-01", "id = b.md"], ["b.md"]),
    (["modified < 2020-01-01"], []), (["\"status\" = 'done'"], ["Work/old.md"]), ([], ["Ann.md", "Work/old.md", "Work/plan.md", "b.md", "bad.md", "crlf.md"]),
)
for where, ids in ROWS:
    if ids is not None:
        tap.same(found(*where), ids, f"find_nodes {where}")
tap.same(found("priority is present", sort="priority"), ["Work/plan.md", "Work/old.md"], "numbers are sorted as numbers")
tap.same(found(sort="-due", limit=3), ["Work/plan.md", "Work/old.md", "Ann.md"], "notes without the property come last")
tap.same(body(q.call("find_nodes", {"where": ["folder = Work"], "show": ["due", "people"], "sort": "due"}))["nodes"],
         [{"id": "Work/old.md", "title": "old", "properties": {"due": "2025-01-01"}},
          {"id": "Work/plan.md", "title": "plan", "properties": {"due": "2026-12-01", "people": ["[[Ann]]", "Bob"]}}], "and shown")
page = body(q.call("find_nodes", {"limit": 2, "offset": 1}))
tap.same(([n["id"] for n in page["nodes"]], page["total"]), (["Work/old.md", "Work/plan.md"], 6), "a page has the total")
tap.ok("did you mean status?" in json.dumps(body(q.call("find_nodes", {"where": ["statsu = open"]}))), "a property that no note has is said")
for bad in ("open", "= x", "status =", "", "links to Nowhere.md"):
    tap.ok("error" in body(q.call("find_nodes", {"where": [bad]})), f"{bad!r} is refused")

# Setting.
done = body(q.call("set_properties", {"ids": ["Work/plan.md"], "add_tags": ["New"], "remove_tags": ["work"],
                                      "properties": {"Status": "done: really", "priority": 4.5, "done": True, "due": "2027-01-02", "people": ["Cy"], "empty": None,
                                                     "see": "[[The Plan]]", "fresh": ["a b", "c"]}}))
tap.same((done["changed"], done["ids"]), (1, ["Work/plan.md"]), "properties are set")
tap.same(folder.read("Work/plan.md").decode(), PLAN.replace("open   #", '"done: really"   #').replace("due: 2026-12-01", "due: 2027-01-02").replace(
    "priority: 3", "priority: 4.5").replace("done: false", "done: true").replace('["[[Ann]]", Bob]', "[Cy]").replace("empty:\n", "").replace(
    "  - 'work'\n", "  - New\n").replace("aliases: The Plan\n", 'aliases: The Plan\nsee: "[[plan|The Plan]]"\nfresh: [a b, c]\n'),
    "all other bytes stay, comments and order too")
tap.same(body(q.call("set_properties", {"where": ["status = open"], "properties": {"status": "closed"}}))["changed"], 1, "notes are chosen by conditions")
tap.same(folder.read("crlf.md"), b"---\r\nstatus: closed\r\n---\r\nx\r\n", "line ends stay")
q.call("set_properties", {"ids": ["b.md"], "properties": {"num": 1}})
tap.same(folder.read("b.md").decode(), "---\nnum: 1\n---\n# B\n", "a note without front matter gets one")
many = body(q.call("set_properties", {"where": ["folder = Work"], "properties": {"year": 2026}, "dry_run": True}))
tap.ok(many["changed"] == 2 and b"year" not in folder.read("Work/old.md"), "a dry run writes nothing", many)
refused = body(q.call("set_properties", {"ids": ["b.md", "bad.md"], "properties": {"x": 1}}))
tap.ok("bad.md" in refused["error"]["message"] and b"x:" not in folder.read("b.md"), "malformed front matter stops all of it, and is named", refused)
for bad in ({"ids": ["b.md"]}, {"properties": {"a": 1}}, {"ids": ["b.md"], "properties": {"a": {"b": 1}}}, {"ids": ["b.md"], "properties": {"": 1}},
            {"ids": ["b.md"], "where": ["num = 1"], "properties": {"a": 1}}, {"ids": ["b.md"], "add_tags": ["a b"]}, {"ids": ["nope.md"], "properties": {"a": 1}}):
    tap.ok("error" in body(q.call("set_properties", bad)), f"{json.dumps(bad)} is refused")

# Tags.
before = {n: folder.read(n) for n in ("Work/plan.md", "b.md")}
tap.same(body(q.call("search_by_tags", {"tags": ["project"]}))["result"][0]["id"], "Work/plan.md", "a tag finds those below it")
tap.same(body(q.call("rename_tag", {"from": "#PROJECT", "to": "task/one", "dry_run": True}))["changed"], 1, "a tag can be renamed on trial")
tap.same(folder.read("Work/plan.md"), before["Work/plan.md"], "which writes nothing")
tap.same(body(q.call("rename_tag", {"from": "#PROJECT", "to": "task/one"}))["ids"], ["Work/plan.md"], "a tag is renamed")
tap.same(folder.read("Work/plan.md").decode(), before["Work/plan.md"].decode().replace("project/active", "task/one/active").replace("#Project/Next", "#task/one/Next"),
         "with those below it, in front matter and text, and no other")
q.call("rename_tag", {"from": "New", "to": "task/one/active"})
tap.ok(folder.read("Work/plan.md").count(b"active") == 1 and b"New" not in folder.read("Work/plan.md"), "a tag that exists is joined", folder.read("Work/plan.md"))
tap.ok("no note has the tag" in json.dumps(body(q.call("rename_tag", {"from": "nope", "to": "x"}))), "a tag that no note has is said")
tap.ok("error" in body(q.call("rename_tag", {"from": "task", "to": "a b"})), "a bad tag is refused")
q.call("file_undo", {"file_path": "Work/plan.md"})
tap.ok(b"New" in folder.read("Work/plan.md"), "an undo brings a tag back")
q.close()
tap.done()
