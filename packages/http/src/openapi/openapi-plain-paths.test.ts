import { kubernetesVocabulary, orchVocabulary, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/test-api.fixture.ts';
import { plainDocuments } from './openapi-plain-paths.ts';

const keys = {
  path: '/openid/v1/jwks',
  mediaType: 'application/jwk-set+json',
  content: {},
  maxAgeSeconds: 1,
  operation: { id: 'getKeys', tag: 'openid', description: 'Read the keys' },
};

describe('documents of paths without resources', () => {
  const documents = plainDocuments({
    vocabulary: kubernetesVocabulary,
    release: '1.32',
    groups: ['', 'apps', 'rbac.authorization.k8s.io'],
    documents: [keys],
  });
  const read = (path: string): Record<string, unknown> => {
    const making = documents.get(path);
    return making ? runAtOnce(making()) : {};
  };

  it('are those of discovery, of the version, and of fixed documents', () => {
    expect([...documents.keys()]).toEqual([
      'api',
      'apis',
      'apis/apps',
      'apis/rbac.authorization.k8s.io',
      'openid/v1/jwks',
      'version',
    ]);
  });

  it('have one path, with a slash at its end', () => {
    const group = read('apis/rbac.authorization.k8s.io');
    const schema = { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup' };
    expect(group).toMatchObject({
      info: { title: 'Kubernetes', version: '1.32' },
      paths: {
        '/apis/rbac.authorization.k8s.io/': {
          get: {
            tags: ['rbacAuthorization'],
            operationId: 'getRbacAuthorizationAPIGroup',
            responses: {
              200: {
                content: {
                  'application/json': { schema },
                  'application/vnd.kubernetes.protobuf': { schema },
                },
              },
              401: { description: 'Unauthorized' },
            },
          },
        },
      },
      components: { securitySchemes: { BearerToken: { type: 'apiKey', in: 'header' } } },
    });
    expect(Object.keys(group.paths as object)).toHaveLength(1);
  });

  it('mark the kinds of discovery', () => {
    const { components } = read('apis') as {
      components: { schemas: Record<string, Record<string, unknown>> };
    };
    const kindOf = (type: string): unknown =>
      components.schemas[`io.k8s.apimachinery.pkg.apis.meta.v1.${type}`]?.['x-kubernetes-group-version-kind'];
    expect(kindOf('APIGroupList')).toEqual([{ group: '', kind: 'APIGroupList', version: 'v1' }]);
    expect(kindOf('APIGroup')).toEqual([{ group: '', kind: 'APIGroup', version: 'v1' }]);
    expect(kindOf('GroupVersionForDiscovery')).toBeUndefined();
  });

  it('describe a fixed document as text, without schemas', () => {
    const { paths, components } = read('openid/v1/jwks');
    expect(paths).toMatchObject({
      '/openid/v1/jwks/': {
        get: {
          operationId: 'getKeys',
          responses: { 200: { content: { 'application/jwk-set+json': { schema: { type: 'string' } } } } },
        },
      },
    });
    expect(components).not.toHaveProperty('schemas');
  });

  it('are served, in the index, and part of the v2 document', async () => {
    const api = createTestApi({ vocabulary: orchVocabulary, documents: [keys] });
    const { json: index } = await api.ask('GET', '/openapi/v3');
    for (const path of ['api', 'openid/v1/jwks', 'version']) {
      expect(Object.keys(index.paths as object)).toContain(path);
      const { status, json } = await api.ask('GET', `/openapi/v3/${path}`);
      expect([status, Object.keys(json.paths as object)]).toEqual([200, [`/${path}/`]]);
    }
    const { json } = await api.ask('GET', '/openapi/v2');
    const { paths } = json as unknown as { paths: Record<string, { get: object }> };
    expect(paths['/openid/v1/jwks/']?.get).not.toHaveProperty('consumes');
    expect(paths['/version/']?.get).toMatchObject({
      consumes: ['application/json'],
      responses: { 200: { schema: { $ref: '#/definitions/io.orch.apimachinery.pkg.version.Info' } } },
    });
  });
});
