#!/usr/bin/env python3
"""A plan of 500 rooms is drawn with an answer that clients take, and the call that it names has the rest."""
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
tap.done()
