#!/usr/bin/env python3
"""A side of a room takes several doors and windows, with kind, place, size, sill and head; the operations on them change only
their own bytes; and no fix takes a way through or a wall away."""
import csv
import io
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

tap = Tap()
LIST = "top: window at 25% size (110cm x 1.4m) sill 80cm, window at 6m, right: solid, left: open"


def plan(walls, more="", size="8 x 4"):
    return f"floorplan\n  config {{ default_unit: m }}\n  floor F {{\n    room A at (0,0) size ({size}) walls [{walls}] # kept\n{more}  }}\n"


def walls_of(dsl):
    line = [x for x in dsl.split("\n") if "room A" in x][0]
    tap.ok(line.endswith(" # kept"), "the comment stays", line)
    return line.split("walls [")[1].split("]")[0]


with Folder({}) as folder, Stdio("floorplan", root=folder.path) as q:
    def ask(tool, **arguments):
        result = q.call(tool, arguments)["result"]
        return result.get("structuredContent") or json.loads(result["content"][0]["text"])

    def edited(action, walls=LIST, **params):
        answer = ask("modify_floorplan", dsl=plan(walls), operations=[{"action": action, "target": "A", "params": params}])
        return walls_of(answer["dsl"]) if answer.get("success") else answer["errors"][0]["message"]

    # The grammar.
    for walls in (LIST, "top: door sliding at 40%", "top: window fixed size (1.1 x 1.4) sill 0.9 head 2.3", "right: door double, bottom: window french",
                  "top: door garage size (2.5 x 2.2), door glazed at 90% size (0.9 x 2.1), right: door pocket, bottom: door folding, left: door opening"):
        answer = ask("validate_floorplan", dsl=plan(walls))
        tap.ok(answer["valid"] and not [w for w in answer["warnings"] if w["type"] in ("wall", "value")] or "size" not in walls, walls, answer)
        picture = q.call("render_floorplan", {"dsl": plan(walls), "format": "svg"})["result"]
        tap.ok(not picture.get("isError"), "and is drawn")
    for walls, words in (("top: window, solid", "has its side to itself"), ("top: solid, window", "has its side to itself"),
                         ("top: window sliding", "sliding is no kind of window"), ("top: door fixed", "fixed is no kind of door"),
                         ("window", "side 'window'"), ("top: door double double", "found 'double'")):
        answer = ask("validate_floorplan", dsl=plan(walls))
        tap.ok(not answer["valid"] and words in answer["errors"][0]["message"], f"{walls} is refused", answer)
    for walls, words in (("top: window at 20% size (2 x 1), window at 25% size (2 x 1)", "overlaps"), ("top: window head 0.5", "not above its sill"),
                         ("top: window size (20 x 1)", "20 wide and its side 8"), ("top: window, top: door", "listed twice")):
        answer = ask("validate_floorplan", dsl=plan(walls))
        tap.ok(answer["valid"] and words in json.dumps(answer["warnings"]), f"{walls} warns", answer)
    figures = ask("analyze_floorplan", dsl=plan("top: window at 20%, window at 80%, door at 50%, right: window"))
    tap.same([(r["windows"], r["doors"]) for r in figures["rooms"]], [(3, 1)], "every opening of a list counts")
    tap.same(figures["summary"]["entrances"], 1, "a door behind a window in the list is a way in")
    folder.write("a.floorplan", plan("top: window at 20% size (1 x 1.2) sill 1.1, window at 80% size (1.5 x 1) head 2.2, right: door sliding").encode())
    for schedule, columns, want in (("windows", ("width_m", "height_m", "sill_m"), [("1", "1.2", "1.1"), ("1.5", "1", "0.9")]),
                                    ("doors", ("type",), [("sliding",)])):
        ask("export_floorplan", file_path="a.floorplan", output_path=f"{schedule}.csv", schedule=schedule)
        rows = list(csv.DictReader(io.StringIO(folder.read(f"{schedule}.csv").decode())))
        tap.same([tuple(r[c] for c in columns) for r in rows], want, f"the schedule of {schedule} has their measures")

    # Operations.
    tap.same(edited("add_opening", side="top", opening="door", at=80, kind="sliding", size={"width": 1.6, "height": 2.1}),
             LIST.replace("6m, r", "6m, door sliding at 80% size (1.6 x 2.1), r"), "an opening is added behind the others of its side")
    tap.same(edited("add_opening", side="bottom", opening="window"), LIST + ", bottom: window", "or to a side that is not listed")
    tap.same(edited("add_opening", side="right", opening="window", sill=0.9, head=2.3), LIST.replace("right: solid", "right: window sill 0.9 head 2.3"),
             "or in place of a solid side")
    tap.ok("no wall for it" in edited("add_opening", side="left", opening="window"), "an open side has no wall for one")
    tap.ok("8 long" in edited("add_opening", side="top", opening="window", size={"width": 9, "height": 1}), "one that does not fit is refused, not shrunk")
    tap.ok("did you mean 50?" in edited("add_opening", side="top", opening="window", at=0.5), "half a percent is asked about")
    tap.same(edited("update_opening", side="top", number=2, at=75), LIST.replace("at 6m", "at 75%"), "one is changed by its number")
    tap.same(edited("update_opening", side="top", sill=0.5), LIST.replace("sill 80cm", "sill 0.5"), "the rest of it keeps its units")
    tap.same(edited("update_opening", side="top", opening="door"), LIST.replace("window at 25%", "door at 25%").replace(" sill 80cm", ""), "a door has no sill")
    tap.same(edited("update_opening", walls="top: window at 80%, door at 20%", side="top", number=1, at=30), "top: window at 80%, door at 30%",
             "numbers count along the side, not in the text")
    tap.same(edited("update_opening", walls="top: window at 20 % sill 1", side="top", sill=2), "top: window at 20 % sill 2", "a blank before % stays")
    tap.ok("no number 3" in edited("update_opening", side="top", number=3, at=5), "a number that is not there is refused")
    tap.same(edited("remove_opening", side="top", number=1), LIST.replace("window at 25% size (110cm x 1.4m) sill 80cm, ", ""), "the first one goes")
    tap.same(edited("remove_opening", side="top", number=2), LIST.replace(", window at 6m", ""), "the second one goes")
    tap.same(edited("remove_opening", walls="top: door", side="top"), "top: solid", "the only one leaves a solid side")
    tap.same(edited("update_walls", top="solid"), "top: solid, right: solid, left: open", "update_walls changes a whole side")
    tap.same(edited("update_walls", walls="top: window sill 1.2", top="door"), "top: door", "and drops what the new type has not")
    heads = ask("modify_floorplan", dsl=plan("top: solid"), operations=[{"action": "set_head", "params": {"title": "A: one", "client": "C"}}])
    tap.ok(heads["dsl"].startswith('---\ntitle: "A: one"\nclient: "C"\n---\nfloorplan'), "set_head makes a head", heads)
    heads = ask("modify_floorplan", dsl=heads["dsl"], operations=[{"action": "set_head", "params": {"title": "", "revision": "B"}}])
    tap.ok(heads["dsl"].startswith('---\nclient: "C"\nrevision: "B"\n---\n'), "removes a key and adds one", heads)
    for old, new, words in (("left: open", "left: door", None), ("window", "door", "more than once"), ("left: open", "left: glass", "would be invalid"),
                            ("nothing like it", "x", "does not contain")):
        answer = ask("modify_floorplan", dsl=plan(LIST), operations=[{"action": "replace_text", "params": {"old": old, "new": new}}])
        tap.ok(answer["success"] if words is None else words in json.dumps(answer["errors"]), f"replace_text {old!r} by {new!r}", answer)

    # A side is judged by stretch, and no fix takes a way through or a wall away.
    def warnings(*rooms):
        answer = ask("validate_floorplan", dsl="floorplan\n  config { default_unit: m }\n  floor F {\n" + "".join(f"    room {r}\n" for r in rooms) + "  }\n")
        return [w for w in answer["warnings"] if w["type"] == "wall"]
    tap.same(warnings("A at (0,0) size (8 x 4) walls [bottom: open, top: door]", "B at (0,4) size (4 x 4) walls [top: open]",
                      "C at (4,4) size (4 x 4) walls [top: solid]"), [], "open to one room and solid to another is no conflict")
    tap.same(warnings("A at (0,0) size (8 x 4) walls [bottom: window, top: door]", "B at (0,4) size (4 x 4) walls [top: solid]"), [],
             "a window goes to the part of its side that is outside")
    for side, other, safe in (("open", "solid", False), ("door", "solid", False), ("window", "solid", True)):
        found = warnings(f"A at (0,0) size (4 x 4) walls [right: {side}, top: door]", f"B at (4,0) size (4 x 4) walls [left: {other}]")
        tap.ok(len(found) == 1 and ("fix" in found[0]) == safe and ("no safe fix" in found[0]["message"]) != safe,
               f"{side} against {other}: {'a fix' if safe else 'no safe fix, with the reason'}", found)
tap.done()
