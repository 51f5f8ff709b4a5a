import type { OwnerReference } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OwnerGraph } from './owner-graph.ts';
import type { Ownership } from './ownership.ts';

const reference = (uid: string, blockOwnerDeletion?: boolean): OwnerReference => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid },
  ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }),
});

const object = (
  uid: string,
  owners: readonly OwnerReference[],
  finalizers?: readonly string[],
): Ownership => ({
  ...{ uid, apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: uid, resourceVersion: '1', owners },
  finalizers: finalizers ?? [],
  isBeingDeleted: finalizers !== undefined,
});

/** A graph, and the objects that it reports, in order. */
function createGraph(): { readonly graph: OwnerGraph; asked(): readonly string[] } {
  const seen: string[] = [];
  const graph = new OwnerGraph((uid, cause) => seen.push(`${uid} ${cause}`));
  return { graph, asked: () => seen.splice(0) };
}

const uids = (objects: readonly Ownership[]): readonly string[] => objects.map(({ uid }) => uid);

describe('OwnerGraph', () => {
  it('reports an object when its references change', () => {
    const { graph, asked } = createGraph();
    graph.set(object('a', [reference('o')]));
    expect(asked()).toEqual(['a new-owner']);
    graph.set(object('a', [reference('o', true)]));
    graph.set(object('a', [reference('o')]));
    expect(asked()).toEqual([]);
    graph.set(object('a', [{ ...reference('o'), name: 'other' }]));
    expect(asked()).toEqual(['a new-owner']);
    graph.set(object('a', [reference('p')]));
    expect(asked()).toEqual(['a new-owner']);
    expect([uids(graph.dependentsOf('o')), uids(graph.dependentsOf('p'))]).toEqual([[], ['a']]);
  });

  it('reports the dependents of a removed object, and remembers its removal', () => {
    const { graph, asked } = createGraph();
    graph.set(object('a', [reference('o')]));
    graph.set(object('b', [reference('o')]));
    asked();
    graph.setPlace('o', { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'o' });
    graph.remove('o', 'n');
    expect(asked()).toEqual(['a owner-changed', 'b owner-changed']);
    expect([graph.isRemoved('o', 'n'), graph.isRemoved('o', 'm'), graph.placeOf('o')]).toEqual([
      true,
      false,
      undefined,
    ]);
    // a read from before arrives too late
    graph.setPlace('o', { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'o' });
    expect(graph.placeOf('o')).toBeUndefined();
    graph.remove('a', 'n');
    graph.remove('b', 'n');
    expect([graph.isRemoved('o', 'n'), asked()]).toEqual([false, []]);
  });

  it('reports a waiting owner once when its last blocking dependent is removed', () => {
    const { graph, asked } = createGraph();
    for (const name of ['a', 'b', 'c']) graph.set(object(name, [reference('o', name !== 'c')]));
    asked();
    graph.set(object('o', [], ['foregroundDeletion']));
    expect(asked()).toEqual([...['a', 'b', 'c', 'o'].map((name) => `${name} owner-changed`)]);
    graph.set(object('o', [], ['foregroundDeletion', 'example.com/more']));
    expect([asked(), graph.isBlocked('o')]).toEqual([[], true]);
    graph.remove('a', 'n');
    expect(asked()).toEqual([]);
    graph.set(object('b', [reference('o', false)]));
    expect([asked(), graph.isBlocked('o')]).toEqual([['o owner-changed'], false]);
  });

  it('ignores late dependents of a waiting owner, until another one is removed', () => {
    const { graph, asked } = createGraph();
    graph.set(object('a', [reference('o', true)]));
    graph.set(object('o', [], ['foregroundDeletion']));
    asked();
    graph.set(object('late', [reference('o', true)]));
    expect(asked()).toEqual(['late new-owner']);
    graph.remove('a', 'n');
    expect([asked(), graph.isBlocked('o')]).toEqual([['late owner-changed'], true]);
  });

  it('drops objects without owners that do not wait', () => {
    const { graph, asked } = createGraph();
    graph.set(object('o', [], ['orphan']));
    expect([asked(), graph.get('o')?.uid]).toEqual([['o owner-changed'], 'o']);
    graph.set(object('o', [], []));
    expect([asked(), graph.get('o')]).toEqual([[], undefined]);
  });

  it('ignores an object that blocks itself', () => {
    const { graph } = createGraph();
    graph.set(object('a', [reference('a', true)], ['foregroundDeletion']));
    expect([graph.isBlocked('a'), graph.dependentsOf('a')]).toEqual([false, []]);
  });

  it('has exactly the edges of the current objects after any changes', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const references = fc.array(fc.tuple(name, fc.option(fc.boolean())), { maxLength: 3 });
    const finalizers = fc.option(fc.constantFrom(['foregroundDeletion'], ['orphan'], []));
    const change = fc.oneof(
      fc.record({ uid: name, references, finalizers }),
      fc.record({ uid: name, references: fc.constant(undefined), finalizers: fc.constant(null) }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const { graph } = createGraph();
        const model = new Map<string, Ownership>();
        for (const { uid, references: owners, finalizers: held } of changes) {
          if (!owners) {
            graph.remove(uid, 'n');
            model.delete(uid);
            continue;
          }
          const made = object(
            uid,
            owners.map(([owner, blocks]) => reference(owner, blocks ?? undefined)),
            held ?? undefined,
          );
          graph.set(made);
          model.set(uid, made);
        }
        for (const uid of ['a', 'b', 'c', 'd']) {
          const dependents = [...model.values()].filter(
            (each) => each.uid !== uid && each.owners.some((owner) => owner.uid === uid),
          );
          expect(uids(graph.dependentsOf(uid)).toSorted()).toEqual(uids(dependents).toSorted());
          const blocks = dependents.some(({ owners }) =>
            owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion),
          );
          expect(graph.isBlocked(uid)).toBe(blocks);
        }
      }),
    );
  });
});
