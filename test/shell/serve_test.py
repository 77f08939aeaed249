#!/usr/bin/env python3
"""quire serve: every mistake is reported at the start in one sentence, with exit status 2; a correct command line is
served."""
import json
import os
import pwd
import re
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, Http, QUIRE, Stdio, Tap, TOP, wait_for  # noqa: E402

FIXTURE = os.path.join(os.path.dirname(QUIRE), "quire-conformance")
tap = Tap()


def run(*args, cwd=None, env=None, program=FIXTURE, stdin=b""):
    done = subprocess.run([program, *args], input=stdin, capture_output=True, cwd=cwd, timeout=60,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def refused(claim, words, *args, **more):
    status, out, err = run(*args, **more)
    lines = err.strip().splitlines()
    tap.ok(status == 2 and out == "" and lines and lines[-1].startswith("quire: ") and words in lines[-1], claim,
           f"{status}\n{out}\n{err}")


with Folder({"file": "x"}) as folder, open(os.path.join(TOP, "packaging/mcpb/manifest.json")) as f:
    bundle = json.load(f)["server"]["mcp_config"]["args"]
    missing = folder.path + "/Documents/quire"
    status, out, err = run(*[word.replace("${user_config.root}", missing) for word in bundle])
    tap.ok(status == 0 and os.path.isdir(missing), "the bundle starts without its folder, and makes it", err)
    refused("a root that is missing is refused without --make-root", "nosuch", "serve", "--root", folder.path + "/nosuch")
    refused("a root that cannot be made is refused", "cannot be created", "serve", "--make-root", "--root", folder.path + "/file/below")

with Folder({"note.txt": "x"}) as folder:
    root = ["--root", folder.path]

    # Options.
    refused("an unknown option is refused with the nearest name", "--root", "serve", "--rot", folder.path)
    refused("an unknown option without a near one is refused", "--zzzzzzzz", "serve", "--zzzzzzzz")
    refused("a short option is refused", "-r", "serve", "-r", folder.path)
    for option in ("root", "http", "config", "store", "state", "tools", "keys", "user", "allow-host", "allow-origin", "log"):
        refused(f"--{option} without a value is refused", f"--{option} needs a value", "serve", "--" + option)
        refused(f"an empty --{option} is refused", f"--{option} is empty", "serve", f"--{option}=")
    for option in ("read-only", "stdio"):
        refused(f"--{option} takes no value", "takes no value", "serve", f"--{option}=yes")
    for option in ("http", "config", "state", "tools", "keys", "user", "log"):
        refused(f"--{option} twice is refused", "twice", "serve", f"--{option}", "a", f"--{option}", "b")
    refused("an unknown kind is refused with the list", "there are: test", "serve", "nothing", *root)
    refused("a kind named twice is refused", "twice", "serve", "test", "test", *root)
    for address in ("x", "127.0.0.1", "127.0.0.1:", "127.0.0.1:http", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80", ":"):
        refused(f"--http {address} is refused", "--http", "serve", "--http", address, *root)
    refused("--http and --stdio exclude each other", "cannot be used together", "serve", "--http", "127.0.0.1:0", "--stdio", *root)
    refused("--store is refused where no kind uses one", "--store", "serve", "--store", "postgres://x", *root)
    refused("an unknown log level is refused", "error, warning, info or debug", "serve", "--log", "loud", *root)
    refused("--keys without --http is refused", "--http", "serve", "--keys", "k.json", *root)

    refused("a tool that is not there is refused", "no_such_tool", "serve", "--tools", "test_simple_text,no_such_tool", *root)
    refused("an empty name among the tools is refused", "--tools", "serve", "--tools", "test_simple_text,", *root)
    for host in ("http://x", "a/b", "a b", "x:y", "[::1", "*"):
        refused(f"--allow-host {host} is refused", "--allow-host", "serve", "--allow-host", host, *root)
    for origin in ("ftp://x", "https://x/", "https://", "a b", "*"):
        refused(f"--allow-origin {origin} is refused", "--allow-origin", "serve", "--allow-origin", origin, *root)

    # Roots.
    refused("a root that is not there is refused", "nowhere", "serve", "--root", folder.path + "/nowhere")
    refused("a root that is a file is refused", "note.txt", "serve", "--root", folder.path + "/note.txt")
    refused("/ is not served by default", "--root", "serve", cwd="/")
    refused("the home folder is not served by default", "home", "serve", cwd=folder.path, env={"HOME": folder.path})
    os.symlink(folder.path, folder.path + ".link")
    refused("nor under another name", "home", "serve", cwd=folder.path, env={"HOME": folder.path + ".link"})
    os.unlink(folder.path + ".link")
    refused("nor that of the list of users, where HOME says nothing", "home", "serve", cwd=pwd.getpwuid(os.getuid()).pw_dir, env={"HOME": ""})
    for host in ("0.0.0.0:0", "[::]:0", "192.168.1.1:0", "example.org:80"):
        refused(f"{host} is not served without keys", "--keys", "serve", "--http", host, *root)
    status, out, err = run("serve", cwd=folder.path)
    tap.ok(status == 0 and out == "" and err == "", "the current folder is served when it is a plain one", (status, out, err))

    # Keys.
    http = ["serve", "--http", "127.0.0.1:0", *root]
    refused("a keys file that is not there is refused", "none.json", *http, "--keys", folder.path + "/none.json")
    for name, source, words in (("empty", "", "line 1"), ("no-json", "{keys", "line 1"), ("no-keys", "{}", "keys"),
                                ("no-secret", '{"keys":[{"name":"a"}]}', "hash"),
                                ("wrong-grants", '{"keys":[{"name":"a","key":"12345678","grants":7}]}', "grants"),
                                ("twice", '[{"name":"a","key":"12345678"},{"name":"a","key":"12345679"}]', "two keys")):
        folder.write("keys.json", source)
        refused(f"a wrong keys file is refused: {name}", words, *http, "--keys", folder.path + "/keys.json")

    # Configuration.
    config = ["serve", *root, "--config", folder.path + "/quire.toml"]
    refused("a configuration that is not there is refused", "quire.toml", *config)
    for name, source, words in (
            ("syntax", "[mcp_server\n", "line 1"), ("type", "[mcp_server]\nport = 'x'\n", "port"),
            ("range", "[mcp_server]\nport = 70000\n", "port"), ("table", "mcp_server = 1\n", "mcp_server"),
            ("kind", "[mcp_server]\nkinds = ['nothing']\n", "nothing"),
            ("host", "[mcp_server]\nhost = '0.0.0.0'\n", "--keys"),
            ("keys", "[mcp_server]\nport=0\n[mcp_server.auth]\napi_keys_file = 'none.json'\n", folder.path + "/none.json"),
            ("limit", "[mcp_server.rate_limit]\nrequests_per_minute = -1\n", "requests_per_minute"),
            ("log", "[mcp_server]\nlog = 'loud'\n", "loud"),
            ("kinds", "kinds = 3\n", "kinds"),
            ("kind's table", "[kinds]\ntest = 3\n", "[kinds.test]")):
        folder.write("quire.toml", source)
        refused(f"a wrong configuration is refused: {name}", words, *config)
    folder.write("quire.toml", "[mcp_server]\nprot = 1\n[mcp_sever]\nx = 1\n[kinds.nothing]\na = 1\n"
                               "[mcp_server.storage]\nironbase_path = 'x'\n[mcp_server.validation]\nstrict_mode = true\n")
    status, out, err = run(*config)
    tap.ok(status == 0 and out == "", "unknown keys do not stop the server", (status, err))
    for words in ("prot", "mcp_sever", "kinds.nothing", "ironbase_path", "validation"):
        tap.ok(any(l.startswith("quire: warning: ") and words in l for l in err.splitlines()), f"a warning names {words}", err)
    folder.write("quire.toml", "[kinds.test]\nx = 1\n")
    status, out, err = run(*config)
    tap.ok(status == 0 and "quire.toml: the kind test has no settings" in err, "settings of a kind that has none are told", err)
    for source, words in (("[kinds.floorplan]\nx = 1\n", "[kinds.floorplan]: there is no key x"),
                          ("[mcp_server]\nprot = 1\n", "quire.toml: mcp_server has no")):
        folder.write("quire.toml", source)
        status, out, err = run(*config, program=QUIRE)
        tap.ok(status == 0 and words in err, f"a warning says where it is: {words}", err)
    folder.write("quire.toml", "[mcp_server]\nstate_key = '%s'\n" % ("k" * 32))
    os.chmod(folder.path + "/quire.toml", 0o644)
    status, out, err = run(*config)
    tap.ok(status == 0 and "chmod 600" in err and "k" * 32 not in err, "a secret that others may read is warned about", err)
    os.chmod(folder.path + "/quire.toml", 0o600)
    status, out, err = run(*config)
    tap.ok(status == 0 and err == "", "one that they may not is fine", err)
    os.chmod(folder.path + "/quire.toml", 0o644)
    folder.write("quire.toml", "[mcp_server]\nhost = '127.0.0.1'\nport = 0\n")
    with Http("--config", folder.path + "/quire.toml", root=folder.path, quire=FIXTURE) as server:
        tap.ok(server.port, "the command line wins over the file")
    status, out, err = run(*config, "--stdio")
    tap.ok(status == 0, "--stdio wins over host and port", err)
    folder.write("keys.json", '[{"name":"a","key":"12345678"}]')
    os.chmod(folder.path + "/keys.json", 0o600)
    folder.write("quire.toml", "[mcp_server]\nport = 0\n[mcp_server.auth]\napi_keys_file = 'keys.json'\n")
    with Stdio("--stdio", "--config", folder.path + "/quire.toml", root=folder.path, quire=FIXTURE) as server:
        tap.ok("result" in server.request("tools/list"), "one configuration serves both ways: on stdio its keys are not asked for")
    refused("--keys of the command line is not for stdio", "need no key", *config, "--stdio", "--keys", folder.path + "/keys.json")
    os.unlink(folder.path + "/keys.json")
    folder.write("deep/quire.toml", "[mcp_server.storage]\nroots = ['..']\n")
    with Stdio("--config", folder.path + "/deep/quire.toml", quire=FIXTURE) as server:
        tap.ok("result" in server.hello, "paths in the file are relative to the file")

    folder.write("quire.toml", "[mcp_server]\naccess_log = 'access.log'\n")
    with Stdio("--config", folder.path + "/quire.toml", root=folder.path, quire=FIXTURE) as server:
        server.call("test_simple_text")
        server.call("test_error_handling")
    lines = [json.loads(line) for line in folder.read("access.log").decode().splitlines()]
    tap.same([(line["kind"], line["tool"], line["outcome"]) for line in lines if line["method"] == "tools/call"],
             [("test", "test_simple_text", "done"), ("test", "test_error_handling", "INTERNAL")],
             "the access log has a line for each call")
    folder.write("quire.toml", "[mcp_server]\naccess_log = 'no/access.log'\n")
    refused("an access log that cannot be opened is told", "access.log", *config)

    # Serving.
    with Stdio(root=folder.path, quire=FIXTURE) as server:
        tools = {t["name"] for t in server.request("tools/list")["result"]["tools"]}
        tap.ok("test_simple_text" in tools, "stdio serves the kinds' tools")
        tap.same(server.close(), 0, "the end of input ends it with status 0")
    with Stdio("--tools", "test_simple_text", root=folder.path, quire=FIXTURE) as server:
        tools = [t["name"] for t in server.request("tools/list")["result"]["tools"]]
        tap.same(tools, ["test_simple_text"], "--tools NAME offers that tool alone")
    with Stdio("--tools", "hnpx_get_node, get_subtree,file_history", root=folder.path) as server:
        tools = [t["name"] for t in server.request("tools/list")["result"]["tools"]]
        tap.same(tools, ["file_history", "hnpx_get_node", "hnpx_get_subtree"], "names are taken as they are listed, and bare")
    refused("core among names is refused", "takes core, all, or", "serve", "--tools", "core,test_simple_text", *root)
    with Http(root=folder.path, quire=FIXTURE) as server:
        line = "".join(server.errors)
        tap.ok(re.search(r"serving test at http://127\.0\.0\.1:\d+/mcp\n", line), "the address is told on stderr", line)
        tap.same(server.raw("GET", "/health")[0], 200, "it can be reached there")
        tap.same(server.close(), 0, "SIGTERM ends it with status 0")
    for number in (signal.SIGINT, signal.SIGTERM):
        with Stdio(root=folder.path, quire=FIXTURE) as server:
            server.process.send_signal(number)
            tap.same(server.process.wait(timeout=60), 0, f"signal {int(number)} ends stdio with status 0")

    # Standard streams that are closed.
    closed = subprocess.Popen(f"exec {FIXTURE} serve --http 127.0.0.1:0 --root {folder.path} <&- >&- 2>&-", shell=True)

    def links():
        found = []
        for n in range(12):
            try:
                found.append(os.readlink(f"/proc/{closed.pid}/fd/{n}"))
            except OSError:
                found.append("")
        return found

    wait_for(lambda: any(link.startswith("socket:") for link in links()))
    tap.same(links()[:3], ["/dev/null"] * 3, "no file of ours takes the place of a standard stream that is closed")
    closed.send_signal(signal.SIGTERM)
    tap.same(closed.wait(timeout=60), 0, "and the server ends as always")

    # Keys that are re-read.
    grants = '"grants":{"kinds":["*"],"tools":["*"],"documents":["**"],"write":["**"]}'
    folder.write("keys.json", '{"keys":[{"name":"anna","key":"open-sesame",%s}]}' % grants)
    with Http("--keys", folder.path + "/keys.json", root=folder.path, quire=FIXTURE) as server:
        tap.ok("chmod 600" in "".join(server.errors), "a keys file that others may read is warned about", server.errors)
        tap.same(server.raw("POST", "/mcp", "{}")[0], 401, "without a key nobody comes in")
        server.key = "open-sesame"
        tap.ok("result" in server.request("tools/list"), "with the key one does")
        folder.write("keys.json", '{"keys":[{"name":"bert","key":"another-one",%s}]}' % grants)
        server.process.send_signal(signal.SIGHUP)
        for _ in range(100):
            if server.raw("POST", "/mcp", "{}")[0] == 401:
                break
        tap.same(server.raw("POST", "/mcp", "{}")[0], 401, "SIGHUP re-reads the keys")
        server.key = "another-one"
        tap.ok("result" in server.request("tools/list"), "the new key is known")
        folder.write("keys.json", "broken")
        server.process.send_signal(signal.SIGHUP)
        for _ in range(100):
            if any("old ones stay" in l for l in server.errors):
                break
            server.raw("GET", "/health")
        tap.ok("result" in server.request("tools/list"), "a broken file leaves the old keys")
        tap.ok(any("old ones stay" in l for l in server.errors), "and says so", server.errors)

tap.done()
