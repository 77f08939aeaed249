#!/usr/bin/env python3
"""Books with elements, attributes and words at random places are repaired to valid ones, and no word is lost."""
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

NAMES = ["chapter", "sequence", "beat", "paragraph", "summary", "scene", "em", "book"]
ATTRIBUTES = ["id", "title", "titel", "loc", "location", "mode", "char", "pov", "mood"]
VALUES = ["", "aaaaaa", "bbbbbb", "x", "dialogue", "inner", "a - - b", "a&amp;b -- c--"]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.words = 0

    def word(self):
        self.words += 1
        return f"word{self.words}."

    def element(self, name, depth):
        names = self.random.sample(ATTRIBUTES, self.random.randrange(4))
        tag = name + "".join(f' {a}="{self.random.choice(VALUES)}"' for a in names)
        if self.random.random() < 0.15:
            return f"<{tag}/>"
        inside = ""
        for _ in range(self.random.randrange(4)):
            kind = self.random.random()
            if kind < 0.3:
                inside += self.word()
            elif kind < 0.4:
                inside += f"<!-- {self.word()} -->"
            elif depth < 8:
                inside += "\n" + self.element(self.random.choice(NAMES), depth + 1)
        return f"<{tag}>{inside}</{name}>"


def main():
    tap = Tap()
    with Folder() as folder, Stdio("hnpx", root=folder.path) as quire:
        faults = []
        for seed in range(300):
            maker = Maker(seed)
            source = maker.element("book", 0)
            folder.write("b.hnpx", source)
            answer = quire.call("repair_document", {"file_path": "b.hnpx"})
            if "result" not in answer or answer["result"].get("isError"):
                faults.append(f"{seed}: {str(answer)[:400]}: {source[:600]}")
                continue
            after = folder.read("b.hnpx").decode()
            lost = set(re.findall(r"word\d+\.", source)) - set(re.findall(r"word\d+\.", after))
            check = quire.call("check_continuity", {"file_path": "b.hnpx", "checks": ["format"]})["result"]["structuredContent"]
            if check["findings"] or lost:
                faults.append(f"{seed}: {check['findings'][:3]} {lost} {source[:600]}")
        tap.ok(not faults, "300 broken books become valid and keep every word", "\n".join(faults[:3]))
    tap.done()


main()
