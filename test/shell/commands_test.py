#!/usr/bin/env python3
"""The other commands: exit statuses, words, and output that programs can read."""
import json
import os
import re
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, QUIRE, Stdio, Tap, TOP  # noqa: E402

FIXTURE = os.path.join(os.path.dirname(QUIRE), "quire-conformance")
tap = Tap()


def run(*args, cwd=None, env=None, program=FIXTURE, stdin=b""):
    done = subprocess.run([program, *args], input=stdin, capture_output=True, cwd=cwd, timeout=60,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def refused(claim, words, *args, status=2, **more):
    have, out, err = run(*args, **more)
    tap.ok(have == status and out == "" and err.startswith("quire: ") and words in err and err.count("\n") == 1, claim,
           f"{have}\n{out}\n{err}")


def works(claim, words, *args, **more):
    status, out, err = run(*args, **more)
    tap.ok(status == 0 and words in out, claim, f"{status}\n{out}\n{err}")
    return out


with open(os.path.join(TOP, "VERSION")) as f:
    version = f.read().strip()
for words in (["version"], ["--version"], ["-V"]):
    tap.same(run(*words)[:2], (0, f"quire {version}\n"), f"{words[0]} prints the version")
status, out, _ = run()
tap.ok(status == 2 and "quire serve" in out, "without a command the commands are shown, with status 2")
for words in (["help"], ["--help"], ["-h"]):
    out = works(f"{words[0]} lists the commands", "quire serve", *words)
    tap.ok("quire docs" not in out and "quire complete" not in out, "but not those that are for make and completion")
refused("an unknown command is refused with the nearest", "did you mean serve", "sreve")
refused("an unknown command without a near one points to help", "quire help", "frobnicate")
for command in ("serve", "call", "tools", "history", "diff", "undo", "config", "key", "doctor"):
    out = works(f"help {command} shows its usage", f"quire {command} ", "help", command)
    if command != "key":
        works(f"{command} --help does too", f"quire {command} ", command, "--help")
works("help KIND shows the kind", "Conformance fixtures", "help", "test")
works("help TOOL shows the tool", "test_simple_text", "help", "test_simple_text")
works("help KIND TOOL does too", "test_simple_text", "help", "test", "test_simple_text")
refused("help for what is not there is refused", "quire tools", "help", "nothing")
refused("help for a tool a kind lacks is refused", "no tool", "help", "test", "nothing")

works("tools lists names, effects and titles", "test_simple_text", "tools")
for words in ([], ["test"], ["--read-only"], ["--tools", "test_simple_text,file_undo"], ["test", "--tools", "all"]):
    listed = json.loads(works(f"tools {' '.join(words)} --json is JSON", "{", "tools", *words, "--json"))
    with Folder() as folder, Stdio(*words, root=folder.path, quire=FIXTURE) as server:
        served, cursor = [], None
        while True:
            page = server.request("tools/list", {"cursor": cursor} if cursor else {})["result"]
            served += page["tools"]
            cursor = page.get("nextCursor")
            if not cursor:
                break
    tap.ok(served and listed == {"tools": served}, f"tools {' '.join(words)} --json is the list as served", (len(served), len(listed["tools"])))
refused("tools --json with a tool that is none", "nosuch", "tools", "--json", "--tools", "nosuch")
refused("--tools without --json says nothing", "--json", "tools", "--tools", "all")
refused("tools of an unknown kind are refused", "there are", "tools", "nothing")
tap.ok("file_undo" in works("tools of a kind with files", "get_next_empty_container", "tools", "hnpx", program=QUIRE), "end with the file tools")
tap.ok("file_undo" not in works("tools of a kind without files", "mcp_docjl_diff", "tools", "docjl", program=QUIRE),
       "end without them: they are not served there")
refused("a kind that is named twice too", "twice", "tools", "test", "test")
refused("an unknown option of tools", "--json", "tools", "--jsn")

BOOK = '<book id="aaaaaa"><summary>s</summary></book>'
with Folder({"home/docs/a.hnpx": BOOK, "other/b.hnpx": BOOK}) as folder:
    home, other = folder.path + "/home", folder.path + "/other"
    get = ["call", "hnpx", "get_next_empty_container"]
    at_home = {"program": QUIRE, "cwd": home, "env": {"HOME": home}}
    works("a file below the home folder is found there", "aaaaaa", *get, "--file-path", "docs/a.hnpx", **at_home)
    works("an absolute path needs no --root", "aaaaaa", *get, "--file-path", home + "/docs/a.hnpx", program=QUIRE, cwd="/")
    works("nor does one above the current folder", "aaaaaa", *get, "--file-path", "../other/b.hnpx", program=QUIRE, cwd=home)
    works("in JSON too, before or behind the options", "aaaaaa", *get, "--json", json.dumps({"file_path": other + "/b.hnpx"}), program=QUIRE, cwd="/")
    works("several files may lie in several folders", "b.md", "call", "hnpx", "export_document", "--file-path", home + "/docs/a.hnpx",
          "--output-path", other + "/b.md", program=QUIRE, cwd="/")
    tap.ok(os.path.exists(other + "/b.md"), "and each is where it was named")
    have, out, err = run("call", "hnpx", "create_document", "--file-path", "new/c.hnpx", program=QUIRE, cwd=other)
    tap.ok(have == 1 and other in err and "make it first" in err, "a folder that does not exist yet is meant below the current one", err)
    refused("what names no file needs a folder", "--root", "call", "notes", "list_tags", program=QUIRE, cwd="/")
    refused("a folder that is not there is named", "no folder", *get, "--file-path", "/nosuch/a.hnpx", program=QUIRE, cwd="/")
    have, out, err = run(*get, "--file-path", home + "/docs/a.hnpx", "--root", other, program=QUIRE)
    tap.ok(have == 1 and "INVALID_PATH" in err, "with --root what is outside of it is refused", err)
    status, out, err = run(*get, '{"file_path": "a.hnpx"}', '{"file_path": "b.hnpx"}', program=QUIRE)
    tap.ok(status == 2 and "one JSON object" in err, "two objects are too many", err)

with Folder({"a.txt": "x"}) as folder:
    root = ["--root", folder.path]
    works("call prints the text", "simple text", "call", "test", "test_simple_text", *root)
    works("options may stand before the kind", "simple text", "call", *root, "test", "test_simple_text")
    works("call takes the current folder", "simple text", "call", "test", "test_simple_text", cwd=folder.path)
    works("quire KIND TOOL is the same", "simple text", "test", "test_simple_text", *root)
    works("the arguments may be JSON", "simple text", "call", "test", "test_simple_text", "{}", *root)
    works("or JSON on stdin", "simple text", "call", "test", "test_simple_text", "-", *root, stdin=b"{}")
    status, out, err = run("call", "test", "test_error_handling", *root)
    tap.ok(status == 1 and out == "" and "message" in json.loads(err), "a tool's refusal is its error object, status 1", err)
    refused("call without a kind", "kind and a tool", "call")
    refused("call without a tool", "needs a tool", "call", "test")
    refused("call of an unknown kind", "there are", "call", "nothing", "x")
    refused("call of an unknown tool with the nearest", "did you mean test_simple_text", "call", "test", "test_simple_txt")
    refused("call with an unknown argument", "no argument nothing", "call", "test", "test_simple_text", "--nothing", "1", *root)
    refused("call with JSON that is none", "line 1", "call", "test", "test_simple_text", "{x", *root)
    refused("call with JSON that is no object", "one JSON object", "call", "test", "test_simple_text", "[1]", *root)
    refused("call with an empty stdin", "line 1", "call", "test", "test_simple_text", "-", *root)
    refused("call with a stray word", "unexpected word", "call", "test", "test_simple_text", "{}", "{}", *root)
    refused("call with an unknown option before the tool", "before the tool", "call", "--nothing", "test", "test_simple_text")
    refused("call in / without a root", "--root", "call", "test", "test_simple_text", cwd="/")
    refused("call in a root that is not there", "nowhere", "call", "test", "test_simple_text", "--root", folder.path + "/nowhere")
    works("call KIND TOOL --help explains the tool", "test_simple_text", "call", "test", "test_simple_text", "--help")
    done = subprocess.run([FIXTURE, "call", "test", "test_image_content", *root], capture_output=True)
    tap.ok(done.returncode == 0 and done.stdout.startswith(b"\x89PNG"), "an image goes raw to a stdout that is no terminal")
    status, out, err = run("call", "test", "test_image_content", "--output", folder.path + "/a.png", *root)
    tap.ok(status == 0 and out == "" and folder.read("a.png") == done.stdout, "or to the file that --output names", err)
    status, out, err = run("call", "test", "test_image_content", "--output", folder.path + "/no/a.png", *root)
    tap.ok(status == 1 and "a.png" in err, "a file that cannot be written is told", err)

    # Config.
    for client, where in (("claude-desktop", "mcpServers"), ("cursor", "mcpServers"), ("vscode", "servers")):
        server = json.loads(works(f"config {client} prints JSON", "{", "config", client, "test", *root))[where]["quire"]
        tap.same([server["command"], *server["args"]], [FIXTURE, "serve", "test", "--root", folder.path],
                 f"config {client} names program and root absolutely")
        hello = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}})
        done = subprocess.run([server["command"], *server["args"]], input=hello.encode() + b"\n", capture_output=True, cwd="/",
                              env={"HOME": "/", "PATH": "/bin"}, timeout=60)
        tap.ok("result" in json.loads(done.stdout or b"{}"), f"config {client} works from any folder, with a bare environment",
               done.stderr)
    awkward = os.path.join(folder.path, "it's a folder")
    os.mkdir(awkward)
    words = shlex.split(works("config claude-code prints a command", "claude mcp add", "config", "claude-code", "--root", awkward))
    tap.same(words[words.index("--") + 1:], [FIXTURE, "serve", "--root", awkward], "quoted for the shell")
    server = json.loads(run("config", "claude-code", "--json", *root)[1])["mcpServers"]["quire"]
    tap.same(server["args"], ["serve", "--root", folder.path], "config claude-code --json prints its file")
    url = "http://127.0.0.1:8080/mcp"
    tap.same(json.loads(run("config", "cursor", "--http", url)[1])["mcpServers"]["quire"], {"url": url},
             "config --http names the address")
    server = json.loads(run("config", "vscode", "--http", url, "--with-key")[1])
    tap.ok(server["servers"]["quire"]["type"] == "http" and server["inputs"][0]["password"]
           and server["inputs"][0]["id"] in server["servers"]["quire"]["headers"]["Authorization"],
           "vscode asks for the key")
    words = shlex.split(run("config", "claude-code", "--http", url, "--with-key")[1])
    tap.same(words[:7], ["claude", "mcp", "add", "--transport", "http", "quire", url], "claude-code's command for an address")
    tap.same(words[7:], ["--header", "Authorization: Bearer $QUIRE_KEY"], "with the key's header")
    server = json.loads(run("config", "claude-desktop", "--http", url)[1])["mcpServers"]["quire"]
    tap.same([server["command"], *server["args"]], ["npx", "mcp-remote", url], "claude-desktop goes through mcp-remote")
    refused("config without a client", "needs a client", "config")
    refused("config of an unknown client", "did you mean cursor", "config", "cursr")
    refused("config of an unknown kind", "there are", "config", "cursor", "nothing", *root)
    for client, where, address in (("gemini", "mcpServers", "httpUrl"), ("windsurf", "mcpServers", "serverUrl"), ("zed", "context_servers", "url"),
                                   ("cline", "mcpServers", "url")):
        server = json.loads(run("config", client, "--http", url, "--with-key")[1])[where]["quire"]
        tap.ok(server[address] == url and server["headers"]["Authorization"].startswith("Bearer "), f"config {client} names the address", server)
        server = json.loads(run("config", client, "--tools", "core", "--read-only", *root)[1])[where]["quire"]
        tap.ok(os.path.isabs(server["command"]) and server["args"][-3:] == ["--tools", "core", "--read-only"],
               f"config {client} starts the program with its options", server)
    # The one list of clients is quire help config; each prints its own form.
    listed = re.search(r"CLIENT: ([\w \n-]+?)\n\n", run("help", "config")[1])
    listed = listed.group(1).split() if listed else []
    tap.ok({"claude-desktop", "claude-ai", "chatgpt", "goose", "opencode", "continue"} <= set(listed), "quire help config lists the clients", listed)
    for client in listed:
        status, out, err = run("config", client, *(() if client in ("claude-ai", "chatgpt") else root))
        tap.ok(status == 0 and out and err.startswith("quire: "), f"config {client} prints what to paste, and where", (status, out, err))
        status, out, err = run("config", client, "--http", "https://docs.example.org/mcp", "--with-key")
        tap.ok(status == 0 and "https://docs.example.org/mcp" in out, f"config {client} prints the address of a running server", (status, out, err))
    try:
        import yaml
    except ImportError:
        yaml = None
    command = [FIXTURE, "serve", "--root", awkward]
    header = {"Authorization": "Bearer KEY"}
    server = json.loads(run("config", "opencode", "--root", awkward)[1])["mcp"]["quire"]
    tap.same(server, {"type": "local", "command": command}, "opencode has one list for program and arguments")
    server = json.loads(run("config", "opencode", "--http", url, "--with-key")[1])["mcp"]["quire"]
    tap.same(server, {"type": "remote", "url": url, "headers": {"Authorization": "Bearer {env:QUIRE_KEY}"}}, "and an address")
    if yaml:
        server = yaml.safe_load(run("config", "goose", "--root", awkward)[1])["extensions"]["quire"]
        tap.same((server["type"], [server["cmd"], *server["args"]]), ("stdio", command), "goose's file is YAML")
        server = yaml.safe_load(run("config", "goose", "--http", url, "--with-key")[1])["extensions"]["quire"]
        tap.same((server["type"], server["uri"], server["headers"]), ("streamable_http", url, header), "and an address")
        server = yaml.safe_load(run("config", "continue", "--root", awkward)[1])["mcpServers"][0]
        tap.same([server["command"], *server["args"]], command, "so is continue's")
        server = yaml.safe_load(run("config", "continue", "--http", url, "--with-key")[1])["mcpServers"][0]
        tap.same((server["type"], server["url"], server["requestOptions"]["headers"]["Authorization"]), ("streamable-http", url, "Bearer ${{ secrets.QUIRE_KEY }}"),
                 "and an address")
    for client in ("claude-ai", "chatgpt"):
        status, out, err = run("config", client, cwd="/")
        tap.ok(status == 0 and "HTTPS" in out and "--allow-host" in out and f"quire config {client} --http https://" in out and "add the header" in err,
               f"config {client} says what is needed", (out, err))
        tap.same(run("config", client, "--http", url)[1], out, "also for an address that it cannot reach")
        tap.same(run("config", client, "--http", "https://docs.example.org/mcp")[1], "https://docs.example.org/mcp\n", "and prints one that it can")
    server = json.loads(run("config", "cursor", *root, env={"QUIRE_NPM_PACKAGE": "quire-mcp"})[1])["mcpServers"]["quire"]
    tap.same([server["command"], *server["args"]], ["npx", "-y", "quire-mcp", "serve", "--root", folder.path], "started by npm's launcher it prints the npx line")
    import tomllib
    server = tomllib.loads(run("config", "codex", *root)[1])["mcp_servers"]["quire"]
    tap.ok(os.path.isabs(server["command"]) and server["args"][0] == "serve", "config codex is TOML", server)
    server = tomllib.loads(run("config", "codex", "--http", url, "--with-key")[1])["mcp_servers"]["quire"]
    tap.same(server, {"url": url, "bearer_token_env_var": "QUIRE_KEY"}, "also for an address")
    done = run("call", "test", "json_schema_2020_12_tool", *root, "--", '{"name": "x"}')
    tap.ok(done[0] == 0 and '"x"' in done[1], "call TOOL -- JSON takes the object", done)
    refused("config with an address that is none", "http://", "config", "cursor", "--http", "127.0.0.1:80")
    refused("config in / without a root", "--root", "config", "cursor", cwd="/")

    # Key.
    status, out, err = run("key", "anna")
    secret = err.split("once: ")[1].split("\n")[0]
    entry = json.loads(out)["keys"][0]
    tap.ok(status == 0 and entry["name"] == "anna" and secret not in out and len(secret) == 38 and secret.startswith("quire_"), "key prints an entry without the key")
    folder.write("keys.json", out)
    os.chmod(folder.path + "/keys.json", 0o600)
    sys.path.insert(0, os.path.join(TOP, "test/support"))
    from quire import Http  # noqa: E402
    with Http("--keys", folder.path + "/keys.json", root=folder.path, quire=FIXTURE, key=secret) as server:
        tap.ok("result" in server.request("tools/list"), "the key it printed opens the door")
    tap.ok(run("key", "anna")[2] != err, "each key is a new one")
    refused("key without a name", "name", "key")

    # Doctor.
    out = works("doctor finds a sound machine sound", "ok ", "doctor", *root, "--keys", folder.path + "/keys.json")
    for words in ("version", "library", "fonts", "root", "state", "keys"):
        tap.ok(words in out, f"doctor looks at {words}")
    tap.ok(not os.path.exists(folder.path + "/.quire"), "doctor makes nothing")
    findings = json.loads(works("doctor --json", "[", "doctor", "--json", *root))
    tap.ok(all(set(f) == {"verdict", "what", "words"} for f in findings), "is a list of findings")
    status, out, err = run("doctor", "--root", folder.path + "/nowhere")
    tap.ok(status == 1 and "FAULT" in out, "a root that is not there is a fault, status 1", out)
    folder.write("keys.json", "{}")
    status, out, err = run("doctor", *root, "--keys", folder.path + "/keys.json")
    tap.ok(status == 1 and "keys file" in out, "a keys file that is wrong is a fault", out)
    os.chmod(folder.path + "/keys.json", 0o644)
    folder.write("quire.toml", "[mcp_server]\nport = 'x'\n")
    status, out, err = run("doctor", *root, "--config", folder.path + "/quire.toml")
    tap.ok(status == 1 and "port" in out, "a configuration that is wrong is a fault", out)
    refused("doctor takes no words", "options only", "doctor", "x")

    # Arguments that exclude each other, are repeated, or do not exist.
    refused("version takes no words", "no arguments", "version", "x")
    refused("version has no options", "--json", "version", "--json")
    works("version has help", "Print the version", "version", "--help")
    works("docs has help", "quire docs", "docs", "--help")
    refused("help explains one thing", "one too many", "help", "serve", "extra")
    refused("help of a kind's tool takes no more", "one too many", "help", "test", "test_simple_text", "extra")
    works("help explains a verb of a kind", "quire hnpx stats FILE", "help", "hnpx", "stats", program=QUIRE)
    works("so does --help behind it", "quire hnpx stats FILE", "hnpx", "stats", "--help", program=QUIRE)
    refused("a part that a kind does not have", "quire help hnpx", "help", "hnpx", "nothing", program=QUIRE)
    refused("an empty command", "empty", "")
    refused("a verb with a word too many", "too many words: quire floorplan words", "floorplan", "words", "x", program=QUIRE)
    refused("a verb with an option it does not have", "no option --zzz", "floorplan", "words", "--zzz", program=QUIRE)
    refused("a verb without its file", "quire hnpx validate FILE", "hnpx", "validate", program=QUIRE)
    refused("a verb with two files", "too many words", "hnpx", "validate", "a", "b", program=QUIRE)
    refused("config: a kind twice", "twice", "config", "vscode", "test", "test", *root)
    refused("config: a root that is no folder", "is not a folder", "config", "vscode", "--root", folder.path + "/nowhere")
    refused("config: --with-key without --http", "--http", "config", "vscode", "--with-key", *root)
    refused("config: --root with --http", "cannot be used together", "config", "vscode", "--http", "http://127.0.0.1:1/mcp", *root)
    refused("config: a kind with --http", "/mcp/test", "config", "vscode", "test", "--http", "http://127.0.0.1:1/mcp")
    refused("config: no URL", "http://", "config", "vscode", "--http", "localhost:80")
    refused("call: an argument twice", "twice", "call", "test", "test_elicitation", "--message", "a", "--message", "b", *root)
    status, out, err = run("call", "test", "test_simple_text", "--output", folder.path + "/o.png", *root)
    tap.ok(status == 0 and "no image" in err and not os.path.exists(folder.path + "/o.png"), "call: --output without an image is told", err)
    refused("key: a name that the keys file would not take", "name", "key", "x" * 101)
    refused("key: a name that is no text", "UTF-8", "key", b"\xff\xfe")

    # Files.
    for command in ("history", "diff", "undo"):
        refused(f"{command} without a file", "needs a file", command)
        refused(f"{command} with too many words", "too many", command, "a", "b", "c", "d")
        refused(f"{command} in a folder that is not there", "no folder", command, folder.path + "/no/a.txt")
        refused(f"{command} of a folder", "name a file", command, folder.path + "/")
    for number in ("x", "-1", "0", "1.5", "99999999999999999999"):
        refused(f"undo of the commit {number}, which is no number", "not a commit number", "undo", folder.path + "/a.txt", "--commit", number)
    refused("undo with --redo and --commit", "cannot be used with --commit", "undo", folder.path + "/a.txt", "--redo", "--commit", "1")
    for command in ("history", "diff", "undo"):
        refused(f"{command} of an empty name", "needs a file", command, "")
    tap.same(json.loads(works("history --forget --json", "forgotten", "history", folder.path + "/a.txt", "--forget", "--json")),
             {"forgotten": 0}, "says how many as JSON")
    refused("history of a file that never was", "there is no file", "history", folder.path + "/nosuch", status=1)
    folder.write("a.txt", "x")
    status, out, err = run("history", folder.path + "/a.txt")
    tap.ok(status == 0 and out == "" and "nothing was written" in err, "a file without a history has none", (status, out, err))

    # Completion.
    tap.ok("serve" in run("complete", "se")[1].split(), "complete offers commands")
    tap.same(run("complete", "call", "te")[1].split(), ["test"], "and kinds")
    tap.ok("test_simple_text" in run("complete", "call", "test", "test_si")[1].split(), "and tools")
    tap.ok("--root" in run("complete", "serve", "--r")[1].split(), "and options")
    tap.same(run("complete", "config", "vs")[1].split(), ["vscode"], "and clients")
    tap.same(run("complete", "nothing", "x")[1], "", "and nothing for what it does not know")

    # The man page.
    with open(os.path.join(TOP, "packaging/quire.1")) as f:
        page = f.read().replace("\\", "")
    names = re.findall(r"^  quire ([a-z]+) ", run("help", program=QUIRE)[1], re.M)
    commands = names[:names.index("version") + 1]
    tap.ok(len(commands) > 12, "help lists the commands", names)
    for command in commands:
        tap.ok(f".B {command}\n" in page, f"the man page explains quire {command}")
        usage = run("help", command, program=QUIRE)[1]
        options = set(re.findall(r"^  (--[a-z-]+)(?: [A-Z][^ ]*| core.*)?$", usage, re.M))
        tap.same(sorted(o for o in options if f"{o}\n" not in page and f"{o} \"" not in page and f"{o} " not in page), [],
                 f"and every option of it")

    # Docs.
    works("docs writes its pages", "", "docs", folder.path + "/docs")
    for page in ("tools/test.md", "tools/file.md", "errors.md", "config.md"):
        tap.ok(os.path.getsize(folder.path + "/docs/" + page) > 100, f"docs has {page}")
    works("docs --snapshots writes every tool", "", "docs", "--snapshots", folder.path + "/snapshots")
    tap.ok(json.loads(folder.read("snapshots/test/test_simple_text.json"))["name"] == "test_simple_text", "as it is listed")
    refused("docs without a folder", "folder", "docs")
    refused("docs where nothing can be written", "cannot be created", "docs", folder.path + "/no/docs", status=1)

done = subprocess.run(f"{FIXTURE} tools --json | head -c 10", shell=True, capture_output=True)
tap.same(done.stderr, b"", "a reader that goes away is not complained about")

tap.done()
