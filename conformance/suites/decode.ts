import {
  type DecodedJson,
  decodeJson,
  decodeYaml,
  encodeJsonText,
  encodeYamlText,
  requireKind,
} from '@ashlar/codec';
import { goQuote, isJsonObject, type JsonValue } from '@ashlar/core';
import type { CaseResult, Suite } from '../suite.ts';
import { answerOf, compare, fromHex, type OracleCase, readOracle } from './codec/oracle.ts';

/**
 * JSON and YAML texts, compared with the reference's decoders (oracles/decode*.jsonl). The suite `strict`
 * needs schemas and is elsewhere.
 */
export const suite: Suite = {
  name: 'oracles/decode',
  async *run(dataDirectory) {
    for (const entry of readOracle(dataDirectory, 'decode')) {
      const runCase = CHECKS[entry.suite];
      if (runCase) yield runCase(entry);
    }
  },
};

const CHECKS: Readonly<Record<string, (entry: OracleCase) => CaseResult>> = {
  numbers: checkValue,
  'numbers-random': checkValue,
  syntax: checkValue,
  unstructured: checkUnstructured,
  'yaml-scalar': checkYaml,
  yaml: checkYaml,
  'yaml-random': checkYaml,
  'yaml-print': checkYamlPrint,
};

function bytesOf(entry: OracleCase): Uint8Array {
  if (typeof entry.hex === 'string') return fromHex(entry.hex);
  if (typeof entry.nested === 'number')
    return new TextEncoder().encode('['.repeat(entry.nested) + ']'.repeat(entry.nested));
  return new TextEncoder().encode(entry.json as string);
}

function checkValue(entry: OracleCase): CaseResult {
  const actual = answerOf(() => {
    const decoded = decodeJson(bytesOf(entry), { integerDecimals: 'report' });
    return { value: typed(decoded), print: encodeJsonText(decoded.value) };
  });
  if (entry.error !== undefined) return compare(entry, { error: entry.error }, actual);
  return compare(entry, { value: normal(entry.value), print: entry.print }, actual);
}

function checkUnstructured(entry: OracleCase): CaseResult {
  const actual = answerOf(() => {
    const bytes = bytesOf(entry);
    const decoded = decodeJson(bytes, { integerDecimals: 'report', duplicates: 'report' });
    requireKind(decoded.value, bytes);
    const strictErrors = decoded.duplicates.map((path) => `duplicate field ${goQuote(path)}`);
    return { value: typed(decoded), strictErrors };
  });
  if (entry.error !== undefined) return compare(entry, { error: entry.error }, actual);
  return compare(entry, { value: normal(entry.value), strictErrors: entry.strictErrors }, actual);
}

function checkYaml(entry: OracleCase): CaseResult {
  const { json, print, error, strictError } = entry;
  const bytes = new TextEncoder().encode(entry.yaml as string);
  const actual = answerOf(() => {
    const { value, duplicates } = decodeYaml(bytes, { exactNumbers: true });
    const strict =
      duplicates.length === 0 ? undefined : `yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`;
    return { json: encodeJsonText(value), print: encodeYamlText(value), strictError: strict };
  });
  return compare(entry, error === undefined ? { json, print, strictError } : { error }, actual);
}

function checkYamlPrint(entry: OracleCase): CaseResult {
  // the reference parses the JSON as YAML too
  const actual = answerOf(() => encodeYamlText(decodeYaml(bytesOf(entry), { exactNumbers: true }).value));
  return compare(entry, entry.yaml, actual);
}

/** A decoded value in the oracle's notation, where integers and floats differ. */
function typed({ value, integerDecimals }: DecodedJson): unknown {
  const decimals = new Set(integerDecimals.map(({ path }) => path));
  const convert = (at: JsonValue | undefined, path: string): unknown => {
    if (typeof at === 'bigint') return { int: String(at) };
    if (typeof at === 'number') {
      const isInteger = Number.isSafeInteger(at) && !decimals.has(path);
      return isInteger ? { int: String(at) } : { float: String(at) };
    }
    if (Array.isArray(at)) return { list: at.map((item: JsonValue, i) => convert(item, `${path}[${i}]`)) };
    if (!isJsonObject(at)) return at;
    const member = (key: string) => (path === '' ? key : `${path}.${key}`);
    return { object: Object.fromEntries(Object.keys(at).map((key) => [key, convert(at[key], member(key))])) };
  };
  return convert(value, '');
}

/** The oracle's floats in JavaScript's spelling. */
function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) =>
      key === 'float' && typeof member === 'string' ? [key, String(Number(member))] : [key, normal(member)],
    ),
  );
}
