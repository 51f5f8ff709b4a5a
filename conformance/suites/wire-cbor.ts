import { decodeCbor, diagnoseCbor, encodeCbor, plainCbor } from '@ashlar/codec';
import { isJsonObject, type JsonValue } from '@ashlar/core';
import type { CaseResult, Suite } from '../suite.ts';
import { answerOf, compare, fromHex, type OracleCase, readOracle, toHex } from './codec/oracle.ts';

/** Encoded and decoded CBOR (oracles/wire*.jsonl): values, and objects without a built-in type. */
export const suite: Suite = {
  name: 'oracles/wire',
  async *run(dataDirectory) {
    for (const entry of readOracle(dataDirectory, 'wire')) {
      const runCase = CHECKS[entry.suite];
      if (runCase) yield runCase(entry);
    }
  },
};

const CHECKS: Readonly<Record<string, (entry: OracleCase) => CaseResult>> = {
  'cbor-encode': checkEncode,
  'cbor-encode-random': checkEncode,
  'cbor-decode': checkDecode,
  'cbor-decode-random': checkDecode,
  'cbor-object-decode': checkObject,
};

function checkEncode(entry: OracleCase): CaseResult {
  const actual = answerOf(() => {
    const integerFloats: string[] = [];
    const value = plain(entry.value, '', integerFloats);
    const bytes = encodeCbor(value, { sortKeys: true, integerFloats: integerFloats });
    return { hex: toHex(bytes), diagnostic: diagnoseCbor(bytes) };
  });
  const { hex, diagnostic, error } = entry;
  return compare(entry, error === undefined ? { hex, diagnostic } : { error }, actual);
}

function checkDecode(entry: OracleCase): CaseResult {
  const actual = answerOf(() => typed(fromHex(entry.hex as string)));
  return compare(entry, entry.error ? { error: entry.errorText } : normal(entry.value), actual);
}

function checkObject(entry: OracleCase): CaseResult {
  const bytes = fromHex(entry.hex as string);
  const actual = answerOf(() => {
    plainCbor.decode(bytes);
    return typed(bytes);
  });
  return compare(entry, entry.error ? { error: entry.errorText } : normal(entry.value), actual);
}

interface Notation {
  readonly int?: string;
  readonly float?: string;
  readonly bytes?: string;
  readonly list?: readonly unknown[];
  readonly object?: Readonly<Record<string, unknown>>;
}

/** A value of the oracle's notation for the encoder. */
function plain(value: unknown, path: string, integerFloats: string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { int, float, bytes, list, object } = value as Notation;
  if (int !== undefined) return Number.isSafeInteger(Number(int)) ? Number(int) : BigInt(int);
  if (float !== undefined) {
    const number = /inf/i.test(float) ? Number(float.replace(/inf/i, 'Infinity')) : Number(float);
    if (Number.isInteger(number)) integerFloats.push(path);
    return number;
  }
  if (bytes !== undefined) return fromHex(bytes);
  if (list) return list.map((item, i) => plain(item, `${path}[${i}]`, integerFloats));
  const members = Object.entries(object ?? {});
  return Object.fromEntries(
    members.map(([key, member]) => [key, plain(member, path === '' ? key : `${path}.${key}`, integerFloats)]),
  );
}

/** The decoded value, in the oracle's notation. */
function typed(bytes: Uint8Array): unknown {
  const decoded = decodeCbor(bytes, { integerFloats: 'report' });
  const floats = new Set(decoded.integerFloats);
  const convert = (at: JsonValue | undefined, path: string): unknown => {
    if (typeof at === 'bigint') return { int: String(at) };
    if (typeof at === 'number') {
      const isInteger = Number.isInteger(at) && !floats.has(path);
      return isInteger ? { int: String(at) } : { float: printed(at) };
    }
    if (Array.isArray(at)) return { list: at.map((item: JsonValue, i) => convert(item, `${path}[${i}]`)) };
    if (!isJsonObject(at)) return at;
    const entries = Object.keys(at).map((key) => [
      key,
      convert(at[key], path === '' ? key : `${path}.${key}`),
    ]);
    return { object: Object.fromEntries(entries) };
  };
  return convert(decoded.value, '');
}

const printed = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/** The oracle's floats in JavaScript's spelling. */
function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) =>
      key === 'float' && typeof member === 'string' ? [key, printed(Number(member))] : [key, normal(member)],
    ),
  );
}
