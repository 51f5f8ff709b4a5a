import { setImmediate } from 'node:timers/promises';
import { createInformer } from '@ashlar/client';
import { type ApiObject, kubernetesVocabulary, type OwnerReference, orchVocabulary } from '@ashlar/core';
import { createTestServer, type TestServer } from '@ashlar/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapsOf, ownedBy } from './owned-objects.fixture.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const NOBODY: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: 'nobody' };

const index = fc.nat({ max: NAMES.length - 1 });
/** Owners by their place in `NAMES`; one beyond is an owner that does not exist. */
const graph = fc.array(
  fc.uniqueArray(fc.record({ owner: fc.nat({ max: NAMES.length }), blocks: fc.boolean() }), {
    selector: ({ owner }) => owner,
    maxLength: 3,
  }),
  { minLength: NAMES.length, maxLength: NAMES.length },
);
const deletions = fc.array(
  fc.record({ what: index, policy: fc.constantFrom('Background', 'Foreground', 'Orphan') }),
  { minLength: 1, maxLength: 3 },
);

/** What is left in the end: the owners of every object that is. */
type Owners = Map<string, Set<string>>;

/** Takes away, as long as there are any, references to what is not, and what had no others. */
function collect(owners: Owners): void {
  for (let before = -1; before !== owners.size; ) {
    before = owners.size;
    for (const [name, of] of owners) {
      const remaining = [...of].filter((owner) => owners.has(owner));
      if (of.size > 0 && remaining.length === 0) owners.delete(name);
      else owners.set(name, new Set(remaining));
    }
  }
}

/** Deletes one; in the end it does not matter which of an object and its dependents goes first. */
function remove(owners: Owners, name: string, policy: string): void {
  if (!owners.delete(name)) return;
  if (policy === 'Orphan') for (const of of owners.values()) of.delete(name);
  collect(owners);
}

async function seen(server: TestServer): Promise<Record<string, readonly string[]>> {
  const { items } = await mapsOf(server).list();
  return Object.fromEntries(
    items.map(({ metadata }) => [
      metadata.name,
      (metadata.ownerReferences ?? []).map(({ name }) => name).sort(),
    ]),
  );
}

const plain = (owners: Owners): Record<string, readonly string[]> =>
  Object.fromEntries([...owners].map(([name, of]) => [name, [...of].sort()]));

/** Waits until the server has what the model has, which it must have in the end. */
async function expectInTheEnd(server: TestServer, owners: Owners): Promise<void> {
  const wanted = plain(owners);
  for (let turn = 0; turn < 400; turn++) {
    if (JSON.stringify(await sorted(server)) === JSON.stringify(Object.entries(wanted).sort())) break;
    await setImmediate();
    await server.clock.advance(50);
  }
  expect(await seen(server)).toEqual(wanted);
}

const sorted = async (server: TestServer): Promise<readonly unknown[]> =>
  Object.entries(await seen(server)).sort();

describe.each([kubernetesVocabulary, orchVocabulary])('any owners, in the words of $name', (vocabulary) => {
  it('leave what a simple model leaves, whatever is deleted in whatever way', async () => {
    await fc.assert(
      fc.asyncProperty(graph, deletions, async (references, deleted) => {
        await using server = await createTestServer({ vocabulary });
        const maps = mapsOf(server);
        const made = await Promise.all(NAMES.map((name) => maps.create({ metadata: { name } })));
        const owners: Owners = new Map(NAMES.map((name) => [name, new Set<string>()]));
        for (const [i, of] of references.entries()) {
          if (of.length === 0) continue;
          const ownerReferences = of.map(({ owner, blocks }) => ({
            ...(made[owner] ? ownedBy(made[owner]) : NOBODY),
            blockOwnerDeletion: blocks,
          }));
          const name = NAMES[i] ?? '';
          // one whose owners are gone already may be gone, too
          await maps.patch(name, { type: 'merge', patch: { metadata: { ownerReferences } } }).catch(() => {});
          owners.set(name, new Set(ownerReferences.map((reference) => reference.name)));
          collect(owners);
          await expectInTheEnd(server, owners);
        }
        for (const { what, policy } of deleted) {
          const name = NAMES[what] ?? '';
          await maps.delete(name, { propagationPolicy: policy }).catch(() => {});
          remove(owners, name, policy);
          await expectInTheEnd(server, owners);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('of which each has one go after those that block them', async () => {
    await fc.assert(
      fc.asyncProperty(graph, index, async (references, what) => {
        await using server = await createTestServer({ vocabulary });
        const maps = mapsOf(server);
        await using informer = createInformer(maps);
        const removed: string[] = [];
        informer.addHandler({ deleted: ({ metadata }) => removed.push(metadata.name ?? '') });
        const made: ApiObject[] = [];
        for (const [i, name] of NAMES.entries()) {
          const [first] = (references[i] ?? []).filter(({ owner }) => owner < i);
          const owner = first && made[first.owner];
          const ownerReferences = owner ? [ownedBy(owner, { blockOwnerDeletion: first.blocks })] : [];
          made.push(await maps.create({ metadata: { name, ownerReferences } }));
        }
        const ownersOf = ({ metadata }: ApiObject): readonly OwnerReference[] =>
          metadata.ownerReferences ?? [];
        const owners: Owners = new Map(
          made.map((object) => [
            object.metadata.name ?? '',
            new Set(ownersOf(object).map(({ name }) => name)),
          ]),
        );
        await informer.synced;
        const name = NAMES[what] ?? '';
        await maps.delete(name, { propagationPolicy: 'Foreground' });
        remove(owners, name, 'Foreground');
        await expectInTheEnd(server, owners);
        await expect.poll(() => removed.length).toBe(NAMES.length - owners.size);
        for (const object of made) {
          const dependent = removed.indexOf(object.metadata.name ?? '');
          for (const reference of ownersOf(object)) {
            const owner = removed.indexOf(reference.name);
            if (reference.blockOwnerDeletion && owner >= 0) expect(dependent).toBeLessThan(owner);
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});
