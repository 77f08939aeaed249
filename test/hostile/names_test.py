#!/usr/bin/env python3
"""Files that tools must not touch: hidden names, links to them, files that are not documents of the kind, programs.
Each test was an attack that worked once; it fails without the rule."""
import os
import stat
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

tap = Tap()
BOOK = '<?xml version="1.0"?>\n<book id="bbbbbb">\n  <summary>s</summary>\n</book>\n'
PLAN = "floorplan\n  floor f1 {\n    room Office at (0,0) size (10 x 12) walls [top: solid]\n  }\n"
HIDDEN = [".git/hooks/pre-commit", ".env", ".mcp.json", ".vscode/tasks.json", ".envrc", ".git/config",
          "sub/.hidden/deep/a.md", "./.env", "sub/../.env", "sub//.env", ".hidden.md", ".hidden.hnpx"]


def tree(files=None):
    return Folder({"novel.hnpx": BOOK, "house.floorplan": PLAN, ".git/config": "[core]\n", ".env": "SECRET=1\n",
                   ".hidden.hnpx": BOOK, ".private/book.hnpx": BOOK, "sub/a.txt": "x", "id_rsa": "PRIVATE KEY\n",
                   "Makefile": "all:\n", "CLAUDE.md": "rules\n", **(files or {})})


def picture(folder):
    seen = {}
    for at, folders, names in os.walk(folder.path):
        for name in names:
            path = os.path.join(at, name)
            seen[os.path.relpath(path, folder.path)] = (os.readlink(path) if os.path.islink(path) else
                                                        open(path, "rb").read(), os.lstat(path).st_mode)
        for name in folders:
            seen[os.path.relpath(os.path.join(at, name), folder.path) + "/"] = None
    return seen


def call(server, tool, **arguments):
    answer = server.request("tools/call", {"name": tool, "arguments": arguments})
    result = answer.get("result") or {"isError": True, "content": [{"text": str(answer["error"])}]}
    return result.get("isError", False), "".join(b.get("text", "") for b in result["content"])


def refuses(server, folder, claim, tool, **arguments):
    before = picture(folder)
    refused, text = call(server, tool, **arguments)
    tap.ok(refused and picture(folder) == before, claim, text)
    return text


def exports():
    with tree() as folder, tree() as outside:
        os.symlink(".git/config", os.path.join(folder.path, "innocent.md"))
        os.symlink(".git", os.path.join(folder.path, "visible"))
        os.symlink("Makefile", os.path.join(folder.path, "notes.md"))
        os.symlink("novel.hnpx", os.path.join(folder.path, "drawing.svg"))
        server = Stdio("--tools", "all", root=folder.path)
        for name in HIDDEN:
            refuses(server, folder, f"a book is not exported to {name}", "hnpx_export_document", file_path="novel.hnpx",
                    output_path=name, format="markdown", overwrite=True)
            refuses(server, folder, f"a plan is not drawn into {name}", "export_floorplan", file_path="house.floorplan",
                    output_path=name, overwrite=True)
        for name in ["innocent.md", "visible/config", "visible/new.md", "notes.md"]:
            refuses(server, folder, f"a book is not exported through the link {name}", "hnpx_export_document",
                    file_path="novel.hnpx", output_path=name, format="markdown", overwrite=True)
        refuses(server, folder, "a drawing does not replace a novel through a link", "export_floorplan",
                file_path="house.floorplan", output_path="drawing.svg", format="svg", overwrite=True)
        for name in ["Makefile", "novel.hnpx", "house.floorplan", "id_rsa", "new", "new.sh", "new.py", "new.hnpx"]:
            refuses(server, folder, f"a plan is not drawn into {name}", "export_floorplan", file_path="house.floorplan",
                    output_path=name, format="svg", overwrite=True)
            refuses(server, folder, f"a book is not exported to {name}", "hnpx_export_document", file_path="novel.hnpx",
                    output_path=name, format="markdown", overwrite=True)
        refuses(server, folder, "a drawing has the ending of its format", "export_floorplan",
                file_path="house.floorplan", output_path="house.png", format="svg")
        refuses(server, folder, "CLAUDE.md is not replaced without overwrite", "hnpx_export_document",
                file_path="novel.hnpx", output_path="CLAUDE.md")
        tap.ok(not call(server, "hnpx_export_document", file_path="novel.hnpx", output_path="CLAUDE.md", overwrite=True)[0],
               "a Markdown file that is asked for by name with overwrite is replaced")
        server.close()


def reads():
    with tree() as folder:
        os.symlink(".private/book.hnpx", os.path.join(folder.path, "link.hnpx"))
        os.symlink("id_rsa", os.path.join(folder.path, "key.hnpx"))
        os.symlink(".private", os.path.join(folder.path, "open"))
        os.symlink("novel.hnpx", os.path.join(folder.path, "fine.hnpx"))
        server = Stdio("--tools", "all", root=folder.path)
        for name in [".hidden.hnpx", ".private/book.hnpx", "link.hnpx", "open/book.hnpx", "key.hnpx", "id_rsa", "Makefile",
                     "house.floorplan", os.path.join(folder.path, ".hidden.hnpx")]:
            text = refuses(server, folder, f"{os.path.basename(name)} is no book", "hnpx_get_subtree", file_path=name,
                           node_id="book")
            tap.ok("PRIVATE" not in text and "all:" not in text, "the refusal holds none of its bytes", text)
        for name in ["id_rsa", "novel.hnpx", ".env"]:
            refuses(server, folder, f"{name} is no plan", "validate_floorplan", file_path=name)
        refuses(server, folder, "a cover is a picture", "hnpx_export_document", file_path="novel.hnpx",
                output_path="a.epub", cover="id_rsa")
        tap.ok(not call(server, "hnpx_get_subtree", file_path="fine.hnpx", node_id="book")[0], "a link to a book is a book")
        for name in [".hidden.hnpx", "none.hnpx"]:
            refuses(server, folder, f"{name} is not written", "hnpx_create_document", file_path=f".new/{name}")
        refuses(server, folder, "a new book has a book's name", "hnpx_create_document", file_path="new.sh")
        for uri in ["hnpx:///id_rsa", "hnpx:///Makefile", "hnpx:///house.floorplan", "floorplan:///novel.hnpx",
                    "hnpx:///.hidden.hnpx", "hnpx:///.private/book.hnpx", "hnpx:///link.hnpx", "hnpx:///key.hnpx",
                    "floorplan:///.env"]:
            answer = server.request("resources/read", {"uri": uri})
            tap.ok("error" in answer and "PRIVATE" not in str(answer), f"{uri} is not found", answer)
        there = server.request("resources/read", {"uri": "hnpx:///.hidden.hnpx"})["error"]["message"]
        gone = server.request("resources/read", {"uri": "hnpx:///.hiddem.hnpx"})["error"]["message"]
        tap.same(there, gone.replace("hiddem", "hidden"), "a hidden file that exists is refused as one that does not")
        listed = str(server.request("resources/list"))
        tap.ok("hidden" not in listed and "private" not in listed, "hidden files are not listed", listed)
        for tool in ["file_history", "file_diff", "file_undo"]:
            refuses(server, folder, f"{tool} does not look at hidden files", tool, file_path=".env")
        server.close()


def modes():
    with tree({"tool.md": "#!/bin/sh\n"}) as folder:
        os.chmod(os.path.join(folder.path, "tool.md"), 0o755)
        os.chmod(os.path.join(folder.path, "novel.hnpx"), 0o600)
        os.chmod(os.path.join(folder.path, "house.floorplan"), 0o754)
        server = Stdio("--tools", "all", root=folder.path)
        refuses(server, folder, "an export does not replace what can be executed", "hnpx_export_document",
                file_path="novel.hnpx", output_path="tool.md", overwrite=True)
        call(server, "hnpx_export_document", file_path="novel.hnpx", output_path="private.md")
        tap.same(stat.S_IMODE(os.stat(os.path.join(folder.path, "private.md")).st_mode), 0o600,
                 "an export of a private book is private")
        call(server, "export_floorplan", file_path="house.floorplan", output_path="house.svg", format="svg")
        tap.same(stat.S_IMODE(os.stat(os.path.join(folder.path, "house.svg")).st_mode), 0o644,
                 "an export is no program, whatever its document is")
        os.chmod(os.path.join(folder.path, "novel.hnpx"), 0o755)
        refused, text = call(server, "hnpx_create_nodes", file_path="novel.hnpx", parent_id="bbbbbb",
                             children=[{"title": "T", "summary": "s"}])
        tap.ok(not refused, "a document with execute bits is edited", text)
        tap.same(stat.S_IMODE(os.stat(os.path.join(folder.path, "novel.hnpx")).st_mode), 0o755,
                 "a document keeps its mode")
        server.close()


def settings():
    with tree() as folder:
        server = Stdio("--tools", "all", "--allow-hidden", root=folder.path)
        tap.ok(not call(server, "hnpx_get_subtree", file_path=".hidden.hnpx", node_id="book")[0], "--allow-hidden shows them")
        server.close()
        folder.write("quire.toml", '[kinds.hnpx]\nextensions = ".book"\n')
        folder.write("a.book", BOOK)
        server = Stdio("--tools", "all", "--config", os.path.join(folder.path, "quire.toml"), root=folder.path)
        tap.ok(not call(server, "hnpx_get_subtree", file_path="a.book", node_id="book")[0],
               "the configuration adds extensions")
        text = refuses(server, folder, "and no others", "hnpx_get_subtree", file_path="id_rsa", node_id="book")
        tap.ok(".hnpx, .xml or .book" in text, "the refusal names them", text)
        server.close()


exports()
reads()
modes()
settings()
tap.done()
