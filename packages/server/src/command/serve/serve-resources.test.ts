import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { afterAll, describe, expect, it } from 'vitest';
import { createApiServer } from '../../assembly/create-api-server.ts';
import { definitionsOf, establishDefinitions } from './serve-resources.ts';

const folder = mkdtempSync(join(tmpdir(), 'resources-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const definitionText = (plural: string, kind: string): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.example.com }
spec:
  group: example.com
  names: { plural: ${plural}, kind: ${kind} }
  scope: Namespaced
  versions:
  - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
`;

const both = file('both.yaml', `${definitionText('orders', 'Order')}---${definitionText('jobs', 'Task')}`);
const taken = file('taken.yaml', definitionText('errands', 'Task'));

describe('definitions of --resources', () => {
  it('are served, and are the same ones at the next start', async () => {
    const server = createApiServer({ vocabulary: kubernetesVocabulary });
    await server.ready;
    const definitions = definitionsOf({ resources: [both] }, kubernetesVocabulary);
    await establishDefinitions(server, definitions);
    const orders = { group: 'example.com', version: 'v1', resource: 'orders', kind: 'Order' };
    const client = server.client.resource(orders).namespace('default');
    expect((await client.create({ metadata: { name: 'a' } })).metadata.generation).toBe(1);

    const stored = server.client.resource({
      ...{ group: 'apiextensions.k8s.io', version: 'v1' },
      ...{ resource: 'customresourcedefinitions', kind: 'CustomResourceDefinition' },
    });
    const before = await stored.list();
    await establishDefinitions(server, definitions);
    expect((await stored.list()).items).toEqual(before.items);

    const named = definitionText('orders', 'Order').replace('kind: Order', 'kind: Order, shortNames: [o]');
    await establishDefinitions(
      server,
      definitionsOf({ resources: [file('more.yaml', named)] }, kubernetesVocabulary),
    );
    expect(await stored.get('orders.example.com')).toMatchObject({ spec: { names: { shortNames: ['o'] } } });
    await server.close();
  });

  it('must be accepted by the server', async () => {
    const server = createApiServer({ vocabulary: kubernetesVocabulary });
    await server.ready;
    const given = definitionsOf({ resources: [both, taken] }, kubernetesVocabulary);
    await expect(establishDefinitions(server, given)).rejects.toThrow(
      `${taken}: "TaskList" is already in use`,
    );
    const text = definitionText('orders', 'Order').replace('orders.example', 'order.example');
    const wrong = definitionsOf({ resources: [file('wrong.yaml', text)] }, kubernetesVocabulary);
    await expect(establishDefinitions(server, wrong)).rejects.toThrow(
      'wrong.yaml: CustomResourceDefinition.apiextensions.k8s.io "order.example.com" is invalid',
    );
    await server.close();
  });

  it.each([
    ['empty.yaml', '', /empty.yaml contains no definition$/],
    ['map.yaml', 'apiVersion: v1\nkind: ConfigMap', /map.yaml .* kubernetes, but a ConfigMap of v1$/],
    ['odd.yaml', '{', /^flag --resources: .*odd.yaml: /],
    ['nameless.yaml', 'a: b', /nameless.yaml: the document has no apiVersion$/],
    [
      'half.yaml',
      definitionText('a', 'A').replace('plural: a,', ''),
      /half.yaml: the definition is incomplete$/,
    ],
  ])('must be definitions: %s', (name, text, expected) => {
    const resources = [file(name, text)];
    expect(() => definitionsOf({ resources }, kubernetesVocabulary)).toThrow(expected);
  });

  it('must be files of the vocabulary, and storage that can be written to', () => {
    expect(() => definitionsOf({ resources: [both] }, orchVocabulary)).toThrow(
      /contains no definition of the vocabulary orch/,
    );
    expect(() => definitionsOf({ resources: [join(folder, 'none')] }, orchVocabulary)).toThrow(
      /^flag --resources: .*none/,
    );
    expect(() => definitionsOf({ resources: [both], snapshot: 'a.db' }, kubernetesVocabulary)).toThrow(
      'flag --resources: a snapshot is read-only, so nothing can be added to it',
    );
  });
});
