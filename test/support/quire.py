"""quire.py: shared by test scripts: the real program over stdio and HTTP, TAP, and a small JSON Schema check."""
import atexit
import http.client
import json
import os
import queue
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
QUIRE = os.path.abspath(os.environ.get("QUIRE", os.path.join(TOP, "build/asan/quire")))
# Documents that tests try every rule on: our own, or those of others, which are no part of the repository (make foreign).
DATA = os.path.abspath(os.environ.get("QUIRE_DATA", os.path.join(TOP, "test/data")))
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
# Programs that read results ask for them as structuredContent; a request without this gets text alone.
STRUCTURED = {"quire/structured": True}
# The history of everything a script does is stored in a folder of its own, never in the home folder.
STATE_HOME = tempfile.mkdtemp(prefix="quire-state.")
STATE = os.path.join(STATE_HOME, "quire")
atexit.register(shutil.rmtree, STATE_HOME, ignore_errors=True)
os.environ["XDG_STATE_HOME"] = STATE_HOME
os.environ.pop("STATE_DIRECTORY", None)
PATIENCE = 60  # time limit in seconds for any one answer; only a hang reaches it


def wait_for(holds):
    """True once the condition holds. Only a hang waits until the time limit."""
    for _ in range(PATIENCE * 50):
        if holds():
            return True
        time.sleep(0.02)
    return holds()


def with_structured(method, params):
    """The parameters of a call that also asks for structuredContent, unless they say something about it."""
    if method != "tools/call" or not isinstance(params, dict) or not isinstance(params.get("_meta", {}), dict):
        return params
    return {**params, "_meta": {**STRUCTURED, **params.get("_meta", {})}}


def quire_for_all():
    """A copy of the program that another user may run too: the tree may be below a folder that only its owner may enter."""
    copy = os.path.join(tempfile.mkdtemp(prefix="quire-program."), "quire")
    atexit.register(shutil.rmtree, os.path.dirname(copy), ignore_errors=True)
    shutil.copyfile(QUIRE, copy)
    for path in (copy, os.path.dirname(copy)):
        os.chmod(path, 0o755)
    return copy


class Tap:
    """Counts claims and prints them as TAP."""

    def __init__(self):
        self.n = self.failed = 0

    def ok(self, holds, claim, note=""):
        self.n += 1
        if not holds:
            self.failed += 1
        print(("ok" if holds else "not ok"), self.n, "-", claim.replace("#", "no."), flush=True)
        if not holds and note:
            for line in str(note).splitlines()[:40]:
                print("#", line, flush=True)
        return holds

    def same(self, have, want, claim):
        return self.ok(have == want, claim, f"want {want!r}\nhave {have!r}")

    def skip(self, claim, why):
        self.n += 1
        print("ok", self.n, "-", claim, "# SKIP", why, flush=True)

    def done(self):
        print(f"1..{self.n}", flush=True)
        sys.exit(1 if self.failed else 0)


class Folder:
    """A temporary folder with files in it."""

    def __init__(self, files=None):
        self.path = tempfile.mkdtemp(prefix="quire-test.")
        for name, content in (files or {}).items():
            self.write(name, content)

    def write(self, name, content):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode())

    def read(self, name):
        with open(os.path.join(self.path, name), "rb") as f:
            return f.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


class Stdio:
    """quire serve on a pipe. Legacy by default; request(modern=True) speaks 2026-07-28."""

    def __init__(self, *args, root=None, quire=QUIRE, env=None, initialize="2025-11-25", capabilities=None):
        argv = [quire, "serve", *args] + (["--root", root] if root else [])
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env={**os.environ, **(env or {})})
        self.lines = queue.Queue()
        self.errors = []
        self.notices = []
        self.id = 0
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()
        if initialize:
            self.hello = self.request("initialize", {"protocolVersion": initialize, "capabilities": capabilities or {},
                                                     "clientInfo": {"name": "test", "version": "1"}})
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line.decode(errors="replace"))

    def send(self, message):
        raw = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(raw + b"\n")
        self.process.stdin.flush()

    def receive(self, timeout=PATIENCE):
        line = self.lines.get(timeout=timeout)
        if line is None:
            raise EOFError("".join(self.errors))
        return json.loads(line)

    def request(self, method, params=None, modern=False, timeout=PATIENCE):
        self.id += 1
        message = {"jsonrpc": "2.0", "id": self.id, "method": method}
        params = with_structured(method, params)
        if modern:
            params = {**(params or {}), "_meta": {META + "protocolVersion": MODERN, META + "clientCapabilities": {},
                                                  **(params or {}).get("_meta", {})}}
        if params is not None:
            message["params"] = params
        self.send(message)
        while True:
            answer = self.receive(timeout)
            if answer.get("id") == self.id and "method" not in answer:
                return answer
            self.notices.append(answer)

    def call(self, tool, arguments=None, **more):
        return self.request("tools/call", {"name": tool, "arguments": arguments or {}}, **more)

    def close(self):
        """Closes the input; returns the exit status."""
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            return self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Http:
    """quire serve --http on a free port of this machine. Sends modern requests by default."""

    def __init__(self, *args, root=None, quire=QUIRE, key=None, env=None, fresh=False):
        argv = [quire, "serve", *args, "--http", "127.0.0.1:0"] + (["--root", root] if root else [])
        config = args[args.index("--config") + 1] if "--config" in args else None
        asks = config and re.search("api_keys_file|require_auth", open(config, encoding="utf-8").read())
        if not fresh and not asks and not {"--keys", "--no-key"} & set(args):
            argv.append("--no-key")
        self.process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env={**os.environ, **(env or {})})
        self.key = key
        self.id = 0
        self.errors = []
        self.port = None
        seen = queue.Queue()
        threading.Thread(target=self._watch, args=(self.process.stderr, seen), daemon=True).start()
        threading.Thread(target=self._watch, args=(self.process.stdout, seen), daemon=True).start()
        deadline = time.time() + PATIENCE
        while self.port is None and time.time() < deadline:
            try:
                line = seen.get(timeout=0.2)
            except queue.Empty:
                if self.process.poll() is not None:
                    break
                continue
            found = re.search(r"http://[^\s:/]+:(\d+)", line)
            if found:
                self.port = int(found.group(1))
        if self.port is None:
            raise RuntimeError("the server did not start: " + "".join(self.errors))

    def _watch(self, stream, seen):
        for line in stream:
            text = line.decode(errors="replace")
            self.errors.append(text)
            seen.put(text)

    def raw(self, method="POST", path="/mcp", body=None, headers=None, timeout=PATIENCE):
        """Sends one request; returns (status, headers, bytes)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        all_headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.key:
            all_headers["Authorization"] = "Bearer " + self.key
        for name, value in (headers or {}).items():
            if value is None:
                all_headers.pop(name, None)
            else:
                all_headers[name] = value
        connection.request(method, path, body=body, headers=all_headers)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, dict((k.lower(), v) for k, v in response.getheaders()), content

    def request(self, method, params=None, path="/mcp", headers=None, capabilities=None):
        self.id += 1
        params = with_structured(method, params)
        params = {**(params or {}), "_meta": {META + "protocolVersion": MODERN,
                                              META + "clientCapabilities": capabilities or {},
                                              **(params or {}).get("_meta", {})}}
        name = params.get("uri" if method == "resources/read" else "name")
        all_headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
        if name is not None and method in ("tools/call", "prompts/get", "resources/read"):
            all_headers["Mcp-Name"] = name
        all_headers.update(headers or {})
        status, got, content = self.raw("POST", path, json.dumps({"jsonrpc": "2.0", "id": self.id, "method": method,
                                                                   "params": params}), all_headers)
        if got.get("content-type", "").startswith("text/event-stream"):
            for line in content.decode().splitlines():
                if line.startswith("data:"):
                    message = json.loads(line[5:])
                    if message.get("id") == self.id and "method" not in message:
                        return message
            raise AssertionError("no answer on the stream: " + content.decode())
        return json.loads(content) if content else {"status": status}

    def call(self, tool, arguments=None, **more):
        return self.request("tools/call", {"name": tool, "arguments": arguments or {}}, **more)

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool) or isinstance(value, float) and value.is_integer()
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def schema_faults(value, schema, root=None, where=""):
    """Lists where the value breaks the schema, as sentences."""
    root = schema if root is None else root
    if schema is True or schema == {}:
        return []
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].lstrip("#/").split("/"):
            target = target[part]
        return schema_faults(value, target, root, where)
    faults = []
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(is_type(value, n) for n in names):
            return [f"{where}: {value!r:.80} is not {names}"]
    if "enum" in schema and value not in schema["enum"]:
        faults.append(f"{where}: {value!r:.80} is none of {schema['enum']}")
    if "const" in schema and value != schema["const"]:
        faults.append(f"{where}: {value!r:.80} is not {schema['const']!r}")
    if isinstance(value, dict):
        faults += [f"{where}: {n} is missing" for n in schema.get("required", []) if n not in value]
        for name, item in value.items():
            if name in schema.get("properties", {}):
                faults += schema_faults(item, schema["properties"][name], root, where + "/" + name)
            elif schema.get("additionalProperties") is False:
                faults.append(f"{where}: {name} is not in the schema")
            elif isinstance(schema.get("additionalProperties"), dict):
                faults += schema_faults(item, schema["additionalProperties"], root, where + "/" + name)
    if isinstance(value, list):
        if isinstance(schema.get("items"), dict):
            for i, item in enumerate(value):
                faults += schema_faults(item, schema["items"], root, f"{where}/{i}")
        if len(value) < schema.get("minItems", 0) or len(value) > schema.get("maxItems", 1 << 60):
            faults.append(f"{where}: {len(value)} items")
    if isinstance(value, str) and not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 1 << 60):
        faults.append(f"{where}: {len(value)} characters")
    if is_type(value, "number") and not schema.get("minimum", -1e400) <= value <= schema.get("maximum", 1e400):
        faults.append(f"{where}: {value} is out of range")
    for word in ("anyOf", "oneOf"):
        if word in schema:
            good = sum(not schema_faults(value, s, root, where) for s in schema[word])
            if good == 0 or (word == "oneOf" and good > 1):
                faults.append(f"{where}: {good} branches of {word} fit")
    for s in schema.get("allOf", []):
        faults += schema_faults(value, s, root, where)
    return faults
