#!/usr/bin/env python3
"""A plan of 500 rooms is drawn with a result that clients accept, and the call that it names returns the rest."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

tap = Tap()
PLAN = "floorplan\n  floor f1 {\n" + "".join(
    f"    room R{i} at ({i % 25 * 4},{i // 25 * 4}) size (4 x 4) walls [top: solid, right: solid, bottom: solid, left: solid]\n"
    for i in range(500)) + "  }\n"

with Folder({"big.floorplan": PLAN}) as folder, Stdio("floorplan", root=folder.path) as q:
    seen, first = [], 0
    for _ in range(9):
        result = q.call("render_floorplan", {"file_path": "big.floorplan", "width": 200, "firstRoom": first})["result"]
        answer = result["structuredContent"]
        size = sum(len(block.get("text", "")) for block in result["content"])
        tap.ok(size < 75000, f"from room {first} the text is bounded", size)
        seen += [room["name"] for room in answer["rooms"]]
        more = re.search(r"firstRoom (\d+)", " ".join(answer.get("_warnings", [])))
        if not more:
            break
        first = int(more.group(1))
    tap.same(seen, [f"R{i}" for i in range(500)], "the calls that it names have the rest, each room once")
    tap.same(answer["summary"]["totalRooms"], 500, "and the total is told")
    result = q.call("render_floorplan", {"file_path": "big.floorplan", "width": 200, "firstRoom": 10000})["result"]
    tap.same(result["structuredContent"]["rooms"], [], "behind the last there is none")
    seen, first = [], 0
    for _ in range(9):
        result = q.call("analyze_floorplan", {"file_path": "big.floorplan", "firstRoom": first})["result"]
        answer = result["structuredContent"]
        tap.ok(sum(len(block.get("text", "")) for block in result["content"]) < 60000, f"figures from room {first} are bounded")
        seen += [room["name"] for room in answer["rooms"]]
        more = re.search(r"firstRoom (\d+)", " ".join(answer.get("_warnings", [])))
        if not more:
            break
        first = int(more.group(1))
    tap.same(seen, [f"R{i}" for i in range(500)], "the calls that it names have the rest of the figures, each room once")
    tap.same((len(answer["summary"]["unreachable"]), answer["summary"]["totalRooms"]), (120, 500), "rooms without a way in are named up to a bound")

TOWER = "floorplan\n" + "".join(f"  floor f{i} {{\n    room R{i} at (0,0) size (4 x 4) walls [top: solid]\n  }}\n" for i in range(100))
with Folder({"tower.floorplan": TOWER}) as folder, Stdio("floorplan", root=folder.path) as q:
    answer = q.call("render_floorplan", {"file_path": "tower.floorplan", "width": 200})["result"]["structuredContent"]
    floors = [f["id"] for f in answer["floorMetrics"]]
    tap.ok(any("call analyze_floorplan with firstFloor 40" in w for w in answer["_warnings"]), "a drawing names the call for more floors", answer["_warnings"])
    for first in (40, 80):
        floors += [f["id"] for f in q.call("analyze_floorplan", {"file_path": "tower.floorplan", "firstFloor": first})["result"]["structuredContent"]["floors"]]
    tap.same(floors, [f"f{i}" for i in range(100)], "which lists each floor once")


def rooms(n, name=lambda i: f"R{i}", at=lambda i: (i % 50 * 4, i // 50 * 4), tail=""):
    return "".join(f"    room {name(i)} at ({at(i)[0]},{at(i)[1]}) size (4 x 4) walls [top: solid]{tail}\n" for i in range(n))


def plan(body, after=""):
    return "floorplan\n  floor f1 {\n" + body + "  }\n" + after


HOSTILE = {
    "overlapping rooms": plan(rooms(400, at=lambda i: (i % 3, i % 5))),
    "one name for all": plan(rooms(1500, name=lambda i: "A")),
    "long names": plan(rooms(200, name=lambda i: "N" * 2000 + str(i), at=lambda i: (i % 30 * 3, i // 30 * 3))),
    "long labels": plan(rooms(200, tail=' label "' + "L" * 2000 + '"')),
    "a label of 300 kB": plan(rooms(1, tail=' label "' + "W" * 300000 + '"')),
    "stairs": plan(rooms(1) + "".join(f"    stair S{i} at ({i},{i}) shape straight toward top rise 3\n" for i in range(800))),
    "lifts": plan(rooms(1) + "".join(f"    lift L{i} at ({i},{i}) size (2 x 2) doors (top)\n" for i in range(800))),
    "connections": plan(rooms(800), "".join(f"  connect R{i} to R{i * 7 % 800} door\n" for i in range(800))),
    "sub-rooms": plan("    room A at (0,0) size (400 x 400) walls [top: solid] composed of [\n" + "".join(
        f"    sub-room S{i} at ({i % 50 * 8},{i // 50 * 8}) size (8 x 8) walls [top: solid]\n" for i in range(800)) + "    ]\n"),
    "errors": plan("".join(f"    room R{i} at (0,0) size Nope{'x' * 400}{i} walls [top: solid]\n" for i in range(300))),
}
CALLS = [
    ("validate_floorplan", {}), ("analyze_floorplan", {}), ("critique_floorplan", {}), ("read_floorplan", {}),
    ("render_floorplan", {"width": 200}), ("export_floorplan", {"output_path": "o.csv", "schedule": "rooms", "overwrite": True}),
    ("modify_floorplan", {"operations": [{"action": "add_label", "target": f"R{i}", "params": {"label": "x"}} for i in range(500)]}),
    ("modify_floorplan", {"operations": [{"action": "add_floor", "params": {"name": "f9"}}]}),
]
for what, text in HOSTILE.items():
    with Folder({"p.floorplan": text}) as folder, Stdio("floorplan", root=folder.path) as q:
        for tool, arguments in CALLS:
            result = q.call(tool, {"file_path": "p.floorplan", **arguments})["result"]
            size = sum(len(block.get("text", "")) for block in result["content"])
            tap.ok(0 < size <= 60000, f"{what}: the answer of {tool} is bounded", size)

with Folder({"p.floorplan": HOSTILE["overlapping rooms"]}) as folder, Stdio("floorplan", root=folder.path) as q:
    seen, first = [], 0
    for _ in range(40):
        answer = q.call("validate_floorplan", {"file_path": "p.floorplan", "firstWarning": first})["result"]["structuredContent"]
        seen += [(w["line"], w["message"]) for w in answer["warnings"]]
        told = " ".join(answer.get("_warnings", []))
        more = re.search(r"warnings \d+ to \d+ of (\d+) are listed; call again with firstWarning (\d+)", told)
        if not more:
            break
        tap.ok(first or "warnings by type: overlap" in told, "warnings are counted by type", told)
        first = int(more.group(2))
    tap.same((len(seen), len(set(seen))), (1000, 1000), "the calls that it names list every warning once")
    tap.ok("the plan has 1000 warnings or more" in told, "what was not looked at is told", told)
tap.done()
