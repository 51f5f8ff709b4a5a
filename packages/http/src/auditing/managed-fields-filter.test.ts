import { concatenateBytes, isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { ManagedFieldsFilter } from './managed-fields-filter.ts';

const managedFields = [{ manager: 'm', fieldsV1: { 'f:metadata': { 'f:managedFields': {} } } }, ',"}'];

const ANSWERS: readonly JsonObject[] = [
  {},
  { metadata: {} },
  { metadata: { managedFields } },
  { metadata: { managedFields, name: 'a' } },
  { metadata: { name: 'a', managedFields, uid: 'b' } },
  { metadata: { name: 'a', uid: 'b', managedFields }, spec: { metadata: { managedFields } } },
  { metadata: { labels: { managedFields: 'a' }, annotations: { a: '"managedFields":[]' } } },
  { metadata: { name: 'a\\', managedFieldsToo: 1, managedFields: null } },
  { metadata: [{ managedFields }], items: { metadata: { managedFields } } },
  { items: [{ metadata: { managedFields } }, [{ metadata: { managedFields } }], 'x', { metadata: 1 }] },
  {
    rows: [{ cells: [{ metadata: { managedFields } }], object: { metadata: { managedFields, name: 'x' } } }],
  },
];

/** Returns an object, a list or a table without records of who manages which field. */
function withoutManagedFields(value: JsonObject): JsonObject {
  const own = ofObject(value) as JsonObject;
  const { items, rows } = own;
  if (Array.isArray(items)) return { ...own, items: items.map(ofObject) };
  return Array.isArray(rows) ? { ...own, rows: rows.map(ofRow) } : own;
}

function ofObject(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || !isJsonObject(value.metadata)) return value;
  const { managedFields: _, ...metadata } = value.metadata;
  return { ...value, metadata };
}

function ofRow(row: JsonValue): JsonValue {
  return isJsonObject(row) && row.object !== undefined ? { ...row, object: ofObject(row.object) } : row;
}

describe('an answer without managed fields', () => {
  it.each(ANSWERS.map((answer) => [answer] as const))('is the same wherever its pieces end: %j', (answer) => {
    const bytes = new TextEncoder().encode(JSON.stringify(answer));
    const expected = JSON.stringify(withoutManagedFields(answer));
    for (let end = 0; end <= bytes.length; end++) {
      const filter = new ManagedFieldsFilter();
      const kept = [bytes.subarray(0, end), bytes.subarray(end)].flatMap((each) => filter.next(each));
      expect(new TextDecoder().decode(concatenateBytes(kept))).toBe(expected);
    }
    const filter = new ManagedFieldsFilter();
    const kept = [...bytes].flatMap((byte) => filter.next(Uint8Array.of(byte)));
    expect(new TextDecoder().decode(concatenateBytes(kept))).toBe(expected);
  });
});
