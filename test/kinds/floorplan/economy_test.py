#!/usr/bin/env python3
"""What a model pays for: pictures of at most 60 KB unless it asks for more, and answers without what is not wanted."""
import base64
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../examples")
tap = Tap()


def large():
    """A floor of 12 by 10 rooms, every one with a door and a label."""
    rooms = [f'    room R{x}_{y} at ({x * 4},{y * 3}) size (4 x 3) walls [top: door, right: solid, bottom: door, left: window] label "Room {x} of {y}"'
             for x in range(12) for y in range(10)]
    return "floorplan\n  floor F {\n" + "\n".join(rooms) + "\n  }\n  config { default_unit: m, show_dimensions: true }\n"


def picture(q, **arguments):
    result = q.call("render_floorplan", arguments)["result"]
    raw = [base64.b64decode(b["data"]) for b in result["content"] if b["type"] == "image"][0]
    return raw, struct.unpack(">II", raw[16:24]), result["structuredContent"]


with Folder({}) as folder, Stdio("floorplan", root=folder.path) as q:
    plans = {"large": large()}
    for name in ("flat", "house"):
        with open(os.path.join(EXAMPLES, name + ".floorplan"), encoding="utf-8") as f:
            plans[name] = f.read()
    for name, dsl in plans.items():
        for view in ("plan", "axonometric"):
            raw, (width, height), said = picture(q, dsl=dsl, view=view)
            tap.ok(len(raw) <= 60000, f"{name}, {view}: at most 60 KB", len(raw))
            tap.same((said["width"], said["height"]), (width, height), f"{name}, {view}: the answer has the picture's size")
            raw, (width, _), _ = picture(q, dsl=dsl, view=view, width=1200)
            tap.same(width, 1200, f"{name}, {view}: a width that is asked for is kept")
    _, _, said = picture(q, dsl=plans["house"], rooms=False)
    tap.same(said["rooms"], [], "rooms: false leaves the rooms out")
    _, _, said = picture(q, dsl=plans["house"])
    tap.ok(said["rooms"] and all("resolvedPosition" not in r or r["resolvedPosition"] != r["position"] for r in said["rooms"]),
           "a resolved position is told only where it differs")
tap.done()
