// tokens.mjs: what the list of tools costs a model: o200k tokens of each tool's name, description and inputSchema. A list has a
// limit; what a kind costs is printed, so that its owner sees what a change does.
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';

const top = path.resolve(import.meta.dirname, '../..');
const quire = process.env.QUIRE ?? path.join(top, 'build/asan/quire');
const model = new Tiktoken(o200k);

// The aim is 4,000 tokens for a kind served alone with all its tools, 3,000 for the core of one, 9,000 for the core of five. A
// kind that is above it has what it costs today as its limit, which only falls.
const ALONE = 4000, CORE = 3000; // and 9,000 for the core of five
const today = { alone: { docx: 4300 }, core: { floorplan: 3300, docx: 3250 }, together: 12700 };
const kinds = ['hnpx', 'floorplan', 'docx', 'notes', 'docjl'];

const listed = (...args) => JSON.parse(execFileSync(quire, ['tools', ...args, '--json'])).tools;
const cost = t => model.encode(JSON.stringify({ name: t.name, description: t.description, inputSchema: t.inputSchema })).length;
const sum = tools => tools.reduce((n, t) => n + cost(t), 0);

let n = 0, failed = 0;
function within(claim, tools, most) {
  const have = sum(tools);
  if (have > most) failed++;
  console.log(`${have > most ? 'not ok' : 'ok'} ${++n} - ${claim}: ${tools.length} tools, ${have} tokens, at most ${most}`);
  for (const t of [...tools].sort((a, b) => cost(b) - cost(a)).slice(0, have > most ? 8 : 3)) console.log(`#   ${cost(t)} ${t.name}`);
}
for (const kind of kinds) within(`${kind} alone`, listed(kind), today.alone[kind] ?? ALONE);
for (const kind of kinds) within(`the core of ${kind}`, listed(kind, '--tools', 'core').filter(t => t.name !== 'other_tools'), today.core[kind] ?? CORE);
within('the core of all', listed(), today.together);
console.log(`1..${n}`);
process.exit(failed ? 1 : 0);
