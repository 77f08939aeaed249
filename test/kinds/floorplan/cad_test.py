#!/usr/bin/env python3
"""DXF files are read back by ezdxf and schedules by Python's csv, and compared with the plan."""
import csv
import io
import os
import sys

try:
    import ezdxf
    from ezdxf import recover
except ImportError:  # the first python3 in the path may not be the one of Debian's packages
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    ezdxf = None

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import DATA, Folder, Stdio, Tap  # noqa: E402

tap = Tap()
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
PLANS = os.path.join(DATA, "floorplan/plans")
SOLID = "walls [top: solid, right: solid, bottom: solid, left: solid]"
ODD = ("floorplan\n  config { default_unit: m }\n  floor A {\n"
       f"    room R1 at (0,0) size (4 x 3) {SOLID} label \"Küche 100%% \\P ^I 厨\"\n"
       f"    room R2 at (4,0) size (4 x 3) {SOLID} label '=1+2, \"x\"'\n"
       f"    room R3 at (8,0) size (4 x 3) {SOLID} label \"@home\"\n  }}\n"
       "  connect R1.right to R2.left double-door\n  connect R2.right to R3.left opening\n  connect R1.top to outside door\n")
UNITS = {"m": 6, "ft": 2, "cm": 5, "in": 1, "mm": 4}

files = {"odd.floorplan": ODD}
for name in ("flat", "house"):
    with open(os.path.join(TOP, f"examples/{name}.floorplan"), encoding="utf-8") as f:
        files[f"{name}.floorplan"] = f.read()
for name in sorted(os.listdir(PLANS)):
    with open(os.path.join(PLANS, name), encoding="utf-8") as f:
        files[name] = f.read()
for unit, scale in (("ft", 3), ("cm", 100), ("in", 40), ("mm", 1000)):
    files[f"{unit}.floorplan"] = (f"floorplan\n  config {{ default_unit: {unit} }}\n  floor A {{\n    room R at (0,0) size ({4 * scale} x {3 * scale}) "
                                  "walls [top: door, right: window, bottom: solid, left: solid]\n  }\n")


def export(q, **arguments):
    result = q.call("export_floorplan", {"overwrite": True, **arguments})["result"]
    return result.get("isError"), result["content"][0]["text"], result.get("structuredContent", {})


def table(folder, q, name, schedule):
    error, text, answer = export(q, file_path=name, output_path="list.csv", schedule=schedule)
    tap.ok(not error, f"{name}: the {schedule} are listed", text)
    with open(os.path.join(folder.path, "list.csv"), "rb") as f:
        raw = f.read()
    tap.ok(raw.endswith(b"\r\n") and raw.count(b"\n") == raw.count(b"\r\n"), f"{name}: lines of {schedule} end as RFC 4180 says")
    rows = list(csv.reader(io.StringIO(raw.decode("utf-8"), newline=""), strict=True))
    tap.ok(all(len(row) == len(rows[0]) for row in rows), f"{name}: all lines of {schedule} have as many fields as the head")
    return [dict(zip(rows[0], row)) for row in rows[1:]], answer


def flat(rooms):
    return [r for room in rooms for r in [room, *flat(room.get("subRooms", []))]]


def rooms_of(q, name):
    found, first = [], 0
    while True:
        answer = q.call("render_floorplan", {"file_path": name, "width": 64, "firstRoom": first})["result"]["structuredContent"]
        found += answer["rooms"]
        if not answer["rooms"] or len(found) >= answer["summary"]["totalRooms"]:
            return flat(found), answer
        first = len(found)


def corners(entity):
    points = [tuple(p)[:2] for p in (entity.points() if entity.dxftype() == "POLYLINE" else entity.get_points("xy"))]
    return points


def crossings(loops):
    """How often a vertical line of the walls crosses a horizontal one: 0 if walls that meet share one outline."""
    edges = [(a, b) for loop in loops for a, b in zip(loop, loop[1:] + loop[:1])]
    level = [(a[1], *sorted((a[0], b[0]))) for a, b in edges if abs(a[1] - b[1]) < 1e-9]
    upright = [(a[0], *sorted((a[1], b[1]))) for a, b in edges if abs(a[0] - b[0]) < 1e-9]
    return sum(1 for y, left, right in level for x, low, high in upright if left + 1e-6 < x < right - 1e-6 and low + 1e-6 < y < high - 1e-6)


def compare(folder, q, name, version="2000"):
    error, text, answer = export(q, file_path=name, output_path="plan.dxf")
    if not tap.ok(not error, f"{name}: written as DXF {version}", text):
        return
    path = os.path.join(folder.path, "plan.dxf")
    with open(path, "rb") as f:
        raw = f.read()
    tap.ok(all(byte < 127 for byte in raw), f"{name}: {version} is ASCII")
    doc = ezdxf.readfile(path)
    audit = doc.audit()
    tap.same([e.message for e in audit.errors], [], f"{name}: {version} has no errors")
    rooms, drawn = rooms_of(q, name)
    tap.same(doc.dxfversion, "AC1015", f"{name}: the version is {version}")
    if version == "2000":
        tap.same(doc.header["$INSUNITS"], UNITS[drawn["unit"]["name"]], f"{name}: the unit is the plan's")
    model = doc.modelspace()
    boxes = {}
    for e in model.query("POLYLINE LWPOLYLINE"):
        if e.dxf.layer == "ROOMS":
            points = corners(e)
            xs, ys = [p[0] for p in points], [p[1] for p in points]
            key = (round(max(xs) - min(xs), 3), round(max(ys) - min(ys), 3))
            boxes[key] = boxes.get(key, 0) + 1
    want = {}
    for r in rooms:
        key = (round(r["size"]["width"], 3), round(r["size"]["height"], 3))
        want[key] = want.get(key, 0) + 1
    tap.same(boxes, want, f"{name}: every room stands in {version} with its size")
    loops = [corners(e) for e in model.query("POLYLINE LWPOLYLINE") if e.dxf.layer == "WALLS"]
    tap.ok(all(e.is_closed for e in model.query("POLYLINE LWPOLYLINE") if e.dxf.layer == "WALLS"), f"{name}: walls of {version} are closed")
    tap.same(crossings(loops), 0, f"{name}: no two lines of walls cross in {version}")
    doors, _ = table(folder, q, name, "doors")
    windows, _ = table(folder, q, name, "windows")
    leaves = sum(1 for d in doors if d["type"] != "opening")
    tap.same(len(model.query('INSERT[layer=="DOORS"]')), leaves, f"{name}: each door is a block of {version}")
    tap.same(len(model.query('INSERT[layer=="WINDOWS"]')), len(windows), f"{name}: each window is a block of {version}")
    tap.ok(all(i.dxf.name in doc.blocks for i in model.query("INSERT")), f"{name}: every block of {version} is defined")
    return doc


def check_swings(doc, q, name):
    """A leaf turns into the room that the schedule names."""
    rooms = {r["name"]: r for r in rooms_of(q, name)[0]}
    doors = [d for d in table(folder, q, name, "doors")[0] if d["type"] == "door"]
    inserts = [i for i in doc.modelspace().query('INSERT[layer=="DOORS"]') if i.dxf.name.startswith("DOOR_")]
    tap.same(len(inserts), len(doors), f"{name}: as many single doors as listed")
    wrong = []
    for insert, door in zip(inserts, doors):
        arc = next(e for e in insert.virtual_entities() if e.dxftype() == "ARC")
        at = (arc.start_point + arc.end_point) / 2
        r = rooms.get(door["opens_into"])
        if r is None:
            continue
        x, y = r.get("resolvedPosition", r["position"])["x"], r.get("resolvedPosition", r["position"])["y"]
        if not (x <= at.x <= x + r["size"]["width"] and y <= -at.y <= y + r["size"]["height"]):
            wrong.append((door, tuple(at)))
        if abs(arc.dxf.radius - float([v for k, v in door.items() if k.startswith("width_")][0])) > 1e-3:
            wrong.append((door, arc.dxf.radius))
    tap.same(wrong, [], f"{name}: every leaf turns into the room that the schedule names")


with Folder(files) as folder, Stdio("floorplan", root=folder.path) as q:
    if ezdxf:
        usable = [n for n in files if q.call("validate_floorplan", {"file_path": n})["result"]["structuredContent"]["valid"]]
        for number, name in enumerate(usable):
            doc = compare(folder, q, name)
            if name in ("flat.floorplan", "house.floorplan"):
                error, text, _ = export(q, file_path=name, output_path="plan.dxf", floorIndex=0)
                if name == "flat.floorplan":
                    check_swings(ezdxf.readfile(os.path.join(folder.path, "plan.dxf")), q, name)
        doc = compare(folder, q, "odd.floorplan", "2000")
        with open(os.path.join(folder.path, "plan.dxf"), encoding="ascii") as f:
            tap.ok("K\\U+00FCche 100%%%%%% \\U+005CP ^ I \\U+53A8" in f.read(), "other characters are written as \\U+XXXX")
        doc, _ = recover.readfile(os.path.join(folder.path, "plan.dxf"))
        labels = [e.dxf.text for e in doc.modelspace().query('TEXT[layer=="LABELS"]')]
        tap.ok(any("Küche" in t and "厨" in t for t in labels), "and read back as they were", labels)
    else:
        tap.skip("DXF files are read back", "python3-ezdxf is not installed")

    # Schedules.
    rooms, answer = table(folder, q, "odd.floorplan", "rooms")
    tap.same([r["label"] for r in rooms], ["Küche 100%% \\P ^I 厨", "'=1+2, \"x\"", "'@home"], "words that a spreadsheet would run stand behind an apostrophe")
    tap.ok(any("apostrophe" in w for w in answer.get("_warnings", [])), "and the answer says so", answer)
    tap.same((rooms[0]["width_m"], rooms[0]["centre_line_area_sqm"], rooms[0]["doors"]), ("4", "12", "2"), "a room's figures")
    doors, _ = table(folder, q, "odd.floorplan", "doors")
    tap.same([(d["mark"], d["type"], d["from"], d["to"]) for d in doors],
             [("D1", "double-door", "R1", "R2"), ("D2", "opening", "R2", "R3"), ("D3", "door", "R1", "outside")], "doors with their rooms")
    rooms, _ = table(folder, q, "house.floorplan", "rooms")
    tap.same(len(rooms), 10, "rooms of all floors are listed")
    export(q, file_path="house.floorplan", output_path="list.csv", floor="Upper")
    tap.same(len(folder.read("list.csv").splitlines()) if isinstance(folder.read("list.csv"), str) else folder.read("list.csv").count(b"\n"), 7,
             "or those of one floor")
    export(q, file_path="house.floorplan", output_path="list.csv", lengthUnit="ft", areaUnit="sqft")
    tap.ok("width_ft" in str(folder.read("list.csv")) and "193.75" in str(folder.read("list.csv")), "in the units asked for", folder.read("list.csv"))

    # Unsupported options are refused, and the advice works.
    for arguments, word, heeded in (({"output_path": "a.png", "dxf_version": "R12"}, "dxf_version", {"output_path": "a.dxf"}),
                                    ({"output_path": "b.png", "schedule": "rooms"}, "schedule", {"output_path": "b.csv", "schedule": "rooms"}),
                                    ({"output_path": "c.csv", "dxf_version": "2000"}, "dxf_version", {"output_path": "c.csv"}),
                                    ({"output_path": "d.dxf", "dxf_version": "R13"}, "dxf_version", {"output_path": "d.dxf"}),
                                    ({"output_path": "e.csv", "schedule": "walls"}, "schedule", {"output_path": "e.csv", "schedule": "windows"}),
                                    ({"output_path": "f.dxf", "format": "csv"}, "format", {"output_path": "f.dxf", "format": "dxf"}),
                                    ({"output_path": "h.csv", "crop": "Hall"}, "crop", {"output_path": "h.png", "crop": "Hall"}),
                                    ({"output_path": "i.dxf", "theme": "dark"}, "theme", {"output_path": "i.svg", "theme": "dark"}),
                                    ({"output_path": "j.dxf", "paper": "A3"}, "paper", {"output_path": "j.pdf", "paper": "A3"}),
                                    ({"output_path": "g.csv", "floor": "Cellar"}, "Cellar", {"output_path": "g.csv", "floorIndex": 0})):
        error, text, _ = export(q, file_path="house.floorplan", **arguments)
        tap.ok(error and word in text and not os.path.exists(os.path.join(folder.path, arguments["output_path"])), f"{arguments} is refused", text)
        error, text, _ = export(q, file_path="house.floorplan", **heeded)
        tap.ok(not error and os.path.getsize(os.path.join(folder.path, heeded["output_path"])) > 50, f"{heeded} works", text)
    for name in ("dxf", "csv"):
        result = q.call("render_floorplan", {"file_path": "house.floorplan", "format": name})["result"]
        tap.ok(result.get("isError"), f"render_floorplan has no {name}", result)
tap.done()
