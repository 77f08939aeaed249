// restart.mjs: a server that listed outputSchemas is started again without --structured, under clients that keep the list. They
// may refuse results that are text alone, until they list again: tools/list says that its answer is good for a minute at most.
import path from 'node:path';
import fs from 'node:fs';
import os from 'node:os';
import { spawn } from 'node:child_process';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const top = path.resolve(import.meta.dirname, '../..');
const quire = process.env.QUIRE ?? path.join(top, 'build/asan/quire');
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'quire-restart.'));
fs.writeFileSync(path.join(root, 'a.md'), '# A\n');
let n = 0, failed = 0;
const ok = (holds, claim, note) => {
  console.log(`${holds ? 'ok' : 'not ok'} ${++n} - ${claim}`);
  if (!holds) { failed++; console.log('# ' + JSON.stringify(note)?.slice(0, 500)); }
};

// Starts the server, and resolves with its port once it listens.
function start(port, ...more) {
  const process = spawn(quire, ['serve', 'notes', '--no-key', '--http', `127.0.0.1:${port}`, '--root', root, ...more], { stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((yes, no) => {
    let said = '';
    process.on('exit', code => no(new Error(`the server ended with ${code}: ${said}`)));
    process.stderr.on('data', d => { const found = (said += d).match(/http:\/\/127\.0\.0\.1:(\d+)/); if (found) yes({ process, port: Number(found[1]) }); });
  });
}
const stop = server => new Promise(yes => { server.process.removeAllListeners('exit'); server.process.on('exit', yes); server.process.kill('SIGTERM'); });
const call = client => client.callTool({ name: 'file_list', arguments: {} });

for (const [title, Kind, Transport, options] of [['sdk 1', OldClient, OldHttp], ['client 2', Client, StreamableHTTPClientTransport],
  ['client 2, modern', Client, StreamableHTTPClientTransport, { versionNegotiation: { mode: 'auto' } }]]) {
  let server = await start(0, '--structured');
  const url = new URL(`http://127.0.0.1:${server.port}/mcp`);
  const client = new Kind({ name: 'test', version: '1' }, options);
  await client.connect(new Transport(url));
  const before = (await client.listTools()).tools.find(t => t.name === 'file_list');
  ok(before.outputSchema && (await call(client)).structuredContent?.total === 1, `${title}: a structured server lists schemas and sends both forms`, before);
  await stop(server);
  server = await start(server.port);
  await client.close();
  await client.connect(new Transport(url));
  await call(client).catch(() => {}); // refused, if the client still has the schema
  const after = (await client.listTools()).tools.find(t => t.name === 'file_list');
  const result = await call(client).catch(e => ({ error: String(e) }));
  ok(!after.outputSchema && !result.structuredContent && JSON.parse(result.content?.[0]?.text ?? '{}').total === 1,
    `${title}: once it has listed again, text alone is taken`, result);
  await client.close();
  await stop(server);
}
fs.rmSync(root, { recursive: true });
console.log(`1..${n}`);
process.exit(failed ? 1 : 0);
