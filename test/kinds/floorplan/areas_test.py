#!/usr/bin/env python3
"""The three areas of a plan: to wall centre lines, to the outer faces, inside the walls. All areas are computed by hand."""
import csv
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

tap = Tap()
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
SOLID = "walls [top: solid, right: solid, bottom: solid, left: solid]"


def plan(*floors):
    """Inner walls are 0.2 m thick, outer ones 0.3 m."""
    text = "floorplan\n  config { default_unit: m, wall_thickness: 0.2 }\n"
    for number, rooms in enumerate(floors):
        text += f"  floor F{number} {{\n" + "".join(f"    room {room}\n" for room in rooms) + "  }\n"
    return text


A, B = f"A at (0,0) size (4 x 3) {SOLID}", f"B at (4,0) size (4 x 3) {SOLID}"
LONG = f"A at (0,0) size (4 x 6) {SOLID}"
BOOTH = f"composed of [ sub-room S at (2,2) size (2 x 2) {SOLID} ]"
OPEN_A, OPEN_B = A.replace("right: solid", "right: open"), B.replace("left: solid", "left: open")
# Name, text, sums (centre-line, gross, net), net areas of the rooms.
PLANS = [
    # 8.3 x 3.3 outside; each room (4 - 0.15 - 0.1) x (3 - 0.3).
    ("two rooms", plan([A, B]), (24, 27.39, 20.25), [10.13, 10.13]),
    # The wall between them continues as an outer one and is as thick: 4.3 x 6.3 + 4 x 3.3 outside, 3.7 x 5.7 and 3.7 x 2.7 within.
    ("an L-shape", plan([LONG, B]), (36, 40.29, 31.08), [21.09, 9.99]),
    # The upper floor is one room: 4.3 x 3.3 outside, 3.7 x 2.7 within.
    ("two floors", plan([A, B], [A]), (36, 41.58, 30.24), [10.13, 10.13, 9.99]),
    # No wall between them: 7.7 x 2.7 within; each has 3.85 x 2.7.
    ("rooms open to each other", plan([OPEN_A, OPEN_B]), (24, 27.39, 20.79), [10.4, 10.4]),
    # The same area twice counts once, except in the sum of the rooms.
    ("rooms upon each other", plan([A, f"C at (0,0) size (4 x 3) {SOLID}"]), (24, 14.19, 9.99), [9.99, 9.99]),
    # 8.3 x 8.3 outside, 7.7 x 7.7 within; the ring of the sub-room is 2.2 x 2.2 - 1.8 x 1.8.
    ("a sub-room", plan([f"A at (0,0) size (8 x 8) {SOLID} {BOOTH}"]), (64, 68.89, 57.69), [59.29, 3.24]),
    # Narrower than its walls: no area is left.
    ("a slit", plan([f"A at (0,0) size (0.2 x 3) {SOLID}"]), (0.6, 1.65, 0), [0]),
    ("no room", plan([]), (0, 0, 0), []),
]
with open(os.path.join(TOP, "examples/house.floorplan"), encoding="utf-8") as f:
    HOUSE = f.read()
# Walls of 0.15 m and 0.25 m, two floors of 9 x 10: 9.25 x 10.25 outside each.
PLANS.append(("the example house", HOUSE, (180, 189.63, 163.68),
              [16.24, 33.64, 14.44, 18.24, 16.24, 14.63, 6.84, 14.44, 18.24, 10.73]))


def sums(row, gross):
    return tuple(row[key] for key in ("centreLineArea", gross, "netArea"))


def near(have, want):
    return len(have) == len(want) and all(abs(a - b) <= 0.0101 for a, b in zip(have, want))


with Folder({"plan.floorplan": ""}) as folder, Stdio("floorplan", root=folder.path) as q:
    for name, text, want, rooms in PLANS:
        folder.write("plan.floorplan", text)
        a = q.call("analyze_floorplan", {"file_path": "plan.floorplan"})["result"]["structuredContent"]
        tap.ok(near(sums(a["summary"], "grossFloorArea"), want), f"{name}: centre-line, gross and net area", a.get("summary"))
        of_floors = [sums(f, "grossArea") for f in a["floors"]]
        tap.ok(near([sum(column) for column in zip(*of_floors)], want), f"{name}: those of the floors add up", of_floors)
        tap.ok(near([r["netArea"] for r in a["rooms"]], rooms), f"{name}: net areas of the rooms", a["rooms"])
        if not rooms:
            continue
        # The schedule has the same areas, on upper floors too.
        q.call("export_floorplan", {"file_path": "plan.floorplan", "output_path": "list.csv", "schedule": "rooms", "overwrite": True})
        with open(os.path.join(folder.path, "list.csv"), encoding="utf-8", newline="") as f:
            listed = list(csv.DictReader(f))
        tap.ok(near([float(r["net_area_sqm"]) for r in listed], rooms), f"{name}: net areas in the schedule", listed)
        tap.ok(near([float(r["centre_line_area_sqm"]) for r in listed], [r["area"] for r in a["rooms"]]),
               f"{name}: centre-line areas in the schedule", listed)
        drawn = q.call("render_floorplan", {"dsl": text, "format": "svg", "showFloorSummary": True})["result"]
        tap.ok(near(sums(drawn["structuredContent"]["summary"], "netArea")[::2], want[::2]), f"{name}: the drawing's answer says so too")
    # In another unit all three are converted.
    a = q.call("analyze_floorplan", {"dsl": PLANS[0][1], "areaUnit": "sqft"})["result"]["structuredContent"]
    tap.ok(near(sums(a["summary"], "grossFloorArea"), (258.33, 294.82, 217.97)), "in square feet", a["summary"])
tap.done()
