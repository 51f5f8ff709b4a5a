// What decoding hostile documents costs as they grow: npx tsx --conditions=@ashlar/source
// bench/decoding-growth.ts [name]
// Each document is decoded at a quarter, half and all of the maximum body size, with pauses as in servers.
// Prints CPU-milliseconds, the longest slice, and the result. Fails if doubling a document costs more than
// 2.5 times, or a complete one more than a body may cost.
import {
  compileProtobuf,
  decodeCborSteps,
  decodeJsonSteps,
  decodeYamlSteps,
  encodeUtf8,
} from '@ashlar/codec';
import type { Schema, Steps } from '@ashlar/core';

const WHOLE_BYTES = 3_000_000;
const ROUNDS = 7;
const GROWTH = 2.5;
const MOST_MILLISECONDS = 500;
/** Below that, other activity of the machine weighs too much. */
const LEAST_MILLISECONDS = 60;

const node: Schema & { properties: Record<string, Schema> } = {
  type: 'object',
  properties: {
    names: { type: 'array', items: { type: 'string' }, tag: 1 },
    ports: { type: 'array', items: { type: 'integer' }, tag: 2 },
    labels: { type: 'object', additionalProperties: { type: 'string' }, tag: 3 },
  },
};
node.properties.children = { type: 'array', items: node, tag: 5 };
const protobuf = compileProtobuf(node);

type Document = (size: number) => Uint8Array;

const repeated = (part: string, before = '', after = '') => {
  const document: Document = (size) =>
    encodeUtf8(before + part.repeat(Math.floor(size / part.length)) + after);
  return document;
};
const numbered = (part: (at: number) => string, before = '', after = '') => {
  const document: Document = (size) => {
    const parts: string[] = [];
    for (let length = 0; length < size; ) {
      const next = part(parts.length);
      parts.push(next);
      length += next.length;
    }
    return encodeUtf8(before + parts.join('') + after);
  };
  return document;
};
const bytes = (part: readonly number[], before: readonly number[] = [], after: readonly number[] = []) => {
  const document: Document = (size) => {
    const filled = new Uint8Array(size - (size % part.length)).map((_, i) => part[i % part.length] as number);
    return Uint8Array.from([...before, ...filled, ...after]);
  };
  return document;
};

const DOCUMENTS: Readonly<Record<string, readonly [(body: Uint8Array) => Steps<unknown>, Document]>> = {
  'json repeated keys': [json, repeated('"a":1,', '{', '"a":1}')],
  'json repeated long keys': [json, repeated('"abcdefghijklm":1,', '{', '"a":1}')],
  'json repeated keys, deep': [
    json,
    repeated('"a":"bcdefghi",', `${'{"a":'.repeat(900)}{`, `"a":1}${'}'.repeat(900)}`),
  ],
  'json distinct keys': [json, numbered((at) => `"key-${at}":1,`, '{', '"a":1}')],
  'json empty objects': [json, repeated('{},', '[', '0]')],
  'json digits': [json, repeated('9')],
  'json escapes': [json, repeated('\\u0000', '"', '"')],
  'json lone surrogates': [json, repeated('\\ud800', '"', '"')],
  'json unsafe integers': [json, repeated('12345678901234567890,', '[', '1]')],
  'json depth': [json, repeated('[')],
  'yaml repeated keys': [decodeYamlSteps, repeated('a: 1\n')],
  'yaml distinct keys': [decodeYamlSteps, numbered((at) => `key-${at}: 1\n`)],
  'yaml long keys': [decodeYamlSteps, numbered((at) => `key-of-some-length-${at}: abc\n`)],
  'yaml flow sequence': [decodeYamlSteps, repeated('1,', '[', ']')],
  'yaml flow mapping': [decodeYamlSteps, repeated('ab: "cdef", ', '{', '}')],
  'yaml words': [decodeYamlSteps, repeated('x ')],
  'yaml lines': [decodeYamlSteps, repeated('some words of a line\n')],
  'yaml literal': [decodeYamlSteps, repeated('  some words of a line\n', 'a: |\n')],
  'yaml quoted': [decodeYamlSteps, repeated('x\\n', '"', '"')],
  'yaml comments': [decodeYamlSteps, repeated('# so\n')],
  'yaml tabs': [decodeYamlSteps, repeated('\t')],
  'yaml dashes': [decodeYamlSteps, repeated('- ')],
  'yaml question marks': [decodeYamlSteps, repeated('? ')],
  'yaml tags': [decodeYamlSteps, repeated('!!tag ')],
  'yaml tag': [decodeYamlSteps, repeated('!a')],
  'yaml directives': [decodeYamlSteps, numbered((at) => `%TAG !a${at}! tag:b\n`)],
  'yaml anchors': [decodeYamlSteps, numbered((at) => `k${at}: &a${at} x\n`)],
  'yaml aliases': [decodeYamlSteps, repeated('*a,', 'a: &a 1\nb: [', ']')],
  'yaml merges': [decodeYamlSteps, numbered((at) => `k${at}: {<<: *a}\n`, `a: &a {${'x: 1,'.repeat(9)}}\n`)],
  'yaml digits': [decodeYamlSteps, repeated('1_')],
  'cbor parts': [decodeCborSteps, bytes([0x60], [0x7f], [0xff])],
  'cbor bytes in parts': [decodeCborSteps, bytes([0x4a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [0x5f], [0xff])],
  'cbor tags': [decodeCborSteps, bytes([0xc9])],
  'cbor announced length': [decodeCborSteps, bytes([0], [0x9b, 0, 0, 0, 0xff, 0, 0, 0, 0])],
  'protobuf strings': [(body) => protobuf.decodeSteps(body), bytes([0x0a, 0])],
  'protobuf long strings': [
    (body) => protobuf.decodeSteps(body),
    bytes([0x0a, 14, ...new Array<number>(14).fill(0x61)]),
  ],
  'protobuf map entries': [(body) => protobuf.decodeSteps(body), bytes([0x1a, 0])],
  'protobuf messages': [
    (body) => protobuf.decodeSteps(body),
    bytes([0x2a, 10, 0x0a, 8, ...new Array<number>(8).fill(0x61)]),
  ],
  'protobuf groups': [(body) => protobuf.decodeSteps(body), bytes([0x7b])],
  'protobuf varints': [
    (body) => protobuf.decodeSteps(body),
    bytes([0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
  ],
};

function json(body: Uint8Array): Steps<unknown> {
  return decodeJsonSteps(body, { duplicates: 'report' });
}

interface Cost {
  readonly milliseconds: number;
  readonly longest: number;
  readonly answer: string;
}

function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function costOf(decode: () => Steps<unknown>): Cost {
  const start = cpuMilliseconds();
  let longest = 0;
  let answer = 'read';
  try {
    const steps = decode();
    for (let before = start, done = false; !done; ) {
      done = steps.next().done === true;
      const now = cpuMilliseconds();
      longest = Math.max(longest, now - before);
      before = now;
    }
  } catch (error) {
    answer = (error as Error).message.slice(0, 60);
  }
  return { milliseconds: cpuMilliseconds() - start, longest, answer };
}

function leastCost(decode: (body: Uint8Array) => Steps<unknown>, body: Uint8Array): Cost {
  const costs = Array.from({ length: ROUNDS }, () => costOf(() => decode(body)));
  return costs.reduce((least, cost) => (cost.milliseconds < least.milliseconds ? cost : least));
}

let failed = 0;
const only = process.argv[2] ?? '';
for (const [name, [decode, document]] of Object.entries(DOCUMENTS)) {
  if (!name.includes(only)) continue;
  const costs = [4, 2, 1].map((part) => leastCost(decode, document(Math.floor(WHOLE_BYTES / part))));
  const times = costs.map(({ milliseconds }) => milliseconds);
  const [quarter = 0, half = 0, whole = 0] = times;
  const { longest, answer } = costs.at(-1) as Cost;
  const grows = (less: number, more: number): boolean =>
    more > LEAST_MILLISECONDS && more > GROWTH * Math.max(less, LEAST_MILLISECONDS / GROWTH);
  const fails = grows(quarter, half) || grows(half, whole) || whole > MOST_MILLISECONDS;
  if (fails) failed++;
  console.log(
    fails ? 'FAIL' : 'ok  ',
    name.padEnd(26),
    ...times.map((time) => time.toFixed(0).padStart(5)),
    `longest ${longest.toFixed(0)}`.padStart(12),
    ` ${answer}`,
  );
}
process.exitCode = failed > 0 ? 1 : 0;
