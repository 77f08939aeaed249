#!/usr/bin/env python3
"""export_floorplan and `quire floorplan draw` never destroy a file, and the extension decides the format."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import QUIRE, Folder, Stdio, Tap  # noqa: E402

tap = Tap()
PLAN = "floorplan\n  floor f1 {\n    room Office at (0,0) size (10 x 12) walls [top: solid]\n  }\n"
FILES = {"a.floorplan": PLAN, "README.md": "# Notes\n", "novel.hnpx": "<book/>", "old.png": "not ours", "plan": PLAN}
MAGIC = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF"}


def refused(server, words, **arguments):
    before = {name: open(os.path.join(folder.path, name), "rb").read() for name in FILES}
    result = server.call("export_floorplan", {"file_path": "a.floorplan", **arguments})["result"]
    after = {name: open(os.path.join(folder.path, name), "rb").read() for name in FILES}
    message = result["content"][0]["text"]
    tap.ok(result.get("isError") and words in message, f"{arguments} is refused: {words}", message)
    tap.ok(before == after and sorted(os.listdir(folder.path)) == sorted(FILES), "and no file changed", os.listdir(folder.path))


with Folder(FILES) as folder:
    with Stdio("floorplan", root=folder.path) as server:
        for path in ("a.floorplan", "README.md", "novel.hnpx", "old.bmp", "picture", ".png.txt"):
            for overwrite in (False, True):
                refused(server, "the extension decides the format", output_path=path, overwrite=overwrite)
        refused(server, "overwrite true", output_path="old.png")
        refused(server, "format is pdf but output_path ends in .png", output_path="new.png", format="pdf")
        refused(server, "format", output_path="new.png", format="bmp")
        refused(server, "output_path", output_path="")
        refused(server, "output_path")
        refused(server, "output_path", output_path=7)
        refused(server, "conflict", output_path="new.png", if_revision="0000000000000000")

        # The advice of the errors works.
        def done(name, **arguments):
            result = server.call("export_floorplan", {"file_path": "a.floorplan", "output_path": name, **arguments})["result"]
            content = open(os.path.join(folder.path, name), "rb").read() if not result.get("isError") else b""
            tap.ok(MAGIC[name.lower()[-3:]] in content[:200], f"{name} {arguments} is written", result["content"][0]["text"])
        done("old.png", overwrite=True)
        done("other.png")
        done("new.png", format="png")
        done("new.pdf")
        done("new.svg")
        done("LOUD.PNG")

    # A plan with the file name of a picture is still a plan.
    with Folder({"drawn.svg": PLAN}) as odd, Stdio("floorplan", "--extensions", ".svg", root=odd.path) as server:
        result = server.call("export_floorplan", {"file_path": "drawn.svg", "output_path": "drawn.svg", "overwrite": True})["result"]
        tap.ok(result.get("isError") and open(os.path.join(odd.path, "drawn.svg")).read() == PLAN,
               "the plan itself is never replaced", result["content"][0]["text"])


# The limit on the size of a plan does not apply to exported files.
many = "floorplan\n  floor G {\n" + "".join(f"    room R{i} at ({i % 25 * 12},{i // 25 * 12}) size (12 x 12) walls [top: door, right: window]\n" for i in range(500)) + "  }\n"
with Folder({"many.floorplan": many}) as large, Stdio("floorplan", root=large.path) as server:
    for overwrite in (False, True):
        result = server.call("export_floorplan", {"file_path": "many.floorplan", "output_path": "many.glb", "overwrite": overwrite})["result"]
        tap.ok(not result.get("isError") and os.path.getsize(os.path.join(large.path, "many.glb")) > 2 << 20, "a model of 500 rooms is written, and replaced",
               result["content"][0]["text"][:300])


def draw(*words):
    run = subprocess.run([QUIRE, "floorplan", "draw", *words], capture_output=True, text=True, check=False, cwd=folder.path)
    return run.returncode, run.stderr


with Folder(FILES) as folder:
    for name in ("a.floorplan", "README.md", "novel.hnpx", "old.bmp", "old.png"):
        for more in ((), ("--overwrite",)):
            if name == "old.png" and more:
                continue
            code, said = draw("a.floorplan", name, *more)
            tap.ok(code == 1 and open(os.path.join(folder.path, "a.floorplan")).read() == PLAN, f"draw {name} {more} is refused", said)
    tap.ok("--overwrite" in draw("a.floorplan", "old.png")[1], "the shell names its option")
    tap.same(draw("a.floorplan", "old.png", "--overwrite")[0], 0, "which works")
    for value, shows in ((("true",), True), (("false",), False), ((), True)):
        code, said = draw("a.floorplan", "flag.svg", "--overwrite", "--showDimensions", *value)
        with open(os.path.join(folder.path, "flag.svg"), encoding="utf-8") as f:
            tap.ok(code == 0 and said == "" and ('class="dimensions"' in f.read()) == shows, f"--showDimensions {' '.join(value)} is understood", said)
    tap.same(draw("a.floorplan", "wide.png", "--width", "300", "--theme", "dark", "--showArea")[0], 0, "options are the tool's arguments")
    tap.same(draw("a.floorplan", "set.pdf", "--sheet-set", "--paper", "A4")[0], 0, "a dash stands for an underscore, a flag for true")
    tap.ok("unknown option --shet" in draw("a.floorplan", "y.pdf", "--shet")[1], "an unknown option is named")
    tap.ok("--paper needs a value" in draw("a.floorplan", "y.pdf", "--paper")[1], "and one without its value")
    tap.same(draw("plan", "any.png")[0], 0, "a plan may be called anything")
    tap.same(draw("a.floorplan", "x.png", "--format", "svg")[0], 1, "a contradiction is refused")
    for words in (("a.floorplan",), ("a.floorplan", "x.png", "--nosuch", "1"), ("a.floorplan", "x.png", "y.png"), ("a.floorplan", "x.png", "--width")):
        tap.same(draw(*words)[0], 2, f"{words} gets the usage")
    tap.ok(draw("a.floorplan", "x.png", "--width", "1e9")[0] == 1 and not os.path.exists(os.path.join(folder.path, "x.png")),
           "a refused drawing leaves no file")
tap.done()
