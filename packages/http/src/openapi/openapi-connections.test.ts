import { kubernetesVocabulary, runAtOnce, type Schema } from '@ashlar/core';
import type { ConnectSubresource } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { ApiCatalog, type ServedGroupVersion } from '../catalog/api-catalog.ts';
import { notes } from '../testing/test-resources.fixture.ts';
import { openApiDocumentSteps } from './openapi-document.ts';
import { openApiV2DocumentSteps } from './openapi-v2-document.ts';

const options: Schema = {
  type: 'object',
  properties: { path: { type: 'string' }, ports: { type: 'array', items: { type: 'integer' } } },
};
const connections: readonly ConnectSubresource[] = [
  {
    name: 'attach',
    kind: 'PodAttachOptions',
    verbs: ['create', 'get'],
    options: { schema: options, read: () => ({}) },
  },
  { name: 'log', kind: 'Pod', verbs: ['get'], parameters: { properties: { follow: { type: 'boolean' } } } },
  {
    name: 'proxy',
    kind: 'PodProxyOptions',
    verbs: ['create', 'delete', 'get', 'patch', 'update'],
    withPath: true,
    options: { schema: options, read: () => ({}) },
  },
];
const ROOT = '/api/v1/namespaces/{namespace}/notes/{name}';

interface Item {
  readonly [method: string]: Record<string, unknown>;
}

describe('connections in documents', () => {
  const catalog = new ApiCatalog(kubernetesVocabulary);
  catalog.add({ ...notes, connections }, { get: () => ({}) } as object);
  const [served] = catalog.versions('');
  const document = runAtOnce(
    openApiDocumentSteps(served as ServedGroupVersion, kubernetesVocabulary, '1.32'),
  );
  const paths = document.paths as unknown as Readonly<Record<string, Item>>;
  const parametersAt = (path: string): unknown =>
    (paths[path] as unknown as { parameters: { name: string; in: string; schema: object }[] }).parameters.map(
      ({ name, in: place }) => `${name} ${place}`,
    );

  it('take every method where they lead to another server, also below', () => {
    const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'parameters'];
    expect(Object.keys(paths[`${ROOT}/proxy`] ?? {})).toEqual(methods);
    expect(Object.keys(paths[`${ROOT}/proxy/{path}`] ?? {})).toEqual(methods);
    expect(Object.keys(paths[`${ROOT}/attach`] ?? {})).toEqual(['get', 'post', 'parameters']);
    expect(paths[`${ROOT}/proxy/{path}`]?.put).toMatchObject({
      operationId: 'connectCoreV1PutNamespacedNoteProxyWithPath',
      responses: { 200: { content: { '*/*': { schema: { type: 'string' } } } } },
      'x-kubernetes-action': 'connect',
      'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind: 'PodProxyOptions' },
    });
  });

  it('have the fields of their options as query parameters', () => {
    expect(parametersAt(`${ROOT}/attach`)).toEqual([
      'name path',
      'namespace path',
      'path query',
      'ports query',
    ]);
    expect(parametersAt(`${ROOT}/proxy/{path}`)).toEqual([
      'name path',
      'namespace path',
      'path path',
      'path query',
      'ports query',
    ]);
    expect(paths[`${ROOT}/attach`]?.parameters).toContainEqual({
      name: 'ports',
      in: 'query',
      schema: { type: 'integer', uniqueItems: true },
    });
  });

  it('are read like an object without options', () => {
    expect(Object.keys(paths[`${ROOT}/log`] ?? {})).toEqual(['get', 'parameters']);
    expect(parametersAt(`${ROOT}/log`)).toEqual([
      'follow query',
      'name path',
      'namespace path',
      'pretty query',
    ]);
    const { get } = paths[`${ROOT}/log`] as Item;
    expect(get).toMatchObject({ operationId: 'readCoreV1NamespacedNoteLog', 'x-kubernetes-action': 'get' });
    const [ok] = Object.values(get?.responses as Record<string, { content: object }>);
    expect(Object.keys(ok?.content ?? {})).toEqual([
      'text/plain',
      'application/json',
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
    ]);
  });

  it('share their parameters in v2 by their kind', () => {
    const v2 = runAtOnce(openApiV2DocumentSteps([document], kubernetesVocabulary, '1.32')) as unknown as {
      paths: Record<string, { parameters: object[] }>;
      parameters: object;
    };
    expect(v2.paths[`${ROOT}/proxy/{path}`]?.parameters.slice(1)).toEqual([
      { $ref: '#/parameters/namespace-vgWSWtn3' },
      { $ref: '#/parameters/path-z6Ciiujn' },
      { $ref: '#/parameters/path-oPbzgLUj' },
      { $ref: '#/parameters/ports-91KROJmm' },
    ]);
    expect(v2.paths[`${ROOT}/attach`]?.parameters[2]).toEqual({
      name: 'path',
      in: 'query',
      type: 'string',
      uniqueItems: true,
    });
    expect(v2.parameters).toMatchObject({ 'path-z6Ciiujn': { in: 'path', required: true } });
  });
});
