#!/usr/bin/env python3
"""Every fix that a warning offers works: applied alone it removes its warning and adds none, and in rounds none is left.

The plans are our own below, the examples and those of DATA."""
import collections
import glob
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import DATA, TOP, Folder, Stdio, Tap  # noqa: E402

tap = Tap()
SOLID = "walls [top: solid, right: solid, bottom: solid, left: solid]"


def plan(*lines, tail=""):
    return "floorplan\n  config { default_unit: m }\n  floor f1 {\n" + "".join(f"    {line}\n" for line in lines) + "  }\n" + tail


# Each of these has a problem that has a fix.
OWN = {
    "overlap": plan(f"room A at (0,0) size (4 x 4) {SOLID}", f"room B at (3,0) size (4 x 4) {SOLID}"),
    "overlap, no room beside": plan(f"room A at (0,0) size (4 x 4) {SOLID}", f"room B at (3,0) size (4 x 4) {SOLID}",
                                    f"room C at (7,0) size (4 x 4) {SOLID}", f"room D at (3,4) size (4 x 4) {SOLID}",
                                    f"room E at (3,-4) size (4 x 4) {SOLID}"),
    "walls that disagree": plan(f"room A at (0,0) size (4 x 4) {SOLID}",
                                "room B at (4,0) size (4 x 4) walls [top: solid, right: solid, bottom: solid, left: window]"),
    "walls in a row": plan("room A at (0,0) size (4 x 4) walls [right: solid]", "room B at (4,2) size (4 x 4) walls [left: open]",
                           "room C at (4,-2) size (4 x 4) walls [left: solid]", "room D at (0,4) size (4 x 4) walls [right: open]"),
    "into the corner": plan(f"room A at (0,0) size (3.3 x 3.7) {SOLID}", f"room B at (3.3,0) size (4 x 3.7) {SOLID}",
                            tail="  connect A.right to B.left door at 3%\n  connect A.left to outside door at 99%\n"),
    "beyond the wall": plan(f"room A at (0,0) size (4 x 4) {SOLID}", f"room B at (4,0) size (4 x 4) {SOLID}",
                            tail="  connect A.right to B.left door at 140%\n  connect A.left to outside door\n"),
    "wrong sides": plan(f"room A at (0,0) size (4 x 4) {SOLID}", f"room B at (4,0) size (4 x 4) {SOLID}",
                        tail="  connect A.top to B.bottom door\n  connect A.left to outside door\n"),
    "apart": plan(f"room A at (0,0) size (4 x 4) {SOLID}", f"room B at (6,0) size (4 x 4) {SOLID}",
                  tail="  connect A to B door\n  connect A.left to outside door\n  connect B.right to outside door\n"),
    "no such room": plan(f"room A at (0,0) size (4 x 4) {SOLID}", tail="  connect A to Nowhere door\n  connect A.left to outside door\n"),
    "window under a door": plan("room A at (0,0) size (4 x 4) walls [right: window]", f"room B at (4,0) size (4 x 4) {SOLID}",
                                tail="  connect A.right to B.left door\n  connect A.left to outside door\n"),
    "opens elsewhere": plan(f"room A at (0,0) size (4 x 4) {SOLID}", f"room B at (4,0) size (4 x 4) {SOLID}",
                            tail="  connect A to B door opens into C\n  connect A.left to outside door\n"),
    "a side of outside": plan(f"room A at (0,0) size (4 x 4) {SOLID}", tail="  connect A.left to outside.top door\n"),
    "too wide": plan(f"room A at (0,0) size (4 x 1.5) {SOLID}", f"room B at (4,0) size (4 x 1.5) {SOLID}",
                     tail="  connect A to B double-door size (2 x 2)\n  connect A.left to outside door\n"),
    "too high": plan(f"room A at (0,0) size (4 x 4) height 2 {SOLID}", f"room B at (4,0) size (4 x 4) height 2 {SOLID}",
                     tail="  connect A to B door\n  connect A.left to outside door size (1 x 2)\n"),
    "the same door twice": plan(f"room A at (0,0) size (4 x 4) {SOLID}", f"room B at (4,0) size (4 x 4) {SOLID}",
                                tail="  connect A.right to B.left door\n  connect B.left to A.right door\n  connect A.left to outside door\n"),
    "both outside": plan(f"room A at (0,0) size (4 x 4) {SOLID}", tail="  connect outside to outside door\n  connect A.left to outside door\n"),
    "the same room": plan(f"room A at (0,0) size (4 x 4) {SOLID}", tail="  connect A to A door\n  connect A.left to outside door\n"),
    "two floors": "floorplan\n" + "".join(f"  floor {f} {{\n    room A at (0,0) size (4 x 4) {SOLID}\n    room B at (4,0) size (4 x 4) {SOLID}\n"
                                          "  }\n" for f in ("g", "u")) + "  connect A.right to B.left door at 2%\n",
    "cut off": plan(f"room Hall at (0,0) size (4 x 4) {SOLID}", f"room Bath at (4,0) size (4 x 4) {SOLID}", f"room Bed at (0,4) size (4 x 4) {SOLID}",
                    tail="  connect Hall.left to outside door\n  connect Hall to Bed door\n"),
    "coordinates and direction": plan(f"room A at (0,0) size (4 x 4) {SOLID}", f"room B at (5,0) size (4 x 4) {SOLID} right-of A"),
}
SILENT = {"walls in a row"}  # after every change another wall disagrees


def texts():
    for name, text in OWN.items():
        yield name, text
    paths = glob.glob(os.path.join(TOP, "examples/*.floorplan"))
    for folder in ("plans", "snippets"):
        paths += sorted(glob.glob(os.path.join(DATA, "floorplan", folder, "*.floorplan")))
    for path in paths:
        yield os.path.basename(path), open(path, encoding="utf-8").read()


def said(answer):
    return collections.Counter((p["type"], p["message"]) for p in answer["errors"] + answer["warnings"])


with Folder() as folder, Stdio("floorplan", root=folder.path) as server:
    def validated(text):
        result = server.call("validate_floorplan", {"dsl": text})["result"]
        return result["structuredContent"]

    def applied(text, fix):
        result = server.call("modify_floorplan", {"dsl": text, "operations": [fix]})["result"]
        return None if result.get("isError") else result["structuredContent"]["dsl"], result["content"][0]["text"]

    fixes, wrong, stuck = 0, [], []
    for name, text in texts():
        answer = validated(text)
        offered = [p for p in answer["errors"] + answer["warnings"] if "fix" in p]
        if name in OWN:
            tap.ok(bool(offered) != (name in SILENT), f"{name}: {'no ' if name in SILENT else 'a '}fix is offered",
                   answer["errors"] + answer["warnings"])
        before = said(answer)
        for problem in offered:
            fixes += 1
            after, told = applied(text, problem["fix"])
            if after is None:
                wrong.append((name, problem, "refused", told))
                continue
            now = said(validated(after))
            key = (problem["type"], problem["message"])
            if now[key] >= before[key] or now - before:
                wrong.append((name, problem, "left" if now[key] >= before[key] else list(now - before)))
        rounds = 0
        while offered and rounds < 200:
            after, _ = applied(text, offered[0]["fix"])
            if after is None or len(said(validated(after))) > len(said(validated(text))):
                break
            text, rounds = after, rounds + 1
            answer = validated(text)
            offered = [p for p in answer["errors"] + answer["warnings"] if "fix" in p]
        if offered:
            stuck.append((name, offered[0]))
    tap.ok(fixes > 15, f"{fixes} fixes were tried")
    tap.ok(not wrong, "each removes its problem and adds none", wrong[:3])
    tap.ok(not stuck, "in rounds none is left", stuck[:3])

    # A room that grew over its hall: the door between them has no wall until the room is moved. It must not be removed.
    grown = plan(f"room Hall at (0,4.47) size (8 x 1.8) {SOLID}", f"room Living at (0,0) size (6 x 5) {SOLID}",
                 tail="  connect Hall.left to outside door\n  connect Hall.top to Living.bottom door\n")
    offered = [w["fix"] for w in validated(grown)["warnings"] if "fix" in w]
    tap.ok(len(offered) > 1 and all(f == {"action": "move_room", "target": "Living", "params": {"x": 0, "y": -0.53}} for f in offered),
           "one operation that solves several problems is the fix of each, in plain numbers", offered)
    result = server.call("modify_floorplan", {"dsl": grown, "operations": offered})["result"]["structuredContent"]
    tap.ok(validated(result["dsl"])["warnings"] == [] and "connect Hall.top to Living.bottom door" in result["dsl"],
           "and all of them at once mend the plan", result)

    # There are more problems than trials: the result says so, and following the advice solves all of them.
    crowd = plan(*[f"room R{i} at ({i * 6},0) size (4 x 4) {SOLID}\n    room S{i} at ({i * 6 + 3},0) size (2 x 4) {SOLID}" for i in range(80)])
    rounds = 0
    while rounds < 10:
        result = server.call("validate_floorplan", {"dsl": crowd})["result"]["structuredContent"]
        operations = [p["fix"] for p in result["warnings"] if "fix" in p]
        if not rounds:
            tap.ok("not tried" in " ".join(result.get("_warnings", [])), "a limit on trials is told", result.get("_warnings"))
        if not operations:
            break
        crowd = server.call("modify_floorplan", {"dsl": crowd, "operations": operations})["result"]["structuredContent"]["dsl"]
        rounds += 1
    tap.ok(rounds < 10 and not result["warnings"], "and what it advises mends the rest", (rounds, len(result["warnings"])))
tap.done()
