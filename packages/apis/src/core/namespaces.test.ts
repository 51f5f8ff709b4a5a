import { type ApiObject, kubernetesVocabulary, orchVocabulary, type StatusError } from '@ashlar/core';
import { createCountedList } from '@ashlar/core/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../types/in-memory-resource.fixture.ts';
import { namespaces } from './namespaces.ts';

const NAME_LABEL = 'kubernetes.io/metadata.name';
const UNQUALIFIED = 'name is neither a standard finalizer name nor is it fully qualified';
let resource: InMemoryResource;

beforeEach(() => {
  resource = new InMemoryResource(namespaces(kubernetesVocabulary));
});

describe('namespaces', () => {
  it('start active, with the finalizer and the name label', async () => {
    const stored = await resource.create({
      metadata: { name: 'a', labels: { team: 'x' } },
      status: { phase: 'Terminating' },
    });
    expect(stored).toMatchObject({ spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } });
    expect(Object.entries(stored.metadata.labels ?? {})).toEqual([
      [NAME_LABEL, 'a'],
      ['team', 'x'],
    ]);
    expect(resource.cells(stored)).toEqual(['a', 'Active', '90s']);
  });

  it('are active for all that sees them before they are stored', () => {
    const { complete } = namespaces(kubernetesVocabulary).versions[0] ?? {};
    expect(complete?.({ metadata: { name: 'a' } } as ApiObject)).toMatchObject({
      status: { phase: 'Active' },
    });
  });

  it('use the names of the vocabulary', async () => {
    const other = new InMemoryResource(namespaces(orchVocabulary));
    const stored = await other.create({ metadata: { name: 'a' } });
    expect(stored).toMatchObject({
      spec: { finalizers: ['orch'] },
      metadata: { labels: { 'orch.io/metadata.name': 'a' } },
    });
  });

  it('with a generated name have it in the label', async () => {
    const stored = await resource.create({ metadata: { generateName: 'gen-' } });
    expect(stored.metadata.name).toMatch(/^gen-.{5}$/);
    expect(stored.metadata.labels).toEqual({ [NAME_LABEL]: stored.metadata.name });
  });

  it('keep finalizers of their own before the standard one, without duplicates', async () => {
    const mine = await resource.create({
      metadata: { name: 'a' },
      spec: { finalizers: ['example.com/mine'] },
    });
    expect(mine.spec).toEqual({ finalizers: ['example.com/mine', 'kubernetes'] });
    const both = await resource.create({
      metadata: { name: 'b' },
      spec: { finalizers: ['kubernetes', 'a.b/c'] },
    });
    expect(both.spec).toEqual({ finalizers: ['kubernetes', 'a.b/c'] });
  });

  it('look at no more finalizers than have errors that a response lists', () => {
    const { list: finalizers, reads } = createCountedList(Array.from({ length: 5_000 }, (_, i) => `a${i}`));
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' }, spec: { finalizers } };
    const { strategy, versions } = namespaces(orchVocabulary);
    const finalize = versions[0]?.subresources?.find(({ name }) => name === 'finalize');
    for (const errors of [strategy.validate?.(object), finalize?.validateUpdate?.(object, object)])
      expect(errors?.length).toBe(101);
    expect(reads()).toBeLessThan(1_000);
  });

  it('reject finalizers without a domain, on create without an index', async () => {
    const refused = resource.create({ metadata: { name: 'a' }, spec: { finalizers: ['plain'] } });
    expect(await causesOf(refused)).toEqual([`spec.finalizers: Invalid value: "plain": ${UNQUALIFIED}`]);
  });

  it('reject a name with dots', async () => {
    const refused = resource.create({ metadata: { name: 'a.b' } });
    expect(await causesOf(refused)).toEqual(['metadata.name: Invalid value: "a.b": must not contain dots']);
  });

  it('get their label back when it is removed or changed, and keep spec and status', async () => {
    await resource.create({ metadata: { name: 'a' } });
    const replaced = await resource.replace('a', {
      metadata: { name: 'a' },
      spec: {},
      status: { phase: 'Terminating' },
    });
    expect(replaced).toMatchObject({
      metadata: { labels: { [NAME_LABEL]: 'a' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    const before = replaced.metadata.resourceVersion;
    const wrong = await resource.replace('a', { metadata: { name: 'a', labels: { [NAME_LABEL]: 'b' } } });
    expect(wrong.metadata.resourceVersion).toBe(before);
  });

  it('are selected by phase, and have no namespace field', async () => {
    await resource.create({ metadata: { name: 'a' } });
    await resource.create({ metadata: { name: 'b' } });
    await resource.delete('b');
    expect(await resource.select('status.phase=Active')).toEqual(['a']);
    expect(await resource.select('status.phase!=Active')).toEqual(['b']);
    await expect(resource.select('metadata.namespace=x')).rejects.toThrow(
      'field label not supported: metadata.namespace',
    );
  });

  it('name preconditions of a deletion as those of a write', async () => {
    await resource.create({ metadata: { name: 'p' } });
    await expect(resource.delete('p', { preconditions: { uid: 'other' } })).rejects.toThrow(
      /^Operation cannot be fulfilled on namespaces "p": Precondition failed: UID in precondition: other, UID in object meta: /,
    );
  });

  it('have no deletecollection', () => {
    expect(namespaces(kubernetesVocabulary).withoutVerbs).toEqual(['deletecollection']);
  });
});

describe('namespaces: status', () => {
  it('accepts status and metadata, not spec', async () => {
    await resource.create({ metadata: { name: 'a' } });
    const conditions = [{ type: 'X', status: 'True' }];
    const body = {
      metadata: { name: 'a', labels: { l: 'm' } },
      spec: {},
      status: { phase: 'Active', conditions },
    };
    expect(await resource.replace('a', body, 'status')).toMatchObject({
      metadata: { labels: { [NAME_LABEL]: 'a', l: 'm' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active', conditions: [{ type: 'X', status: 'True', lastTransitionTime: null }] },
    });
  });

  it('without a phase is active', async () => {
    await resource.create({ metadata: { name: 'a' } });
    const cleared = await resource.replace('a', { metadata: { name: 'a' }, status: {} }, 'status');
    expect(cleared.status).toEqual({ phase: 'Active' });
  });

  it('has a phase that follows the deletion', async () => {
    await resource.create({ metadata: { name: 'a' } });
    const terminating = { metadata: { name: 'a' }, status: { phase: 'Terminating' } };
    expect(await causesOf(resource.replace('a', terminating, 'status'))).toEqual([
      `status.Phase: Invalid value: "Terminating": may only be 'Active' if \`deletionTimestamp\` is empty`,
    ]);
    await resource.delete('a');
    expect(
      await causesOf(
        resource.replace('a', { metadata: { name: 'a' }, status: { phase: 'Active' } }, 'status'),
      ),
    ).toEqual([
      `status.Phase: Invalid value: "Active": may only be 'Terminating' if \`deletionTimestamp\` is not empty`,
    ]);
  });
});

describe('namespaces: deletion', () => {
  it('marks without a grace period, and does nothing the second time', async () => {
    await resource.create({ metadata: { name: 'a' } });
    const { object, removed } = await resource.delete('a');
    expect(removed).toBe(false);
    expect(object).toMatchObject({
      metadata: { deletionTimestamp: '2024-01-02T03:04:05Z' },
      status: { phase: 'Terminating' },
    });
    expect(object.metadata).not.toHaveProperty('deletionGracePeriodSeconds');
    expect((await resource.delete('a')).object).toEqual(object);
  });

  it('waits for dependents without orphans, and keeps its finalizers from the first deletion on', async () => {
    const finalizersAfter = async (name: string, request: object): Promise<readonly string[] | undefined> =>
      (await resource.delete(name, request)).object.metadata.finalizers;
    for (const name of ['a', 'b', 'c']) await resource.create({ metadata: { name } });
    const withoutOrphans = { orphanDependents: false, propagationPolicy: 'Background' };
    expect(await finalizersAfter('a', withoutOrphans)).toEqual(['foregroundDeletion']);
    expect(await finalizersAfter('a', { propagationPolicy: 'Orphan' })).toEqual(['foregroundDeletion']);
    expect(await finalizersAfter('b', { propagationPolicy: 'Background' })).toBeUndefined();
    expect(await finalizersAfter('c', { orphanDependents: true, propagationPolicy: 'Orphan' })).toEqual([
      'orphan',
    ]);
  });

  it('ends when finalize removes the last finalizer', async () => {
    await resource.create({ metadata: { name: 'a' } });
    await resource.delete('a');
    const gone = await resource.replace(
      'a',
      { metadata: { name: 'a' }, spec: { finalizers: [] } },
      'finalize',
    );
    expect(gone).toMatchObject({ status: { phase: 'Terminating' } });
    await expect(resource.get('a')).rejects.toThrow('namespaces "a" not found');
  });

  it('waits for finalizers of metadata as well', async () => {
    await resource.create({ metadata: { name: 'a', finalizers: ['example.com/hold'] } });
    await resource.delete('a');
    const held = { name: 'a', finalizers: ['example.com/hold'] };
    await resource.replace('a', { metadata: held, spec: {} }, 'finalize');
    expect((await resource.get('a')).spec).toEqual({});
    await resource.replace('a', { metadata: { name: 'a' } });
    await expect(resource.get('a')).rejects.toThrow('not found');
  });
});

describe('namespaces: finalize', () => {
  it('of an active namespace sets the list and keeps the status', async () => {
    await resource.create({ metadata: { name: 'a' } });
    const body = {
      metadata: { name: 'a' },
      spec: { finalizers: ['example.com/mine'] },
      status: { phase: 'Terminating' },
    };
    expect(await resource.replace('a', body, 'finalize')).toMatchObject({
      spec: { finalizers: ['example.com/mine'] },
      status: { phase: 'Active' },
    });
  });

  it('reports the path of an invalid finalizer', async () => {
    await resource.create({ metadata: { name: 'a' } });
    const refused = resource.replace(
      'a',
      { metadata: { name: 'a' }, spec: { finalizers: ['kubernetes', 'plain'] } },
      'finalize',
    );
    await expect(refused).rejects.toThrow(`spec.finalizers[1]: Invalid value: "plain": ${UNQUALIFIED}`);
    await expect(refused.catch(({ status }: StatusError) => status.code)).resolves.toBe(422);
  });
});
