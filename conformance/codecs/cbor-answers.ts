import { decodeCbor, diagnoseCbor } from '@ashlar/codec';
import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { wellFormedEnd } from '../../packages/codec/src/cbor/cbor-well-formed.ts';

/**
 * Reads a response in CBOR, or the events of a watch. Members have the order of their names: the encoder of Kubernetes writes maps
 * in random order. Beside the value stand the items of other forms than most have, such as floats and tags.
 */
export function readCborAnswer(body: Uint8Array): JsonObject {
  const items = [...itemsOf(body)];
  const values = items.map((item) => sorted(decodeCbor(item).value));
  const forms = items.flatMap(formsOf).sort();
  const [only] = values;
  return values.length === 1 && isJsonObject(only) ? { ...only, forms } : { values, forms };
}

function* itemsOf(body: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start < body.length; ) {
    const end = wellFormedEnd(body, start);
    yield body.subarray(start, end);
    start = end;
  }
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member as JsonValue)]));
}

/** Byte strings with text in them, as most are, are passed over; digits within other strings too. */
const FORMS =
  /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|-?\d+\.\d+(?:e[+-]\d+)?|\d+\(|undefined|simple\(\d+\)|[[{] ?_ /g;

function formsOf(item: Uint8Array): string[] {
  return [...diagnoseCbor(item).matchAll(FORMS)]
    .map(([form]) => form)
    .filter((form) => !form.startsWith("'"));
}
