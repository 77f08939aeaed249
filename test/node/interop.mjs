// interop.mjs: the official clients against the real program: both generations of the SDK, every way to negotiate, over stdio
// and over HTTP with a key. Every message the server sends is checked against the official schema of its version, where the
// schemas are to be had (QUIRE_DATA).
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as oldTypes from '@modelcontextprotocol/sdk/types.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const top = path.resolve(import.meta.dirname, '../..');
const quire = process.env.QUIRE ?? path.join(top, 'build/asan/quire');
const fixture = process.env.QUIRE_CONFORMANCE ?? path.join(top, 'build/asan/quire-conformance');
const data = process.env.QUIRE_DATA ?? path.join(top, 'test/data');
const secret = 'interop-secret-0123456789abcdef';

let n = 0, failed = 0;
const ok = (holds, claim, note) => {
  console.log(`${holds ? 'ok' : 'not ok'} ${++n} - ${claim}`);
  if (!holds) { failed++; if (note !== undefined) console.log('# ' + String(note?.stack ?? JSON.stringify(note)).slice(0, 2000).replaceAll('\n', '\n# ')); }
  return holds;
};

// --- schemas ---
const resultOf = { 'initialize': 'InitializeResult', 'tools/list': 'ListToolsResult', 'tools/call': 'CallToolResult', 'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult', 'resources/read': 'ReadResourceResult', 'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult', 'completion/complete': 'CompleteResult', 'server/discover': 'DiscoverResult',
  'subscriptions/listen': 'SubscriptionsListenResult' };
const schemas = {};
function schemaOf(version) {
  if (version in schemas) return schemas[version];
  const file = path.join(data, 'mcp-schema', version, 'schema.json');
  if (!fs.existsSync(file)) return schemas[version] = null;
  const schema = JSON.parse(fs.readFileSync(file, 'utf8'));
  const ajv = schema.$defs ? new Ajv2020({ strict: false }) : new Ajv({ strict: false, validateSchema: false });
  addFormats.default ? addFormats.default(ajv) : addFormats(ajv);
  delete schema.$schema;
  ajv.addSchema(schema, version);
  const compiled = {};
  const where = schema.$defs ? '$defs' : 'definitions';
  return schemas[version] = name => compiled[name] ??= schema[where][name] ? ajv.compile({ $ref: `${version}#/${where}/${name}` }) : null;
}

// Watches a transport: what the client asked, what the server said.
function watched(transport, log) {
  let inner;
  const send = transport.send.bind(transport);
  transport.send = (message, options) => { for (const m of [message].flat()) if (m.method && m.id !== undefined) log.asked.set(JSON.stringify(m.id), m.method); return send(message, options); };
  Object.defineProperty(transport, 'onmessage', { configurable: true, set(f) { inner = f; }, get() { return inner && ((m, extra) => { log.messages.push(m); inner(m, extra); }); } });
  return transport;
}
function checkWire(log, version, title) {
  const schema = schemaOf(version);
  if (!schema) { console.log(`ok ${++n} - ${title}: wire schema # SKIP no schema of ${version}`); return; }
  const faults = [];
  for (const m of log.messages) {
    const message = schema('JSONRPCMessage');
    if (!message(m)) faults.push([m, message.errors?.slice(0, 3)]);
    if (m.result) {
      const name = m.result.resultType === 'input_required' ? 'InputRequiredResult' : resultOf[log.asked.get(JSON.stringify(m.id))];
      const check = name && schema(name);
      if (check && !check(m.result)) faults.push([name, JSON.stringify(m).slice(0, 300), check.errors?.slice(0, 3)]);
    }
    if (m.method && m.id === undefined) { const check = schema('ServerNotification'); if (!check(m)) faults.push([m, check.errors?.slice(0, 3)]); }
  }
  ok(faults.length === 0 && log.messages.length > 0, `${title}: all ${log.messages.length} messages are valid by the schema of ${version}`, faults.slice(0, 3));
}

// --- servers ---
const folders = [];
function folder() { const f = fs.mkdtempSync(path.join(os.tmpdir(), 'quire-interop.')); folders.push(f); return f; }
const running = [];
async function httpServer(program, args, root) {
  const keys = path.join(folder(), 'keys.json');
  fs.writeFileSync(keys, JSON.stringify({ keys: [{ name: 'interop', key: secret, grants: { kinds: ['*'], documents: ['**'], write: ['**'], tools: ['*'] } }] }), { mode: 0o600 });
  const child = spawn(program, ['serve', ...args, '--http', '127.0.0.1:0', '--root', root, '--keys', keys], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  return await new Promise((resolve, reject) => {
    let said = '';
    const look = chunk => { said += chunk; const m = /http:\/\/[^\s:/]+:(\d+)/.exec(said); if (m) resolve({ url: new URL(`http://127.0.0.1:${m[1]}/mcp`), child }); };
    child.stdout.on('data', look); child.stderr.on('data', look);
    child.on('exit', code => reject(new Error(`exit ${code}: ${said}`)));
  });
}
const auth = { requestInit: { headers: { Authorization: `Bearer ${secret}` } } };
const soon = (promise, what, ms = 60000) => Promise.race([promise, new Promise((_, no) => setTimeout(() => no(new Error(`${what}: no answer in time`)), ms).unref())]);

// --- one conversation, whoever the client is ---
const generations = {
  'sdk 1.x': { version: '2025-11-25', make: capabilities => new OldClient({ name: 'interop', version: '1' }, { capabilities }), stdio: o => new OldStdio(o),
    http: (u, o) => new OldHttp(u, o), onElicit: (c, f) => c.setRequestHandler(oldTypes.ElicitRequestSchema, f),
    onUpdate: (c, f) => c.setNotificationHandler(oldTypes.ResourceUpdatedNotificationSchema, f) },
  ...Object.fromEntries([['legacy', 'legacy', '2025-11-25'], ['auto', 'auto', '2026-07-28'], ['pinned', { pin: '2026-07-28' }, '2026-07-28']].map(([name, mode, version]) =>
    [`client 2.x ${name}`, { version, make: capabilities => new Client({ name: 'interop', version: '1' }, { capabilities, versionNegotiation: { mode } }), stdio: o => new StdioClientTransport(o),
      http: (u, o) => new StreamableHTTPClientTransport(u, o), onElicit: (c, f) => c.setRequestHandler('elicitation/create', f),
      onUpdate: (c, f) => c.setNotificationHandler('notifications/resources/updated', f) }])),
};

async function fixtureTalk(title, g, transport) {
  const log = { asked: new Map(), messages: [] };
  const client = g.make({ elicitation: {} });
  g.onElicit(client, async () => ({ action: 'accept', content: { name: 'Grace' } }));
  await soon(client.connect(watched(transport, log)), 'connect');
  const { tools } = await soon(client.listTools(), 'tools/list');
  ok(tools.some(t => t.name === 'test_simple_text'), `${title}: lists tools`);
  const text = await soon(client.callTool({ name: 'test_simple_text', arguments: {} }), 'call');
  ok(text.content[0].text.startsWith('This is a simple'), `${title}: calls a tool`, text);
  const bad = await soon(client.callTool({ name: 'test_error_handling', arguments: {} }), 'call');
  ok(bad.isError === true, `${title}: a refusal is a result`, bad);
  const steps = [];
  await soon(client.callTool({ name: 'test_tool_with_progress', arguments: {} }, ...(g.version === '2025-11-25' && title.includes('1.x') ? [undefined] : []), { onprogress: p => steps.push(p.progress) }), 'progress');
  ok(JSON.stringify(steps) === '[0,50,100]', `${title}: hears progress`, steps);
  const hello = await soon(client.callTool({ name: 'test_input_required_result_elicitation', arguments: {} }), 'elicit');
  ok(hello.content[0].text === 'Hello, Grace!', `${title}: is asked and answers`, hello);
  const stop = new AbortController();
  const slow = client.callTool({ name: 'test_slow', arguments: {} }, ...(title.includes('1.x') ? [undefined] : []), { signal: stop.signal });
  setTimeout(() => stop.abort('enough'), 150);
  let thrown = false;
  try { await soon(slow, 'cancel'); } catch (e) { thrown = !/no answer in time/.test(String(e)); }
  ok(thrown, `${title}: cancels a call`);
  const { resources } = await soon(client.listResources(), 'resources/list');
  ok(resources.length >= 3, `${title}: lists resources`);
  const read = await soon(client.readResource({ uri: 'test://template/42/data' }), 'resources/read');
  ok(read.contents[0].text.includes('42'), `${title}: reads a resource by template`, read);
  const { prompts } = await soon(client.listPrompts(), 'prompts/list');
  ok(prompts.length === 5, `${title}: lists prompts`);
  const done = await soon(client.complete({ ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' }, argument: { name: 'arg1', value: 'te' } }), 'complete');
  ok(done.completion.values.length === 2, `${title}: completes`, done);
  await soon(client.close(), 'close');
  checkWire(log, g.version, title);
}

async function productTalk(title, g, transport, root, watches) {
  const log = { asked: new Map(), messages: [] };
  const client = g.make({});
  const updates = [];
  await soon(client.connect(watched(transport, log)), 'connect');
  const file = `story-${n}.hnpx`, uri = `hnpx:///${file}`;
  const made = await soon(client.callTool({ name: 'create_document', arguments: { file_path: file } }), 'create_document');
  ok(!made.isError && fs.existsSync(path.join(root, file)), `${title}: makes a document`, made);
  if (watches) {
    g.onUpdate(client, u => { updates.push(u.params.uri); });
    if (g.version === '2026-07-28') await soon(client.listen({ resourceSubscriptions: [uri] }), 'listen');
    else await soon(client.subscribeResource({ uri }), 'subscribe');
  }
  const chapter = await soon(client.callTool({ name: 'create_chapter', arguments: { file_path: file, parent_id: 'book', title: 'One', summary: 'It begins.' } }), 'create_chapter');
  ok(/^[a-z0-9]{6}$/.test(chapter.structuredContent?.id ?? ''), `${title}: the answer fits its schema and has an id`, chapter);
  const next = await soon(client.callTool({ name: 'get_next_empty_container', arguments: { file_path: file } }), 'next');
  ok(next.structuredContent?.type === 'chapter', `${title}: is told what to write next`, next);
  const refused = await soon(client.callTool({ name: 'create_chapter', arguments: { file_path: file, parent_id: 'nosuch', title: 'x', summary: 'y' } }), 'refused');
  ok(refused.isError && JSON.parse(refused.content[0].text).code === 'NODE_NOT_FOUND', `${title}: a refusal carries the code`, refused);
  const read = await soon(client.readResource({ uri }), 'read');
  ok(read.contents[0].text.includes('It begins.'), `${title}: reads the document as a resource`, read);
  if (watches) {
    for (let i = 0; i < 50 && !updates.length; i++) await new Promise(r => setTimeout(r, 100));
    ok(updates.includes(uri), `${title}: hears that the document changed`, updates);
  }
  await soon(client.close(), 'close');
  checkWire(log, g.version, title);
}

try {
  const hasHnpx = JSON.parse(await new Promise(r => { let s = ''; const c = spawn(quire, ['tools', '--json']); c.stdout.on('data', d => s += d); c.on('close', () => r(s || '{}')); })).hnpx !== undefined;
  const fixtureHttp = await httpServer(fixture, [], folder());
  const root = folder();
  const productHttp = hasHnpx && await httpServer(quire, ['hnpx'], root);
  for (const [name, g] of Object.entries(generations)) {
    const talks = [
      [`${name} over stdio`, t => fixtureTalk(t, g, g.stdio({ command: fixture, args: ['serve', '--root', folder()], stderr: 'ignore' }))],
      [`${name} over HTTP with a key`, t => fixtureTalk(t, g, g.http(fixtureHttp.url, auth))],
      ...(hasHnpx ? [
        [`${name}, novels over stdio`, t => productTalk(t, g, g.stdio({ command: quire, args: ['serve', 'hnpx', '--root', root], stderr: 'ignore' }), root, true)],
        [`${name}, novels over HTTP with a key`, t => productTalk(t, g, g.http(productHttp.url, auth), root, true)],
      ] : []),
    ];
    for (const [title, talk] of talks) {
      try { await talk(title); } catch (e) { ok(false, `${title}: came to its end`, e); }
    }
  }
  for (const [title, headers] of [['no key', {}], ['a wrong key', { Authorization: 'Bearer nonsense' }]]) {
    const answer = await fetch(fixtureHttp.url, { method: 'POST', headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers }, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
    ok(answer.status === 401 && /Bearer/.test(answer.headers.get('www-authenticate') ?? ''), `${title} is answered 401`, answer.status);
  }
  for (const child of running) {
    const ended = new Promise(r => child.on('exit', code => r(code)));
    child.removeAllListeners('exit'); child.on('exit', code => child.emit('ended', code));
    const code = new Promise(r => child.on('ended', r));
    child.kill('SIGTERM');
    ok(await soon(code, 'stop') === 0, 'the server stops cleanly', ended);
  }
} finally {
  for (const child of running) child.kill('SIGKILL');
  for (const f of folders) fs.rmSync(f, { recursive: true, force: true });
}
console.log(`1..${n}`);
process.exit(failed ? 1 : 0);
