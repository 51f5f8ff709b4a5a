import { type ApiObject, orchVocabulary } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeGraph } from './node-graph.ts';

const object = (kind: string, metadata: object, spec: object): ApiObject =>
  ({ apiVersion: 'v1', kind, metadata, spec }) as unknown as ApiObject;

const pod = (name: string, spec: object, annotations: object = {}): ApiObject =>
  object('Pod', { name, namespace: 'ns', annotations }, spec);

const mounting = (node: string, ...secrets: readonly string[]): object => ({
  nodeName: node,
  volumes: secrets.map((secretName) => ({ name: secretName, secret: { secretName } })),
});

describe('the objects of a node', () => {
  it('include what its pods reference, at any path', () => {
    const graph = new NodeGraph(orchVocabulary);
    graph.setPod(
      pod('p', {
        nodeName: 'n',
        serviceAccountName: 'robot',
        imagePullSecrets: [{ name: 'pull' }],
        initContainers: [{ envFrom: [{ secretRef: { name: 'from' } }, { configMapRef: { name: 'from' } }] }],
        containers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'key' } } }] }],
        volumes: [
          {
            name: 'a',
            projected: { sources: [{ secret: { name: 'part' } }, { configMap: { name: 'part' } }] },
          },
          { name: 'b', persistentVolumeClaim: { claimName: 'claim' } },
          { name: 'own', ephemeral: {} },
          { name: 'c', csi: { nodePublishSecretRef: { name: 'publish' } } },
        ],
      }),
    );
    const own = [
      ...['pull', 'from', 'key', 'part', 'publish'].map((name) => ['secrets', name]),
      ...['from', 'part'].map((name) => ['configmaps', name]),
      ...['claim', 'p-own'].map((name) => ['persistentvolumeclaims', name]),
      ['serviceaccounts', 'robot'],
      ['pods', 'p'],
    ] as const;
    for (const [resource = '', name = ''] of own) {
      expect([resource, name, graph.relates('n', resource, 'ns', name)]).toEqual([resource, name, true]);
      expect(graph.relates('other', resource, 'ns', name)).toBe(false);
      expect(graph.relates('n', resource, 'elsewhere', name)).toBe(false);
    }
    expect(graph.relates('n', 'configmaps', 'ns', 'pull')).toBe(false);
  });

  it('include the volumes of its claims with their references, and its attachments', () => {
    const graph = new NodeGraph(orchVocabulary);
    graph.setPod(pod('p', { nodeName: 'n', volumes: [{ persistentVolumeClaim: { claimName: 'claim' } }] }));
    const volume = object(
      'PersistentVolume',
      { name: 'v' },
      {
        claimRef: { namespace: 'ns', name: 'claim' },
        csi: {
          nodeStageSecretRef: { namespace: 'vault', name: 'stage' },
          controllerPublishSecretRef: { namespace: 'vault', name: 'controller' },
        },
      },
    );
    graph.setVolume(volume);
    expect(graph.relates('n', 'persistentvolumes', '', 'v')).toBe(true);
    expect(graph.relates('n', 'secrets', 'vault', 'stage')).toBe(true);
    expect(graph.relates('n', 'secrets', 'vault', 'controller')).toBe(false);
    graph.deleteVolume(volume);
    expect(graph.relates('n', 'secrets', 'vault', 'stage')).toBe(false);
    graph.setAttachment(object('VolumeAttachment', { name: 'a' }, { nodeName: 'n' }));
    expect(graph.relates('n', 'volumeattachments', '', 'a')).toBe(true);
    expect(graph.relates('m', 'volumeattachments', '', 'a')).toBe(false);
  });

  it('exclude references of mirror pods', () => {
    const graph = new NodeGraph(orchVocabulary);
    graph.setPod(pod('p', mounting('n', 's'), { 'orch.io/config.mirror': 'x' }));
    expect(graph.relates('n', 'pods', 'ns', 'p')).toBe(true);
    expect(graph.relates('n', 'secrets', 'ns', 's')).toBe(false);
  });

  it('are those of existing pods, after any changes', () => {
    const names = fc.constantFrom('a', 'b', 'c');
    const steps = fc.array(
      fc.record({
        name: names,
        node: fc.constantFrom('', 'm', 'n'),
        secrets: fc.array(names),
        gone: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(steps, (all) => {
        const graph = new NodeGraph(orchVocabulary);
        const there = new Map<string, (typeof all)[number]>();
        for (const step of all) {
          const changed = pod(step.name, mounting(step.node, ...step.secrets));
          if (step.gone) graph.deletePod(changed);
          else graph.setPod(changed);
          if (step.gone) there.delete(step.name);
          else there.set(step.name, step);
        }
        for (const node of ['m', 'n']) {
          for (const secret of ['a', 'b', 'c'] as const) {
            const expected = [...there.values()].some(
              (each) => each.node === node && each.secrets.includes(secret),
            );
            expect(graph.relates(node, 'secrets', 'ns', secret)).toBe(expected);
          }
        }
      }),
    );
  });
});
