#!/usr/bin/env python3
"""The tools for the story: a writing context within its number of words, a check that reports nothing on a good book and finds
planted faults, and a bible next to a book in every state that people leave it in."""
import json
import os
import random
import re
import sys
from xml.sax.saxutils import escape

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

FILE, BIBLE = "novel.hnpx", "novel.bible.md"

# A good book: people with titles and family names, places, days, speech in the prose, sentences that begin with any word.
NARRATION = [
    "Clara Voss put the letter down and looked at the harbour. Rain hammered on the slates of Saint Bride.",
    "“Not before Thursday,” said Henrik. “The ferry from Esbjerg is late again.” Nobody laughed.",
    "Everyone nodded. Old Mrs. Dahl sighed and went on knitting, as she had since Easter.",
    "When Clara asked about the Baltic Line, Henrik shrugged. The Board had not answered. The Times said nothing either.",
    "In London they would have called it a storm. In Saint Bride it was Monday.",
    "Ingrid thought of Copenhagen, and of the English lessons on Sundays, and of Paris, where she had never been.",
    "“Mr. Voss,” whispered Ingrid, “is that you?” It was only Henrik's coat on the door of the Blue Anchor.",
    "People said that the Blue Anchor had been a chapel. Silence followed. Then somebody coughed.",
    "Will it hold? asked Clara, and it held; it will always hold, Henrik said.",
    "Mrs. Dahl remembered the winter of the long ice. God, she said, was not in Saint Bride that year.",
]
SPEECH = [
    ("Clara", "Listen, Henrik, I have the letter. Ask Mrs. Dahl."), ("Henrik", "Yes, Clara. On Friday, in Esbjerg, I swear to God."),
    ("Ingrid", "Please, Mrs. Dahl, not the Bible again."), ("Mrs. Dahl", "Sweden, Norway, Denmark: I buried husbands in all three."),
]
GOOD_BIBLE = ("# Characters\n\n## Clara Voss\n\n## Henrik\n\nAliases: Henrik Lund\n\n## Ingrid\n\n## Mrs. Dahl\n\n# Places\n\n## Saint Bride\n\n"
              "# Things\n\n## The letter\n\n- It came from the Baltic Line. [{first}]\n\n# Rules\n\n## The ferry\n\n- It is always late.\n")


def book(chapters=4, plant=None):
    """Its XML, and the id of its first paragraph. `plant` maps the number of a paragraph to other words."""
    number, paragraphs, chance = 0, 0, random.Random(7)

    def name():
        nonlocal number
        number += 1
        return f"n{number:05d}"

    out = [f'<book id="{name()}">\n  <summary>Clara comes home to Saint Bride.</summary>\n']
    for c in range(chapters):
        out.append(f'  <chapter id="{name()}" title="Part {c}: Ice" pov="Clara">\n    <summary>What Clara learns, and how Henrik lies.</summary>\n')
        for s in range(3):
            out.append(f'    <sequence id="{name()}" loc="{["Saint Bride, the quay", "The Blue Anchor", "Esbjerg"][s]}" time="{["night", "Day " + str(c) + ", 10:00", "Day " + str(c) + ", noon"][s]}">\n'
                       f'      <summary>Scene {s}.</summary>\n')
            for _ in range(2):
                out.append(f'      <beat id="{name()}">\n        <summary>A turn.</summary>\n')
                for k in range(4):
                    who, words = (None, chance.choice(NARRATION)) if k % 2 == 0 else chance.choice(SPEECH)
                    words = (plant or {}).get(paragraphs, words)
                    attributes = f' mode="dialogue" char="{who}"' if who else ""
                    out.append(f'        <paragraph id="p{paragraphs:05d}"{attributes}>\n          <summary>S</summary>\n          {escape(words)}\n        </paragraph>\n')
                    paragraphs += 1
                out.append("      </beat>\n")
            out.append("    </sequence>\n")
        out.append("  </chapter>\n")
    return "".join(out) + "</book>\n"


def words_of(text):
    """Counts generously: everything between blanks and marks, including names of members."""
    return len(re.findall(r"[^\W_]+(?:['’][^\W_]+)*", text))


def structured(quire, tool, **arguments):
    result = quire.call(tool, {"file_path": FILE, **arguments})["result"]
    if result.get("isError"):
        raise AssertionError(result["content"][0]["text"])
    return result["structuredContent"], result["content"][0]["text"]


def budgets(tap, folder, quire):
    long = " ".join(f"word{n}" for n in range(900))
    lines = "\n".join(f"line {n}" for n in range(400))
    odd = book(30).replace("What Clara learns, and how Henrik lies.", long, 3).replace("Scene 1.", lines, 5).replace('title="Part 7: Ice"', f'title="{long} x"')
    folder.write(FILE, odd)
    folder.write(BIBLE, GOOD_BIBLE.format(first="p00000") + "".join(f"- Fact {n} about the ferry and the ice.\n" for n in range(300)))
    over, ids = [], re.findall(r'<(?:chapter|sequence|beat|paragraph|book) id="(\w{6})"', odd)
    for number in random.Random(3).sample(range(len(ids)), 60):
        for budget in (100, 150, 400, 1500, 6000):
            _, text = structured(quire, "get_writing_context", node_id=ids[number], budget=budget, words=random.Random(number).choice([0, 300, 5000]))
            if words_of(text) > budget:
                over.append((ids[number], budget, words_of(text)))
    tap.ok(not over, "the whole answer keeps to the budget: long summaries, many lines, long titles, a large bible", over[:5])
    answer, text = structured(quire, "get_writing_context", node_id=ids[-1])
    tap.ok(500 < words_of(text) <= 1500, "the budget is 1,500 words where none is given, and it is used", words_of(text))
    tap.ok(any(e["name"] == "Clara Voss" for e in answer["bible"]), "the entries that a node names are in its context", answer["bible"])


def continuity(tap, folder, quire):
    folder.write(FILE, book(12))
    os.remove(os.path.join(folder.path, BIBLE))
    tap.same(structured(quire, "check_continuity")[0]["findings"], [], "a good book without a bible raises no alarm")
    folder.write(BIBLE, GOOD_BIBLE.format(first="p00000"))
    tap.same(structured(quire, "check_continuity")[0]["findings"], [], "a good book with its bible raises no alarm")
    folder.write(FILE, book(12, {8: "Clara met Sofia on the quay.", 20: "“No,” said Hendrik. Then Clara waited for Henrikk, and went."}))
    folder.write(BIBLE, GOOD_BIBLE.format(first="p00000:aaaa") + "\n# Things\n\n## Sextant\n")
    found = {(f["check"], f["name"]): f["ids"] for f in structured(quire, "check_continuity")[0]["findings"]}
    tap.same(found, {("names", "Sofia"): ["p00008"], ("spelling", "Hendrik"): ["p00020"], ("spelling", "Henrikk"): ["p00020"],
                     ("facts", "The letter"): ["p00000"]}, "what is planted in it is found, each once, with its paragraph")


def bibles(tap, folder, quire):
    folder.write(FILE, book(1))
    folder.write(BIBLE, b"# Characters\n\n## Zo\xeb\n")
    refused = quire.call("get_bible", {"file_path": FILE})["result"]
    tap.ok(refused.get("isError") and "UTF-8" in refused["content"][0]["text"], "a bible that is no UTF-8 is refused, and the refusal says so")
    for tool, more in [("check_continuity", {}), ("get_writing_context", {"node_id": "book"}), ("replace_text", {"old": "Clara", "new": "Klara", "name": True})]:
        answer, _ = structured(quire, tool, **more)
        tap.ok(any("bible" in w for w in answer.get("_warnings", [])), f"{tool} goes on without it and warns", answer)
    tap.same(folder.read(BIBLE), b"# Characters\n\n## Zo\xeb\n", "its bytes stay")
    folder.write(BIBLE, b"# Characters\n\n## Klara\n")
    tap.same(structured(quire, "get_bible")[0]["total"], 1, "saved as UTF-8 by hand, it is read")
    os.remove(os.path.join(folder.path, BIBLE))
    os.mkdir(os.path.join(folder.path, BIBLE))
    tap.ok(structured(quire, "check_continuity")[0].get("_warnings"), "a folder of its name is a warning, not a failure")
    refused = quire.call("edit_bible", {"file_path": FILE, "section": "Rules", "entry": "x"})["result"]
    tap.ok(refused.get("isError") and json.loads(refused["content"][0]["text"])["details"]["file_path"] == BIBLE, "and no edit is made into it", refused)
    os.rmdir(os.path.join(folder.path, BIBLE))


def main():
    tap = Tap()
    with Folder() as folder, Stdio("hnpx", root=folder.path) as quire:
        budgets(tap, folder, quire)
        continuity(tap, folder, quire)
        bibles(tap, folder, quire)
    tap.done()


main()
