import { type ApiObject, kubernetesVocabulary, orchVocabulary, type StatusError } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import type { AdmissionPlugin, AdmissionRequest } from './admission-request.ts';
import { createNamespaceLifecycle } from './namespace-lifecycle.ts';
import { requestFor } from './request.fixture.ts';

/** There is one round only. */
const onlyRound = { round: 0, again() {}, remember() {}, remembered: () => undefined } as const;

const namespaceObject = (name: string, more: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...more },
});
const there: Readonly<Record<string, ApiObject>> = {
  x: namespaceObject('x'),
  ending: namespaceObject('ending', { deletionTimestamp: '2024-01-01T00:00:00Z' }),
};
const lifecycle = (vocabulary = orchVocabulary): AdmissionPlugin =>
  createNamespaceLifecycle({
    vocabulary,
    clock: createSteppedClock(),
    namespace: async (name) => there[name],
  });

async function verdict(
  changes: Partial<AdmissionRequest>,
  plugin: AdmissionPlugin = lifecycle(),
): Promise<string> {
  const request = requestFor(changes);
  if (!plugin.handles(request)) return 'not asked';
  try {
    expect(await plugin.admit?.(request, onlyRound)).toBeUndefined();
    return 'fine';
  } catch (error) {
    return `${(error as StatusError).code} ${(error as StatusError).message}`;
  }
}

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

describe('NamespaceLifecycle', () => {
  it('requires the namespace of a new object', async () => {
    expect(await verdict({})).toBe('fine');
    for (const operation of ['CREATE', 'UPDATE'] as const)
      expect(await verdict({ operation, namespace: 'none' })).toBe('404 namespaces "none" not found');
    expect(await verdict({ operation: 'DELETE', namespace: 'none' })).toBe('fine');
    expect(await verdict({ operation: 'CONNECT', namespace: 'none' })).toBe('not asked');
  });

  it('trusts a cached active namespace, and reads the current state otherwise', async () => {
    const clock = createSteppedClock();
    const asked: string[] = [];
    const copy: Record<string, ApiObject> = { x: there.x as ApiObject, ending: there.ending as ApiObject };
    const newest: Record<string, ApiObject> = {
      new: namespaceObject('new'),
      ending: namespaceObject('ending'),
    };
    const plugin = createNamespaceLifecycle({
      vocabulary: orchVocabulary,
      clock,
      namespace: (name, { allowCached }) => {
        asked.push(`${name} ${allowCached ? 'at hand' : 'newest'}`);
        return (allowCached ? copy : newest)[name];
      },
    });
    for (const namespace of ['x', 'new', 'ending'])
      expect(await verdict({ operation: 'CREATE', namespace }, plugin)).toBe('fine');
    expect(asked.splice(0)).toEqual([
      'x at hand',
      ...['new at hand', 'new newest'],
      ...['ending at hand', 'ending newest'],
    ]);
    // after a deletion the cache may be stale
    await verdict({ operation: 'DELETE', name: 'x', namespace: 'x', resource: namespaces }, plugin);
    expect(await verdict({ namespace: 'x' }, plugin)).toBe('404 namespaces "x" not found');
    clock.advance(30_000);
    expect(await verdict({ namespace: 'x' }, plugin)).toBe('fine');
    expect(asked).toEqual(['x newest', 'x at hand']);
  });

  it('rejects new objects in a namespace that is being deleted', async () => {
    const plugin = lifecycle();
    const request = requestFor({
      namespace: 'ending',
      resource: { group: 'g', version: 'v1', resource: 'pages' },
    });
    await expect(plugin.admit?.(request, onlyRound)).rejects.toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message:
        'pages.g "a" is forbidden: unable to create new content in namespace ending because it is being terminated',
      details: {
        name: 'a',
        group: 'g',
        kind: 'pages',
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace ending is being terminated',
            field: 'metadata.namespace',
          },
        ],
      },
    });
    expect(await verdict({ operation: 'UPDATE', namespace: 'ending' })).toBe('fine');
  });

  it('names the prefix of an object whose name is not generated yet', async () => {
    const object = { apiVersion: 'v1', kind: 'Page', metadata: { generateName: 'g-' } };
    expect(await verdict({ namespace: 'ending', name: '', object })).toBe(
      '403 pages "g-" is forbidden: unable to create new content in namespace ending because it is being terminated',
    );
    expect(await verdict({ namespace: 'ending', name: '' })).toMatch(/^403 pages "Unknown" is forbidden: /);
  });

  it('ignores cluster-scoped objects, and reviews that reveal nothing', async () => {
    expect(await verdict({ namespace: '' })).toBe('not asked');
    const resource = { group: 'authorization.orch.io', version: 'v1', resource: 'localsubjectaccessreviews' };
    expect(await verdict({ namespace: 'none', resource })).toBe('not asked');
  });

  it.each(['default', 'orch-system', 'orch-public'])('protects %s', async (name) => {
    const request = { operation: 'DELETE', resource: namespaces, namespace: name, name } as const;
    expect(await verdict(request)).toBe(
      `403 namespaces "${name}" is forbidden: this namespace may not be deleted`,
    );
    expect(await verdict({ ...request, operation: 'UPDATE' })).toBe('fine');
  });

  it('protects the namespaces of the vocabulary, and no others', async () => {
    const request = (name: string) =>
      ({ operation: 'DELETE', resource: namespaces, namespace: name, name }) as const;
    expect(await verdict(request('kube-system'), lifecycle(kubernetesVocabulary))).toMatch(/^403 /);
    expect(await verdict(request('orch-system'), lifecycle(kubernetesVocabulary))).toBe('fine');
    expect(await verdict(request('orch-node-lease'))).toBe('fine');
  });

  it('recognises namespaces by their group, too', async () => {
    const resource = { ...namespaces, group: 'example.com' };
    expect(await verdict({ operation: 'DELETE', resource, namespace: 'default', name: 'default' })).toBe(
      'fine',
    );
    expect(await verdict({ resource: namespaces, namespace: 'new', name: 'new' })).toBe('fine');
  });
});
