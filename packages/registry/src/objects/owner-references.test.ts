import type { ApiObject, OwnerReference } from '@ashlar/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutDuplicateOwners } from './owner-references.ts';

const owned = (ownerReferences: readonly OwnerReference[]): ApiObject => ({
  apiVersion: 'v1',
  kind: 'A',
  metadata: { name: 'a', ownerReferences },
});
const few = fc.constantFrom('a', 'b');
const flag = fc.option(fc.boolean(), { nil: undefined });
const reference: fc.Arbitrary<OwnerReference> = fc
  .record({ apiVersion: few, kind: few, name: few, uid: few, controller: flag, blockOwnerDeletion: flag })
  .map(({ controller, blockOwnerDeletion, ...names }) => ({
    ...names,
    ...(controller !== undefined && { controller }),
    ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }),
  }));

it('keeps the first of those that are equal in every field, and names the uids of the others', () => {
  fc.assert(
    fc.property(fc.array(reference, { maxLength: 60 }), (references) => {
      const seen = new Set<string>();
      const repeated = new Set<string>();
      const expected = references.filter((each) => {
        const text = JSON.stringify(Object.entries(each).sort());
        if (seen.has(text)) repeated.add(each.uid);
        return !seen.has(text) && seen.add(text);
      });
      const warnings: string[] = [];
      const object = owned(references);
      const result = withoutDuplicateOwners(object, (text) => warnings.push(text), false);
      expect(result.metadata.ownerReferences).toEqual(expected);
      if (repeated.size === 0) expect([result, warnings]).toEqual([object, []]);
      else
        expect(warnings).toEqual([
          expect.stringMatching(new RegExp(`observed: ${[...repeated].join(', ')}$`)),
        ]);
    }),
  );
});
