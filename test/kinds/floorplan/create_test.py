#!/usr/bin/env python3
"""A plan is created from text or a list of rooms, read by floor or room, and its stairs, lifts and floors are edited."""
import json
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

tap = Tap()
PLAN = "floorplan\n  floor f1 {\n    room Office at (0,0) size (10 x 12) walls [top: solid]\n  }\n"
NAMES = ["Living room", "Kitchen", "Küche", "Bath", "Bedroom", "Closet", "Garage", "Study", "Hall", "Entrance", "top", "厨房", "2nd room", "x", "Café"]

with Folder({"there.floorplan": PLAN}) as folder, Stdio("floorplan", root=folder.path) as server:
    def call(tool, **arguments):
        result = server.call(tool, arguments)["result"]
        text = result["content"][0]["text"]
        return (result.get("structuredContent") or text) if not result.get("isError") else None, text

    def on_disk(name):
        with open(os.path.join(folder.path, name), encoding="utf-8") as f:
            return f.read()

    # --- create
    done, text = call("create_floorplan", file_path="new.floorplan", dsl=PLAN)
    tap.ok(done and on_disk("new.floorplan") == PLAN and "dsl" not in done, "a plan is created from its text", text)
    done, text = call("create_floorplan", dsl=PLAN)
    tap.ok(done and done["dsl"] == PLAN and "file_path" not in done, "without a file the text comes back", text)
    done, text = call("create_floorplan", file_path="deep/er/new.floorplan", rooms=[{"name": "Kitchen", "area": 12}, {"name": "Bath"}])
    tap.ok(done and on_disk("deep/er/new.floorplan") == done["dsl"] and "room Kitchen" in done["dsl"], "and from a list of rooms", text)
    done, text = call("create_floorplan", file_path="dry.floorplan", dsl=PLAN, dry_run=True)
    tap.ok(done and not os.path.exists(os.path.join(folder.path, "dry.floorplan")), "a dry run writes nothing", text)

    for words, arguments in [
            ("there.floorplan exists", {"file_path": "there.floorplan", "dsl": PLAN}),
            ("one of the two", {}),
            ("only one of the two", {"dsl": PLAN, "rooms": [{"name": "A"}]}),
            ("has no size", {"file_path": "bad.floorplan", "dsl": "floorplan floor f { room A }"}),
            (".floorplan", {"file_path": "bad.txt", "dsl": PLAN}),
            ("path", {"file_path": "../bad.floorplan", "dsl": PLAN}),
            ("more than 0", {"rooms": [{"name": "A", "width": 0, "height": 3}]}),
            ("more than 0", {"rooms": [{"name": "A", "area": -1}]}),
            ("a side is from", {"rooms": [{"name": "A", "width": 1e9, "height": 3}]}),
            ("not all three", {"rooms": [{"name": "A", "width": 3, "height": 3, "area": 9}]}),
            ("quote", {"rooms": [{"name": "A\"B"}]}),
            ("name", {"rooms": [{"width": 3}]}),
            ("unit", {"rooms": [{"name": "A"}], "unit": "yard"}),
            ("rooms", {"rooms": []}),
            ("rooms", {"rooms": [{"name": "A"}] * 201}),
            ("rooms", {"rooms": "A and B"}),
            ("colour", {"rooms": [{"name": "A", "colour": "red"}]})]:
        before = sorted(os.listdir(folder.path))
        done, text = call("create_floorplan", **arguments)
        tap.ok(done is None and words in text and sorted(os.listdir(folder.path)) == before, f"refused: {words}", text)
    tap.same(on_disk("there.floorplan"), PLAN, "an existing plan stays")

    chance = random.Random(14)
    wrong = []
    for number in range(60):
        unit = chance.choice(["m", "ft", "cm", "in", "mm"])
        metre = {"m": 1, "ft": 3.28084, "cm": 100, "in": 39.3701, "mm": 1000}[unit]
        floors = chance.choice([[None], [None], ["Ground", "Upper"], ["Keller", "Erdgeschoß", "1. Stock"]])
        rooms = []
        for _ in range(chance.randrange(1, 15)):
            room = {"name": chance.choice(NAMES)}
            size = chance.randrange(4)
            if size == 1:
                room.update(width=round(chance.uniform(1.3, 8) * metre, 2), height=round(chance.uniform(1.3, 8) * metre, 2))
            elif size == 2:
                room.update(area=round(chance.uniform(4, 40) * metre * metre, 2))
            if chance.choice(floors):
                room["floor"] = chance.choice(floors)
            rooms.append(room)
        done, text = call("create_floorplan", rooms=rooms, unit=unit)
        if not done or done["warnings"]:
            wrong.append((rooms, unit, text[-600:]))
            continue
        figures, text = call("analyze_floorplan", dsl=done["dsl"])
        if not figures or figures["summary"]["unreachable"] or figures["summary"]["totalRooms"] < len(rooms):
            wrong.append((rooms, unit, text[:600]))
        if re.search(r"at \(-|,-", done["dsl"]):
            wrong.append((rooms, "negative coordinates"))
    tap.ok(not wrong, "every list of rooms becomes a valid plan without a warning, all rooms there and reachable", wrong[:1])

    # --- read
    house, _ = call("create_floorplan", file_path="house.floorplan", rooms=[
        {"name": "Kitchen"}, {"name": "Bath"}, {"name": "Kids", "floor": "Upper"}, {"name": "Study", "floor": "Upper"}])
    lines = house["dsl"].split("\n")[:-1]
    done, text = call("read_floorplan", file_path="house.floorplan")
    tap.same(done["text"], "".join(f"{i + 1}\t{line}\n" for i, line in enumerate(lines)), "the whole text, each line with its number")
    tap.ok(done["lines"] == len(lines) and "next" not in done and done["revision"], "and how many there are")
    done, _ = call("read_floorplan", file_path="house.floorplan", room="Study")
    got = [line for line in done["text"].split("\n") if line and line != "..."]
    tap.ok(len(got) == 2 and all("Study" in line and lines[int(line.split("\t")[0]) - 1] == line.split("\t")[1] for line in got),
           "one room: its statement and its connections", done["text"])
    done, _ = call("read_floorplan", file_path="house.floorplan", floor="Upper")
    tap.ok("room Study" in done["text"] and "vertical" in done["text"] and "Kitchen" not in done["text"] and "...\n" in done["text"],
           "one floor: what it holds, its connections and verticals", done["text"])
    done, text = call("read_floorplan", file_path="house.floorplan", room="Ground.Kitchen")
    tap.ok(done and "room Kitchen" in done["text"], "a room may be told by its floor", text)
    for words, arguments in [("did you mean Study", {"room": "Studdy"}), ("Ground, Upper", {"floor": "Attic"}), ("there is no room", {"room": "Upper.Kitchen"}),
                             ("not both", {"floor": "Upper", "room": "Study"}), ("after the end", {"firstLine": 1000}), ("firstLine", {"firstLine": 0})]:
        done, text = call("read_floorplan", file_path="house.floorplan", **arguments)
        tap.ok(done is None and words in text, f"refused: {words}", text)
    done, text = call("read_floorplan", dsl="")
    tap.ok(done and done["lines"] == 1, "an empty text has one line", text)
    done, text = call("read_floorplan", dsl="floorplan floor f { room A }\r\nx\xff\n")
    tap.ok(done and done["text"].startswith("1\tfloorplan floor f { room A }\n2\tx"), "a text that does not parse is read too", text)
    big = "floorplan\n  floor f {\n" + "".join(f"    room R{i} at ({i * 4},0) size (4 x 4) walls [top: solid]\n" for i in range(2500)) + "  }\n"
    seen, first, rounds = "", 1, 0
    while first and rounds < 20:
        done, text = call("read_floorplan", dsl=big, firstLine=first)
        tap.ok(len(done["text"]) < 60000, f"from line {first} the answer is bounded") if rounds < 2 else None
        seen, first, rounds = seen + done["text"], done.get("next"), rounds + 1
    tap.same("".join(line.split("\t", 1)[1] + "\n" for line in seen.split("\n")[:-1]), big, "the calls that it names have the rest")

    # --- a person edits the file between two calls
    with open(os.path.join(folder.path, "house.floorplan"), "a", encoding="utf-8") as f:
        f.write("# measured on site\n")
    done, _ = call("read_floorplan", file_path="house.floorplan", firstLine=len(lines) + 1)
    tap.same(done["text"], f"{len(lines) + 1}\t# measured on site\n", "what a person wrote meanwhile is read")

    # --- stairs, lifts and floors
    def edit(dsl, *operations):
        result = server.call("modify_floorplan", {"dsl": dsl, "operations": list(operations)})["result"]
        answer = json.loads(result["content"][0]["text"])
        return answer["dsl"], " ".join(c.get("message", "") for c in answer["changes"]), bool(result.get("isError"))

    three = ("floorplan\n" + "".join(
        f"  floor F{i} {{\n    room R{i} at (0,0) size (20 x 20) walls [top: solid]\n    stair S at (1,1) shape straight toward top rise 9\n"
        f"    lift L at (10,1) size (5 x 5) doors (bottom)\n    lift M size (5 x 5) below L\n  }}\n" for i in range(3))
        + "  connect R0.left to outside door\n  connect R1.left to outside door\n  vertical F0.S to F1.S  to  F2.S # all\n")
    for stops, left in [((0,), "  vertical F1.S  to  F2.S # all\n"), ((1,), "  vertical F0.S  to  F2.S # all\n"), ((2,), "  vertical F0.S to F1.S # all\n"),
                        ((0, 1), "")]:
        after, told, failed = edit(three, *[{"action": "remove_stair", "target": f"F{i}.S"} for i in stops])
        tap.ok(not failed and after.endswith("outside door\n" + left) and after.count("stair S") == 3 - len(stops),
               f"stairs {stops} leave the vertical", (told, after[-200:]))
    after, told, failed = edit(three, {"action": "remove_lift", "target": "F1.L"})
    tap.ok(not failed and "    lift M at (10,6) size (5 x 5)\n" in after and after.count("lift L") == 2, "a lift beside a removed one keeps its place", (told, after))
    after, told, failed = edit(three, {"action": "move_stair", "target": "F2.S", "params": {"x": 3, "y": 2.5}}, {"action": "move_lift", "target": "F2.M", "params": {"x": 1, "y": 15}})
    tap.ok(not failed and "stair S at (3,2.5) shape" in after and "lift M at (1,15) size (5 x 5)\n" in after, "stairs and lifts move", (told, after))
    after, told, failed = edit(three, {"action": "move_floor", "target": "F0", "params": {"index": 2}})
    tap.ok(not failed and [m.group(1) for m in re.finditer(r"floor (F\d)", after)] == ["F1", "F2", "F0"] and len(after) == len(three), "a floor moves behind", (told, after))
    back, told, failed = edit(after, {"action": "move_floor", "target": "F0", "params": {"index": 0}})
    tap.same(back, three, "and back, byte for byte")
    after, told, failed = edit(three, {"action": "remove_floor", "target": "F1"})
    tap.ok(not failed and "R1" not in after and "vertical F0.S  to  F2.S # all\n" in after, "a floor goes with its rooms, connections and stops", (told, after))
    after, told, failed = edit(three, {"action": "add_vertical", "params": {"stops": ["F0.L", "F1.L", "F2.L"]}})
    tap.ok(not failed and after == three + "  vertical F0.L to F1.L to F2.L\n", "lifts are joined", (told, after[-200:]))
    again, told, failed = edit(after, {"action": "add_vertical", "params": {"stops": ["F0.L", "F1.L", "F2.L"]}})
    tap.ok(not failed and again == after and "already" in told, "once", told)
    gone, told, failed = edit(after, {"action": "remove_vertical", "params": {"stops": ["F2.L", "F0.L"]}})
    tap.ok(not failed and gone == three, "and parted again", (told, gone[-200:]))
    for words, operation in [
            ("one of F0.S, F1.S, F2.S", {"action": "remove_stair", "target": "S"}),
            ("the plan has F0.S", {"action": "move_stair", "target": "T", "params": {"x": 0, "y": 0}}),
            ("the plan has F0.L", {"action": "remove_lift", "target": "S"}),
            ("is a stair and not a room; use move_stair or remove_stair", {"action": "remove_room", "target": "S"}),
            ("did you mean F1.R1?", {"action": "remove_room", "target": "F0.R1"}),
            ("floors of the plan: F0, F1, F2", {"action": "remove_floor", "target": "F9"}),
            ("floors 0 to 2", {"action": "move_floor", "target": "F0", "params": {"index": 3}}),
            ("it has S, L, M", {"action": "add_vertical", "params": {"stops": ["F0.S", "F1.Q"]}}),
            ("is given twice", {"action": "add_vertical", "params": {"stops": ["F0.S", "F0.S"]}}),
            ("expected FLOOR.NAME", {"action": "add_vertical", "params": {"stops": ["S", "F1.S"]}}),
            ("no vertical has these stops", {"action": "remove_vertical", "params": {"stops": ["F0.L"]}}),
            ("too large", {"action": "move_lift", "target": "F0.L", "params": {"x": 1e30, "y": 0}})]:
        after, told, failed = edit(three, operation)
        tap.ok(failed and words in told and after == three, f"refused: {words}", told)

    # --- the language
    whole = server.request("resources/read", {"uri": "floorplan://schema"})["result"]["contents"][0]["text"]
    _, overview = call("describe_language")
    names = re.search(r"Other sections of describe_language: (.*)\.", overview).group(1).split(", ")
    parts = [call("describe_language", section=name)[1] for name in names if name != "all"]
    tap.same(call("describe_language", section="all")[1], whole, "the whole page is the resource's")
    tap.ok(all(part in whole for part in parts) and sum(map(len, parts)) + 1000 > len(whole) - len(overview), "and each section a part of it")
    lines = whole.split("\n")
    heads = [i for i, line in enumerate(lines) if line.startswith("|") and not lines[i - 1].startswith("|")]
    tap.ok(len(heads) > 20 and all(re.fullmatch(r"\|(---\|)+", lines[i + 1]) for i in heads), "its tables are Markdown tables",
           [lines[i] for i in heads if not re.fullmatch(r"\|(---\|)+", lines[i + 1])][:3])
    done, text = call("describe_language", section="romms")
    tap.ok(done is None and "rooms" in text, "an unknown section is refused with those there are", text)
tap.done()
