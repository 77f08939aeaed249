#!/usr/bin/env python3
"""GLB models are checked by Khronos' validator, read by our own reader here, and compared with the plan."""
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import DATA, Folder, Stdio, Tap  # noqa: E402

tap = Tap()
TOP = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
PLANS = os.path.join(DATA, "floorplan/plans")
VALIDATOR = os.path.join(TOP, "test/node/node_modules/gltf-validator")
SOLID = "walls [top: solid, right: solid, bottom: solid, left: solid]"
BOX = ("floorplan\n  config { default_unit: m, default_height: 2.6 }\n  floor A {\n    room R at (0,0) size (4 x 3) "
       "walls [top: solid, right: solid, bottom: solid, left: window at 50% size (1 x 1.2)]\n  }\n  connect R.top to outside door at 50% size (0.9 x 2.1)\n")
# In feet; two storeys; an L of rooms with a corner missing, an island, a sub-room, a lower room, every stair shape, a lift.
ODD = ("floorplan\n  config { default_unit: ft, default_height: 9, floor_thickness: 1 }\n  floor A height 9 {\n"
       f"    room A at (0,0) size (20 x 20) {SOLID} composed of [\n      sub-room S at (2,2) size (5 x 5) {SOLID}\n    ]\n"
       f"    room B at (20,0) size (12 x 10) {SOLID}\n    room C at (0,20) size (10 x 12) height 12 {SOLID}\n"
       f"    room D at (40,30) size (10 x 10) elevation -2 {SOLID}\n"
       f"    room E at (60,0) size (60 x 60) {SOLID}\n"
       "    stair S1 at (62,2) shape straight toward bottom rise 9 width 4\n"
       "    stair S2 at (70,2) shape L-shaped from bottom turn right rise 9 width 4\n"
       "    stair S3 at (90,2) shape U-shaped from bottom turn left rise 9 width 4\n"
       "    stair S4 at (62,30) shape spiral rotation clockwise outer-radius 4 rise 9\n"
       "    stair S5 at (72,36) shape winder from bottom turn right winders 3 rise 9 width 4\n"
       "    stair S6 at (92,36) shape curved from bottom radius 10 rise 9 width 4\n"
       "    lift L at (110,50) size (6 x 6) doors (top)\n  }\n"
       f"  floor B height 8 {{\n    room U at (60,0) size (60 x 60) {SOLID}\n    stair S1 at (62,2) shape straight toward bottom rise 9 width 4\n  }}\n"
       "  connect A.right to B.left opening size (4 x full)\n  connect A.bottom to C.top double-door\n  connect A.left to outside door\n"
       "  vertical A.S1 to B.S1\n")
files = {"box.floorplan": BOX, "odd.floorplan": ODD, "none.floorplan": "floorplan\n", "empty.floorplan": "floorplan\n  floor A {\n  }\n"}
for name in ("flat", "house"):
    with open(os.path.join(TOP, f"examples/{name}.floorplan"), encoding="utf-8") as f:
        files[f"{name}.floorplan"] = f.read()
for name in sorted(os.listdir(PLANS)):
    with open(os.path.join(PLANS, name), encoding="utf-8") as f:
        files[name] = f.read()


def load(path):
    with open(path, "rb") as f:
        raw = f.read()
    magic, version, length = struct.unpack("<4sII", raw[:12])
    assert (magic, version, length) == (b"glTF", 2, len(raw)), (magic, version, length, len(raw))
    size, kind = struct.unpack("<I4s", raw[12:20])
    assert kind == b"JSON" and size % 4 == 0
    head = json.loads(raw[20:20 + size])
    return head, raw[28 + size:]


def triangles(head, binary, mesh):
    out = []
    for primitive in head["meshes"][mesh]["primitives"]:
        def numbers(accessor, n, kind):
            a = head["accessors"][accessor]
            at = head["bufferViews"][a["bufferView"]]["byteOffset"]
            flat = struct.unpack(f"<{a['count'] * n}{kind}", binary[at:at + 4 * n * a["count"]])
            return [flat[i:i + n] for i in range(0, len(flat), n)]
        points, normals = numbers(primitive["attributes"]["POSITION"], 3, "f"), numbers(primitive["attributes"]["NORMAL"], 3, "f")
        indices = [i[0] for i in numbers(primitive["indices"], 1, "I")]
        out += [([points[i] for i in indices[k:k + 3]], normals[indices[k]]) for k in range(0, len(indices), 3)]
    return out


def cross(a, b, c):
    u, v = [b[i] - a[i] for i in range(3)], [c[i] - a[i] for i in range(3)]
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def volume(mesh):
    """By the divergence theorem: correct only for a closed surface whose triangles all face outwards."""
    return sum(sum(a[i] * cross(a, b, c)[i] for i in range(3)) + 0 for (a, b, c), _ in mesh) / 6 if mesh else 0


def misturned(mesh):
    return sum(1 for (a, b, c), n in mesh if sum(x * y for x, y in zip(cross(a, b, c), n)) <= -1e-9)


def storeys(head, binary):
    out = {}
    for root in head["scenes"][0].get("nodes", []):
        node = head["nodes"][root]
        out[node["name"]] = {head["nodes"][c]["name"]: triangles(head, binary, head["nodes"][c]["mesh"]) for c in node.get("children", [])}
    return out


def bounds(mesh, axis):
    values = [p[axis] for t, _ in mesh for p in t]
    return min(values), max(values)


def faces_seen(parts, metre):
    """Visible triangles, projected: corners with their depth, and their kind."""
    out = []
    toward = (0.5 * math.cos(math.radians(50)), math.sin(math.radians(50)), math.sqrt(0.75) * math.cos(math.radians(50)))
    for part, mesh in parts.items():
        for corners, normal in mesh:
            if sum(a * b for a, b in zip(normal, toward)) <= 1e-6:
                continue
            flat = []
            for x, up, y in corners:
                x, up, y = x / metre, up / metre, y / metre
                flat.append((x * math.sqrt(0.75) - y * 0.5, (x * 0.5 + y * math.sqrt(0.75)) * math.sin(math.radians(50)) - up * math.cos(math.radians(50)),
                             x * toward[0] + up * toward[1] + y * toward[2]))
            way = "top" if normal[1] > 0.5 else "front" if normal[2] > 0.5 else "right"
            out.append((flat, (part, way)))
    return out


def nearest(faces, at):
    best, kind = -math.inf, None
    for (a, b, c), what in faces:
        area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
        if abs(area) < 1e-12:
            continue
        u = ((at[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (at[1] - a[1])) / area
        v = ((b[0] - a[0]) * (at[1] - a[1]) - (at[0] - a[0]) * (b[1] - a[1])) / area
        if u >= 0 and v >= 0 and u + v <= 1:
            depth = a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2])
            if depth > best:
                best, kind = depth, what
    return None if kind is None else ("stairs", "") if kind[0] == "stairs" else kind


def png(path):
    """Width, height and a function that returns a pixel's colour, for our own PNG files, which have no filters."""
    with open(path, "rb") as f:
        raw = f.read()
    at, data, palette = 8, b"", None
    while at < len(raw):
        size, kind = struct.unpack(">I4s", raw[at:at + 8])
        body = raw[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        elif kind == b"PLTE":
            palette = body
        elif kind == b"IDAT":
            data += body
        at += 12 + size
    data = zlib.decompress(data)
    channels = {2: 3, 3: 1}[colour]
    stride = 1 + (width * channels * depth + 7) // 8
    assert all(data[y * stride] == 0 for y in range(height))

    def pixel(x, y):
        if channels == 3:
            at = y * stride + 1 + 3 * x
            return data[at:at + 3]
        bit = x * depth
        index = data[y * stride + 1 + bit // 8] >> (8 - depth - bit % 8) & ((1 << depth) - 1)
        return palette[3 * index:3 * index + 3]
    return width, height, pixel


def near(a, b, slack=1e-3):
    return abs(a - b) <= slack * max(1, abs(b))


with Folder(files) as folder, Stdio("floorplan", root=folder.path) as q:
    models = {}
    for name in files:
        result = q.call("export_floorplan", {"file_path": name, "output_path": name.replace(".floorplan", ".glb")})["result"]
        if result.get("isError") and not q.call("validate_floorplan", {"file_path": name})["result"]["structuredContent"]["valid"]:
            continue
        if tap.ok(not result.get("isError"), f"{name} is written", result["content"][0]["text"]):
            models[name] = os.path.join(folder.path, name.replace(".floorplan", ".glb"))
    if os.path.isdir(VALIDATOR):
        script = ("const v=require(process.argv[1]),fs=require('fs');(async()=>{const out=[];for(const f of process.argv.slice(2)){"
                  "const r=await v.validateBytes(new Uint8Array(fs.readFileSync(f)));out.push([r.issues.numErrors,r.issues.numWarnings,r.issues.messages.slice(0,2)])}"
                  "console.log(JSON.stringify(out))})()")
        run = subprocess.run(["node", "-e", script, VALIDATOR, *models.values()], capture_output=True, text=True, check=False)
        verdicts = json.loads(run.stdout) if run.stdout else []
        tap.same(len(verdicts), len(models), "the validator read them all")
        for name, verdict in zip(models, verdicts):
            tap.same(verdict[:2], [0, 0], f"{name}: the validator finds nothing")
    else:
        tap.skip("the validator finds nothing", "test/node has no gltf-validator; make node")
    for name, path in models.items():
        head, binary = load(path)
        plan = q.call("analyze_floorplan", {"file_path": name})["result"]["structuredContent"]
        found = storeys(head, binary)
        tap.same(list(found), [f["id"] for f in plan["floors"]], f"{name}: a node for each floor")
        metre = {"m": 1, "ft": 0.3048, "cm": 0.01, "in": 0.0254, "mm": 0.001}[plan["unit"]["name"]]
        for floor in plan["floors"]:
            parts = found[floor["id"]]
            box = floor["boundingBox"]
            tap.same(sum(misturned(m) for m in parts.values()), 0, f"{name} {floor['id']}: every triangle faces the way its normal says")
            if "slab" not in parts:
                continue
            (x1, x2), (z1, z2) = bounds(parts["slab"], 0), bounds(parts["slab"], 2)
            thick = 0.6 * max(1, metre)
            tap.ok(all(0 <= d <= thick for d in (box["minX"] * metre - x1 + 1e-6, x2 - (box["minX"] + box["width"]) * metre + 1e-6,
                                                box["minY"] * metre - z1 + 1e-6, z2 - (box["minY"] + box["height"]) * metre + 1e-6))
                   or "stair" in str(plan["warnings"]), f"{name} {floor['id']}: it covers the plan's ground", [x1, x2, z1, z2, box])
            tap.ok(all(volume(m) > 0 for m in parts.values()), f"{name} {floor['id']}: bodies are closed and filled")

    # A room of 4 by 3 metres whose walls are 0.25 thick, with one door and one window, by hand.
    parts = storeys(*load(models["box.floorplan"]))["A"]
    ring = 4.25 * 3.25 - 3.75 * 2.75
    tap.ok(near(volume(parts["walls"]), ring * 2.6 - 0.25 * (0.9 * 2.1 + 1 * 1.2)), "walls have the volume that the openings leave", volume(parts["walls"]))
    tap.ok(near(volume(parts["slab"]), 4.25 * 3.25 * 0.2), "the slab reaches to the outer faces", volume(parts["slab"]))
    heads = sorted({round(p[1], 3) for t, _ in parts["walls"] for p in t})
    tap.same(heads, [0.0, 0.9, 2.1, 2.6], "with the heights of door, sill and ceiling")
    tap.ok(all(near(c, w) for c, w in zip(bounds(parts["walls"], 2), (-0.125, 3.125))), "the plan's y runs along z")
    for part in ("walls", "slab"):
        total = [0.0, 0.0, 0.0]
        for (a, b, c), _ in parts[part]:
            total = [t + x / 2 for t, x in zip(total, cross(a, b, c))]
        tap.ok(all(abs(t) < 1e-5 for t in total), f"the {part} are closed: their faces' areas cancel", total)

    parts = storeys(*load(models["house.floorplan"]))
    tap.ok(near(bounds(parts["Upper"]["walls"], 1)[0], 3.0) and near(bounds(parts["Upper"]["walls"], 1)[1], 5.8), "a storey stands on the one below and its slab")
    tap.ok(near(bounds(parts["Ground"]["stairs"], 1)[1], 2.8), "the stair climbs its rise", bounds(parts["Ground"]["stairs"], 1))
    tap.ok("stairs" not in parts["Upper"], "where a stair arrives there is only the hole")
    parts = storeys(*load(models["odd.floorplan"]))
    tap.ok(near(bounds(parts["B"]["slab"], 1)[1], 10 * 0.3048), "in feet too", bounds(parts["B"]["slab"], 1))
    tap.ok(near(bounds(parts["A"]["slab"], 1)[0], -3 * 0.3048) and near(bounds(parts["A"]["walls"], 1)[1], 12 * 0.3048), "rooms have their elevation and height",
           [bounds(parts["A"]["slab"], 1), bounds(parts["A"]["walls"], 1)])
    hole = sum(abs(cross(a, b, c)[1]) / 2 for (a, b, c), n in parts["B"]["slab"] if n[1] > 0.5)
    tap.ok(hole < (60.8 ** 2 - 40) * 0.3048 ** 2, "the upper slab has a hole for the stair", hole)
    tap.ok(near(bounds(parts["A"]["stairs"], 1)[1], 9 * 0.3048), "all stairs climb to the next floor")

    # The axonometric view: at random places of the picture, the nearest face of the model (by a search of our own over all
    # its triangles) must be what is painted. Faces of one kind have one colour; places near edges are not checked.
    for name in ("box.floorplan", "house.floorplan", "odd.floorplan"):
        answer = q.call("export_floorplan", {"file_path": name, "output_path": "view.png", "overwrite": True, "view": "axonometric", "floorIndex": 0})["result"]
        if not tap.ok(not answer.get("isError"), f"{name}: an axonometric view is drawn", answer["content"][0]["text"]):
            continue
        answer = answer["structuredContent"]
        q.call("export_floorplan", {"file_path": name, "output_path": "view.glb", "overwrite": True, "floorIndex": 0})
        metre = {"odd.floorplan": 0.3048}.get(name, 1)
        parts = storeys(*load(os.path.join(folder.path, "view.glb")))
        seen = faces_seen(next(iter(parts.values())), metre)
        width, height, pixels = png(os.path.join(folder.path, "view.png"))
        tap.same((width, height), (answer["width"], answer["height"]), f"{name}: the picture is as large as told")
        left, right, top = min(p[0] for f in seen for p in f[0]), max(p[0] for f in seen for p in f[0]), min(p[1] for f in seen for p in f[0])
        scale = answer["scale"]
        dx, dy = (width - (right - left) * scale) / 2 - left * scale, 28 - top * scale
        colours, wrong, looked = {}, [], 0
        rng = random.Random(7)
        while looked < 220:
            x, y = rng.randrange(30, width - 30), rng.randrange(30, height - 50)
            at = ((x + 0.5 - dx) / scale, (y + 0.5 - dy) / scale)
            kinds = {nearest(seen, (at[0] + i / scale, at[1] + j / scale)) for i, j in ((0, 0), (3, 0), (-3, 0), (0, 3), (0, -3))}
            if len(kinds) > 1:
                continue
            looked += 1
            kind = kinds.pop()
            colours.setdefault(kind, {}).setdefault(pixels(x, y), []).append((x, y))
        for kind, found in colours.items():
            most = max(len(places) for places in found.values())
            tap.ok(kind == ("slab", "top") or sum(len(p) for p in found.values()) - most <= 0.04 * looked, f"{name}: {kind} is painted where it is nearest",
                   {k: v[:3] for k, v in found.items()})
        main = {k: max(v, key=lambda c: len(v[c])) for k, v in colours.items() if k and k[0] == "walls"}
        tap.same(len(set(main.values())), len(main), f"{name}: faces that look different ways differ")
    # A long title has several lines and stays within the picture.
    words = "The quite remarkable house of the two brothers on the far side of the narrow river, as it was built"
    for width in (400, 1200):
        drawn = q.call("render_floorplan", {"dsl": f"---\ntitle: {words}\n---\n{BOX}", "format": "svg", "view": "axonometric", "width": width})["result"]
        picture = next(b.get("text") or b["resource"]["text"] for b in drawn["content"] if "<svg" in str(b))
        lines = [(float(x), float(length), text) for x, length, text in re.findall(r'<text x="([\d.]+)"[^>]*textLength="([\d.]+)"[^>]*>([^<]*)', picture)]
        tap.ok(words in " ".join(text for _, _, text in lines) and all(x + length <= width for x, length, _ in lines), f"a title fits an axonometric view of {width}",
               lines)
    result = q.call("render_floorplan", {"file_path": "house.floorplan", "format": "svg", "view": "axonometric", "renderAllFloors": True})["result"]
    tap.ok(any("<svg" in b.get("resource", {}).get("text", "") and "Upper" in b["resource"]["text"] for b in result["content"]), "as SVG too, with all floors")
    for name in ("none.floorplan", "empty.floorplan"):
        tap.ok(not q.call("render_floorplan", {"file_path": name, "view": "axonometric"})["result"].get("isError"), f"{name} has an empty view")
    for arguments, word, heeded in (({"format": "pdf"}, "view", {"format": "png"}), ({"crop": "Hall"}, "crop", {}), ({"showArea": True}, "showArea", {}),
                                    ({"view": "front"}, "view", {})):
        result = q.call("render_floorplan", {"file_path": "house.floorplan", "view": "axonometric", **arguments})["result"]
        tap.ok(result.get("isError") and word in result["content"][0]["text"], f"a view with {arguments} is refused", result["content"][0].get("text"))
        tap.ok(not q.call("render_floorplan", {"file_path": "house.floorplan", "view": "axonometric", **heeded})["result"].get("isError"), "and its advice works")

    head, binary = load(models["house.floorplan"])
    result = q.call("export_floorplan", {"file_path": "house.floorplan", "output_path": "one.glb", "floor": "Upper"})["result"]
    only = storeys(*load(os.path.join(folder.path, "one.glb")))
    tap.ok(list(only) == ["Upper"] and near(bounds(only["Upper"]["walls"], 1)[0], 3.0), "one floor alone stays at its level")
    tap.ok(q.call("export_floorplan", {"file_path": "house.floorplan", "output_path": "x.glb", "theme": "dark"})["result"].get("isError"), "a model has no theme")
    result = q.call("render_floorplan", {"file_path": "house.floorplan", "format": "glb"})["result"]
    tap.ok(result.get("isError"), "render_floorplan has no glb", result)
tap.done()
