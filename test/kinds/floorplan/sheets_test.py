#!/usr/bin/env python3
"""Sheet sets, paper, crop and zoom through the tools and `quire floorplan draw`; the PDF is read back by poppler."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import QUIRE, Folder, Stdio, Tap  # noqa: E402

tap = Tap()
WALLS = "walls [top: solid, right: solid, bottom: solid, left: solid]"
PLAN = f"""---
title: Mill house
date: 2026-05-01
north: top
---
floorplan
  config {{ default_unit: m, show_dimensions: true }}
  floor Ground {{
    room Hall at (0,0) size (4 x 6) {WALLS}
    room Bath at (4,0) size (2 x 2) {WALLS}
  }}
  floor Upper {{
    room Hall at (0,0) size (6 x 6) {WALLS}
  }}
  connect Ground.Hall.right to Ground.Bath.left door at 50%
"""
BROKEN_NORTH = PLAN.replace("north: top", "north: uphill")
# Millimetres, upright; poppler prints points.
PAPERS = {"A4": (210, 297), "A3": (297, 420), "A2": (420, 594), "A1": (594, 841), "A0": (841, 1189), "Letter": (215.9, 279.4),
          "Tabloid": (279.4, 431.8), "ArchC": (457.2, 609.6), "ArchD": (609.6, 914.4)}


def pages(path):
    out = subprocess.run(["pdfinfo", "-l", "99", path], capture_output=True, text=True).stdout
    return [tuple(sorted(float(x) * 25.4 / 72 for x in m)) for m in re.findall(r"Page\s+\d+ size:\s+([\d.]+) x ([\d.]+)", out)]


with Folder({"a.floorplan": PLAN, "n.floorplan": BROKEN_NORTH}) as folder:
    at = lambda name: os.path.join(folder.path, name)  # noqa: E731
    with Stdio("floorplan", root=folder.path) as server:
        def export(name, **arguments):
            return server.call("export_floorplan", {"file_path": "a.floorplan", "output_path": name, "overwrite": True, **arguments})["result"]

        def refused(words, name="x.png", tool="export_floorplan", **arguments):
            if tool == "export_floorplan":
                result = export(name, **arguments)
            else:
                result = server.call(tool, {"file_path": "a.floorplan", **arguments})["result"]
            message = result["content"][0]["text"]
            tap.ok(result.get("isError") and words in message, f"{arguments} is refused: {words}", message)
            tap.ok(not os.path.exists(at("x.png")), "and nothing is written")

        def done(name, **arguments):
            result = export(name, **arguments)
            return tap.ok(not result.get("isError"), f"{name} {arguments} is written", result["content"][0]["text"]) and result["structuredContent"]

        for paper, size in PAPERS.items():
            answer = done("set.pdf", sheet_set=True, paper=paper)
            have = pages(at("set.pdf"))
            tap.ok(len(have) == 2 == answer["pages"] and all(abs(a - b) < 0.1 for p in have for a, b in zip(p, size)),
                   f"a set on {paper} has a page of that size for each floor", have)
        tap.same(answer["renderedFloor"], "all", "a set is of all floors")
        text = subprocess.run(["pdftotext", "-layout", at("set.pdf"), "-"], capture_output=True, text=True).stdout
        for words in ("Mill house", "2026-05-01", "1 of 2", "2 of 2", "Ground", "Upper", "ArchD", "Dimensions and room areas to wall centre lines"):
            tap.ok(words in text, f"the sheets say {words}", text)
        tap.same(done("set.pdf", sheet_set=True, floor="Upper")["pages"], 1, "a set of a named floor is one page")
        done("one.pdf", paper="A3")
        tap.same([round(x) for x in pages(at("one.pdf"))[0]], [297, 420], "paper is for a page by itself too")
        first = open(at("one.pdf"), "rb").read()
        done("one.pdf", paper="A3")
        tap.ok(open(at("one.pdf"), "rb").read() == first, "the same plan gives the same bytes")

        # A schedule follows the floors, on separate pages.
        for schedule, words in (("rooms", "Bath"), ("doors", "Schedule of doors"), ("windows", "Schedule of windows")):
            tap.same(done("list.pdf", sheet_set=True, schedule=schedule)["pages"], 3, f"a schedule of {schedule} is a page more")
            last = subprocess.run(["pdftotext", "-f", "3", "-layout", at("list.pdf"), "-"], capture_output=True, text=True).stdout
            tap.ok(words in last and f"Schedule of {schedule}" in last and "3 of 3" in last, f"with the {schedule}", last)
            tap.ok("\u2026" not in last and "_" not in last and "Width" in last, f"heads of the {schedule} are words, and nothing is cut", last)
        rooms = done("list.pdf", sheet_set=True, schedule="rooms") and subprocess.run(
            ["pdftotext", "-f", "3", "-layout", at("list.pdf"), "-"], capture_output=True, text=True).stdout
        tap.ok("m\u00b2" in rooms and "Within" not in rooms, "areas have a unit, and a column without entries is left out", rooms)
        many = "floorplan\n floor G {\n" + "".join(f"room R{i} at ({i % 20 * 3},{i // 20 * 3}) size (3 x 3) {WALLS}\n" for i in range(200)) + "}\n"
        long = server.call("export_floorplan", {"dsl": many, "output_path": "many.pdf", "sheet_set": True, "schedule": "rooms", "paper": "A4"})
        listed = subprocess.run(["pdftotext", "-f", "2", "-layout", at("many.pdf"), "-"], capture_output=True, text=True).stdout
        tap.ok(all(re.search(rf"\bR{i}\b", listed) for i in range(200)), "a long schedule goes over pages and leaves nothing out", long)
        refused("schedule is for .csv files and sheet_set", schedule="rooms")
        refused("leave date out, or add sheet_set", name="x.pdf", date="2026-01-01")
        done("x.pdf", sheet_set=True, date="2026-01-01")

        # Each error, then the call that it advises.
        refused("so its format is pdf, not png", sheet_set=True)
        done("x.pdf", sheet_set=True)
        refused("paper is for pdf", paper="A4")
        done("y.png", width=800, height=600)
        os.remove(at("y.png"))
        for bad in ("A5", "A44", 4, True, ["A4"]):
            refused("paper", name="x.pdf", paper=bad)
        refused("Tabloid", name="x.pdf", paper="B5")
        refused("several floors; name one of Ground.Hall, Upper.Hall", crop="Hall")
        for crop in ("Ground.Hall", "Upper.Hall", "Bath", "Ground"):
            tap.same(done("crop.png", crop=crop)["renderedFloor"], 1 if "Upper" in crop else 0, f"{crop} is on its floor")
        refused("the rooms are Ground.Hall, Ground.Bath, Upper.Hall", crop="Attic")
        refused("there is no room or floor", crop="Hall." * 2000)
        refused("there is no room or floor", crop="\u53a8\u623f")
        for bad in (5, ["Bath"], {"room": "Bath"}, True):
            refused("crop", crop=bad)
        refused("leave out renderAllFloors", crop="Bath", renderAllFloors=True)
        refused("leave out one of the two", crop="Ground.Bath", floor="Upper")
        done("crop.png", crop="Ground.Bath", floor="Ground")
        refused("a sheet_set shows whole floors", name="x.pdf", sheet_set=True, crop="Bath")
        refused("a sheet_set shows whole floors", name="x.pdf", sheet_set=True, zoom=2)
        for bad in (0, -2, 0.05, 50.1, 1e300):
            refused("zoom must be 0.1 to 50", zoom=bad)
        for bad in ("near", [2], True):
            refused("zoom", zoom=bad)
        done("zoom.png", zoom=2)
        done("zoom.png", zoom=0.5, crop="Bath")
        refused("does not fit A4 at 1:1", name="x.pdf", paper="A4", pageScale=1)
        done("x.pdf", paper="A4")
        refused("pageScale is for pdf", pageScale=50)
        refused("such as 30", north="up there")
        done("north.png", north="30")
        done("hatch.svg", hatch=True)
        for bad in ("yes please", 3):
            refused("sheet_set", name="x.pdf", sheet_set=bad)

        # The same names in render_floorplan, and the picture follows.
        whole = server.call("render_floorplan", {"file_path": "a.floorplan"})["result"]["structuredContent"]
        part = server.call("render_floorplan", {"file_path": "a.floorplan", "crop": "Bath"})["result"]["structuredContent"]
        tap.ok(part["scale"] > 1.3 * whole["scale"], "a crop is drawn larger", (part["scale"], whole["scale"]))
        refused("zoom must be", tool="render_floorplan", zoom=0)
        warned = server.call("render_floorplan", {"file_path": "n.floorplan"})["result"]
        tap.ok("north: uphill in the head is not shown" in str(warned["structuredContent"]), "a north that cannot be is a warning")

        # The groups of an SVG keep their classes.
        done("all.svg", crop="Ground")
        classes = set(re.findall(r'<g class="(\w+)">', open(at("all.svg"), encoding="utf-8").read()))
        tap.ok({"rooms", "walls", "doors", "labels", "dimensions", "sheet"} <= classes, "classes of an SVG", classes)
        page = str(server.request("resources/read", {"uri": "floorplan://schema"}))
        for word in ("rooms", "stairs", "walls", "edges", "windows", "doors", "lifts", "labels", "dimensions", "sheet"):
            tap.ok(f"`{word}`" in page, f"the language's page names the class {word}")
        tap.ok("`north`" in page and "`sheet_set`" in page, "and the north arrow and sheet sets")

    def draw(*arguments):
        return subprocess.run([QUIRE, "floorplan", "draw", *arguments], cwd=folder.path, capture_output=True, text=True)

    tap.same(draw("a.floorplan", "cli.pdf", "--sheet_set", "--paper", "A3").returncode, 0, "draw takes sheet_set and paper")
    tap.same([round(x) for x in pages(at("cli.pdf"))[0]], [297, 420], "as the tool does")
    tap.same(len(pages(at("cli.pdf"))), 2, "with a page for each floor")
    tap.same(draw("a.floorplan", "cli.png", "--crop", "Bath", "--zoom", "1.5").returncode, 0, "draw takes crop and zoom")
    for arguments, words in ((("--paper", "B5"), "paper"), (("--crop", "Attic"), "there is no room or floor Attic"),
                             (("--zoom", "0"), "zoom must be"), (("--zoom", "wide"), "zoom")):
        got = draw("a.floorplan", "bad.pdf", *arguments)
        tap.ok(got.returncode != 0 and words in got.stderr and not os.path.exists(at("bad.pdf")), f"draw refuses {arguments}", got.stderr)
tap.done()
