#!/usr/bin/env python3
"""Two servers, one file: a hundred chapters from each, and none is lost."""
import os
import sys
import threading
from xml.etree import ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

EACH = 100


def main():
    tap = Tap()
    with Folder() as folder:
        servers = [Stdio("hnpx", root=folder.path) for _ in range(2)]
        servers[0].call("create_document", {"file_path": "novel.hnpx"})
        answers = [[], []]

        def write(which):
            for i in range(EACH):
                answers[which].append(servers[which].call("create_chapter", {
                    "file_path": "novel.hnpx", "parent_id": "book", "title": f"{which}-{i}", "summary": "s"})["result"])

        threads = [threading.Thread(target=write, args=(which,)) for which in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        refused = [a["content"][0]["text"] for of in answers for a in of if a.get("isError")]
        tap.same(refused, [], "no call is refused")
        book = ElementTree.fromstring(folder.read("novel.hnpx"))
        titles = [c.get("title") for c in book.findall("chapter")]
        tap.same(sorted(titles), sorted(f"{w}-{i}" for w in range(2) for i in range(EACH)), "every chapter is there")
        tap.ok(all([t for t in titles if t[0] == w] == [f"{w}-{i}" for i in range(EACH)] for w in "01"),
               "those of one server stand in the order they were made")
        ids = [a["structuredContent"]["id"] for of in answers for a in of if not a.get("isError")]
        tap.same({c.get("id") for c in book.findall("chapter")}, set(ids), "the ids are those that were answered")
        for server in servers:
            server.close()
    tap.done()


main()
