#!/usr/bin/env python3
"""Many clients draw at the same time. The drawing libraries share fonts and caches, but each drawing must look as if
it were alone. threads_test.sh runs this with ThreadSanitizer."""
import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import TOP, Folder, Http, Tap  # noqa: E402

CLIENTS, ROUNDS = 4, 3
CALLS = (("render_floorplan", {"width": 300}), ("export_floorplan", {"output_path": "{}.png"}),
         ("export_floorplan", {"output_path": "{}.svg"}), ("export_floorplan", {"output_path": "{}.pdf"}))


def draw(server, client, answers):
    for _ in range(ROUNDS):
        for tool, more in CALLS:
            arguments = {name: value.format(client) if isinstance(value, str) else value for name, value in more.items()}
            if "output_path" in arguments:
                arguments["overwrite"] = True
            answers.append(server.call(tool, {"file_path": f"{client}.floorplan", **arguments}, path="/mcp/floorplan"))


def main():
    tap = Tap()
    with open(os.path.join(TOP, "examples/house.floorplan"), encoding="utf-8") as f:
        plan = f.read()
    names = [f"p{i}" for i in range(CLIENTS)]
    with Folder({"alone.floorplan": plan, **{f"{name}.floorplan": plan for name in names}}) as folder, \
            Http(root=folder.path) as server:
        answers = []
        draw(server, "alone", answers)
        threads = [threading.Thread(target=draw, args=(server, name, answers)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        refused = [a for a in answers if "error" in a or a["result"].get("isError")]
        tap.same(len(answers), (CLIENTS + 1) * ROUNDS * len(CALLS), "everybody is answered")
        tap.ok(not refused, "nobody is refused", str(refused[:1])[:400])
        for kind in ("png", "svg"):
            tap.ok(all(folder.read(f"{name}.{kind}") == folder.read(f"alone.{kind}") for name in names),
                   f"every .{kind} is as the one that was drawn alone")
    tap.done()


main()
