import { concatenateBytes, type JsonObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { withoutManagedFields } from './managed-fields.ts';
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
