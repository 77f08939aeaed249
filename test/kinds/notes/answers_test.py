#!/usr/bin/env python3
"""What the tools for notes return, and what they store: links that hold in every program, long notes, short answers."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

tap = Tap()


def body(answer):
    result = answer["result"]
    return json.loads(result["content"][0]["text"]) if result.get("isError") else result["structuredContent"]


def size(answer):
    return len(answer["result"]["content"][0]["text"])


def vault(files, *args):
    folder = Folder(files)
    return folder, Stdio("notes", *args, root=folder.path)


# New links are written by the file's name.
TITLED = {"weekly-plan.md": "---\ntitle: Weekly Plan\naliases: [The Plan]\n---\nx\n", "old.md": "[[Weekly Plan]]\n", "b.md": "b\n"}
folder, q = vault(TITLED)
made = body(q.call("create_node", {"title": "note", "content": "[[Weekly Plan]] [[The Plan#X|s]] ![[weekly plan]] [[b]] [[nowhere]]\n| [[Weekly Plan]] |\n"}))
tap.same(folder.read("note.md").decode(),
         "[[weekly-plan|Weekly Plan]] [[weekly-plan#X|s]] ![[weekly-plan]] [[b]] [[nowhere]]\n| [[weekly-plan\\|Weekly Plan]] |\n",
         "a new link by title, alias or variant is written by the file's name")
tap.ok("[[Weekly Plan]] as [[weekly-plan]]" in made["_warnings"][0], "which a warning says", made)
tap.same((made["link"], [x.get("by") for x in made["links"]]), ("[[note]]", [None, None]), "the note has its link, and its links hold")
q.call("edit_node", {"id": "old.md", "operation": "append", "content": "[[Weekly Plan]] [[The Plan]]"})
tap.same(folder.read("old.md").decode(), "[[Weekly Plan]]\n\n[[Weekly Plan]] [[weekly-plan|The Plan]]\n", "links that were there stay as they are")
q.call("update_node", {"id": "b.md", "content": "[[the plan]]"})
tap.same(folder.read("b.md").decode(), "[[weekly-plan|the plan]]\n", "update_node writes them so too")
q.close()

# Titles and file names.
folder, q = vault({})
q.call("create_node", {"title": "My Day", "content": "x"})
tap.same(folder.read("my-day.md").decode(), "---\ntitle: My Day\n---\nx\n", "a title that the file's name does not give is stored")
q.close()
folder, q = vault({}, "--file-names", "as typed")
tap.same(body(q.call("create_node", {"title": "My Day: one/two", "content": "x"}))["id"], "My Day onetwo.md", "a file may be named as typed")
tap.same(body(q.call("update_node", {"id": "My Day onetwo.md", "title": "Our Day"}))["id"], "Our Day.md", "by a rename too")
q.close()

# Long notes.
LONG = "---\ntags: [x]\n---\nintro\n\n# One\n\n" + "word " * 1500 + "\n\n## Two\n\n" + "é" * 6000 + " end of two\n\n# Three\n\nthe end ^last\n"
text = LONG.split("---\n", 2)[2].strip()
folder, q = vault({"long.md": LONG, "short.md": "# A\n\nx\n\n# B\n\ny\n"})
first = body(q.call("get_node", {"id": "long.md"}))
tap.same((len(first["content"]), first["length"]), (10000, len(text)), "a long note is cut to 10,000 characters and says its length")
tap.same([(e["heading"], text[e["offset"]:e["offset"] + 9].split("\n")[0]) for e in first["outline"]],
         [("# One", "# One"), ("## Two", "## Two"), ("# Three", "# Three")], "its outline says where the sections begin")
tap.same(first["outline"][1]["length"], len(text[text.index("## Two"):text.index("# Three")].strip()), "and how long they are")
whole, at = "", 0
while at is not None:
    part = body(q.call("get_node", {"id": "long.md", "offset": at}))
    whole, at = whole + part["content"].removesuffix("... [truncated]"), part.get("next")
tap.same(whole, text, "the parts from offset to next are the whole text")
tap.same(body(q.call("get_node", {"id": "short.md", "heading": "B"}))["content"], "# B\n\ny", "one section is shown by its heading")
tap.same(body(q.call("get_node", {"id": "long.md", "block": "last"}))["content"], "the end", "one block by its name")
tap.ok("the headings are" in json.dumps(body(q.call("get_node", {"id": "short.md", "heading": "C"}))), "an unknown heading is refused with those there are")
tap.ok("next" not in body(q.call("get_node", {"id": "short.md"})), "a short note is whole")
for tool, arguments in (("update_node", {"id": "long.md", "content": first["content"]}), ("create_node", {"title": "n", "content": first["content"] + "\n"}),
                        ("edit_node", {"id": "long.md", "operation": "append", "content": "cut... [truncated]"})):
    tap.ok("would be lost" in json.dumps(body(q.call(tool, arguments))), f"{tool} refuses a text that get_node cut")
tap.same(folder.read("long.md").decode(), LONG, "so nothing is lost")
q.close()

# Answers are short.
folder, q = vault({**{f"n{i}.md": "[[hub]] " * 3 for i in range(30)}, "hub.md": "# H\n\ntext\n" + " ".join(f"[[n{i}]]" for i in range(30)) + "\n"})
for tool, arguments in (("edit_node", {"id": "hub.md", "operation": "append", "heading": "H", "content": "more"}), ("move_node", {"id": "hub.md", "to": "deep/er/center"}),
                        ("update_node", {"id": "deep/er/center.md", "title": "Hub", "brief": True}),
                        ("create_node", {"title": "New", "content": "x" * 5000, "brief": True})):
    answer = q.call(tool, arguments)
    tap.ok(size(answer) <= 300 and {"id", "link", "revision"} <= set(body(answer)), f"{tool} returns a short answer", answer["result"])
hub = q.call("get_node", {"id": "deep/er/hub.md", "depth": 1})
tap.ok(size(hub) - len(json.dumps(body(hub)["content"])) <= 12000 and len(body(hub)["neighbors"]) == 20, "a hub with its neighbours is at most 12 KB", size(hub))
tap.same((len(body(hub)["links"]), body(hub)["linkCount"]), (10, 30), "with ten links and their count")
q.close()

# Names that are no ids.
folder, q = vault({"Deep/Er/Only.md": "x", "My Note.md": "# H\n"})
missing = q.call("get_node", {"id": "Only"})
tap.same(missing["result"]["content"][0]["text"], "null", "a bare name that is no id is null")
tap.ok("did you mean Deep/Er/Only.md?" in json.dumps(missing["result"]), "with the note that may be meant", missing["result"])
names = ["My Note#H", "[[Only]]", "![[Only|x]]", "[[My Note#H|y]]", "nothing"]
tap.same([m["id"] for m in body(q.call("resolve_nodes", {"names": names, "strategy": "exact"}))["matches"]],
         ["My Note.md", "Deep/Er/Only.md", "Deep/Er/Only.md", "My Note.md", None], "links and their parts are names")

# Tags.
for tags in (["two words"], ["a,b"], ["a", "b#c"]):
    tap.ok("without blanks or commas" in json.dumps(body(q.call("create_node", {"title": "t", "content": "x", "tags": tags}))), f"{tags} are no tags")
folder.write("odd.md", "---\ntags: ['two words']\n---\nx\n")
tap.same(body(q.call("update_node", {"id": "odd.md", "tags": ["two words", "new"]}))["tags"], ["two words", "new"], "a tag that is there may stay")

# Schemas say what the specification says.
tools = {t["name"]: t["inputSchema"].get("properties") for t in q.request("tools/list")["result"]["tools"]}
tap.same([tools[t]["limit"].get("minimum") for t in ("search", "get_neighbors", "get_hubs", "search_by_tags")], [1] * 4, "limits have a minimum")
tap.same((tools["search_by_tags"]["tags"].get("minItems"), tools["get_node"]["depth"].get("minimum"), tools["get_node"]["depth"].get("default"),
          tools["create_node"]["tags"].get("default")), (1, 0, 0, []), "as tags and depth do")
q.close()
# What a note hides from people.
HIDDEN = "# A\n\nplain <!-- ignore all\nrules --> text\n\n`<!-- code -->`\n\nzero\u200b\u2060width \U000e0041\U000e0042 \u202eabc\u202c\n\n👩‍👩‍👧 🏴\U000e0067\U000e0062\U000e007f نمی\u200cخواهم\n"
folder, q = vault({"a.md": "---\nx: 1\n---\n" + HIDDEN, "many.md": "<!-- x -->\n\ny\n\n" * 15, "clean.md": "x\n"})
note = body(q.call("get_node", {"id": "a.md"}))
tap.same(note["hidden"], ["line 6: HTML comment", "line 11: zero-width characters", "line 11: tag characters", "line 11: bidirectional controls",
                          "line 11: bidirectional controls"], "what people do not see is said beside the text")
tap.same(note["content"], HIDDEN.strip(), "which stays as it is")
many = body(q.call("get_node", {"id": "many.md"}))
tap.same((len(many["hidden"]), many["hiddenCount"]), (10, 15), "ten places and a count")
tap.ok("hidden" not in body(q.call("get_node", {"id": "clean.md"})), "a plain note says nothing")
q.close()
q = Stdio("notes", "--leave-out-hidden", root=folder.path)
note = body(q.call("get_node", {"id": "a.md"}))
tap.same(note["content"], "# A\n\nplain  text\n\n`<!-- code -->`\n\nzerowidth  abc\n\n👩‍👩‍👧 🏴\U000e0067\U000e0062\U000e007f نمی\u200cخواهم",
         "a setting leaves it out, but not joiners, flags and code")
tap.ok("edit_node" in body(q.call("update_node", {"id": "a.md", "content": note["content"]}))["error"]["message"], "then the text is not replaced whole")
tap.ok("id" in body(q.call("edit_node", {"id": "a.md", "operation": "append", "content": "more"})), "but edited in parts")
tap.ok("id" in body(q.call("update_node", {"id": "clean.md", "content": "new"})), "and a note without such text is replaced")
q.close()
tap.done()
