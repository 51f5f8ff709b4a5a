import { type JsonValue, kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import {
  customResourceDefinitionsFromOpenApi,
  definitionsFromOpenApi,
  type LeftOut,
} from './definitions-from-openapi.ts';

const reference = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });
const marker = (group: string, version: string, kind: string) => ({
  'x-kubernetes-group-version-kind': [{ group, version, kind }],
});

interface Described {
  readonly action: string;
  readonly answer?: string;
  readonly patches?: readonly string[];
}

function operation(kind: object, { action, answer, patches = [] }: Described): object {
  return {
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': kind,
    ...(patches.length > 0 && {
      requestBody: { content: Object.fromEntries(patches.map((type) => [type, {}])) },
    }),
    responses: answer && { 200: { content: { 'application/json': { schema: reference(answer) } } } },
  };
}

const deployment = { group: 'apps', version: 'v1', kind: 'Deployment' };
const BASE = '/apis/apps/v1/namespaces/{namespace}/deployments';
const builtIn = {
  paths: {
    '/apis/apps/v1/': { get: {} },
    '/apis/apps/v1/deployments': {
      get: operation(deployment, { action: 'list', answer: 'apps.v1.DeploymentList' }),
    },
    '/apis/apps/v1/watch/deployments': { get: operation(deployment, { action: 'watchlist' }) },
    [BASE]: {
      get: operation(deployment, { action: 'list', answer: 'apps.v1.DeploymentList' }),
      post: operation(deployment, { action: 'post' }),
      parameters: [],
    },
    [`${BASE}/{name}`]: {
      get: operation(deployment, { action: 'get' }),
      put: operation(deployment, { action: 'put' }),
      patch: operation(deployment, {
        action: 'patch',
        patches: ['application/merge-patch+json', 'application/strategic-merge-patch+json'],
      }),
      delete: operation(deployment, { action: 'delete' }),
    },
    [`${BASE}/{name}/status`]: { get: operation(deployment, { action: 'get' }) },
    [`${BASE}/{name}/scale`]: {
      get: operation({ group: 'autoscaling', version: 'v1', kind: 'Scale' }, { action: 'get' }),
    },
    [`${BASE}/{name}/restart`]: { post: operation(deployment, { action: 'post' }) },
  },
  components: {
    schemas: {
      'apps.v1.Deployment': {
        type: 'object',
        description: 'Runs copies.',
        properties: {
          metadata: { default: {}, allOf: [reference('meta.v1.ObjectMeta')] },
          spec: { description: 'Wishes.', default: {}, allOf: [reference('apps.v1.DeploymentSpec')] },
        },
        ...marker('apps', 'v1', 'Deployment'),
      },
      'apps.v1.DeploymentList': { type: 'object', ...marker('apps', 'v1', 'DeploymentListing') },
      'apps.v1.DeploymentSpec': {
        type: 'object',
        required: ['name'],
        properties: {
          replicas: { type: 'integer', format: 'int32', default: 1 },
          name: { type: 'string', default: '' },
          surge: reference('util.IntOrString'),
          cpu: reference('util.Quantity'),
          raw: { description: 'Anything.', allOf: [reference('util.Raw')] },
          parts: {
            type: 'array',
            items: { default: {}, allOf: [reference('apps.v1.Part')] },
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            'x-kubernetes-patch-merge-key': 'name',
          },
        },
      },
      'apps.v1.Part': {
        type: 'object',
        properties: { name: { type: 'string' }, inner: reference('apps.v1.Part') },
      },
      'meta.v1.ObjectMeta': { type: 'object', properties: { name: { type: 'string' } } },
      'util.IntOrString': { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
      'util.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
      'util.Raw': { type: 'object' },
    },
  },
} as unknown as JsonValue;

function gadgets(version: string, schema: object): JsonValue {
  const gadget = { group: 'example.com', version, kind: 'Gadget' };
  return {
    paths: {
      [`/apis/example.com/${version}/gadgets`]: {
        get: operation(gadget, { action: 'list' }),
        post: operation(gadget, { action: 'post' }),
      },
      [`/apis/example.com/${version}/gadgets/{name}`]: {
        get: operation(gadget, { action: 'get' }),
        patch: operation(gadget, { action: 'patch', patches: ['application/merge-patch+json'] }),
      },
    },
    components: { schemas: { Gadget: { ...schema, ...marker('example.com', version, 'Gadget') } } },
  } as unknown as JsonValue;
}

describe('definitions of another API', () => {
  const left: LeftOut[] = [];
  const [deployments] = customResourceDefinitionsFromOpenApi([builtIn], {
    report: (each) => left.push(each),
  });

  it('have the names and the scope of paths and schemas', () => {
    expect(deployments).toMatchObject({
      metadata: { name: 'deployments.apps' },
      spec: {
        group: 'apps',
        scope: 'Namespaced',
        names: {
          plural: 'deployments',
          singular: 'deployment',
          kind: 'Deployment',
          listKind: 'DeploymentListing',
        },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            subresources: {
              status: {},
              scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
            },
          },
        ],
      },
    });
  });

  it('report omitted parts', () => {
    expect(left).toEqual([
      { group: 'apps', version: 'v1', resource: 'deployments/restart', reason: expect.any(String) },
    ]);
  });

  it('resolve references, and ignore zero defaults of built-in kinds', () => {
    const keepsAll = { 'x-kubernetes-preserve-unknown-fields': true };
    expect(deployments?.spec.versions?.[0]?.schema?.openAPIV3Schema).toEqual({
      type: 'object',
      description: 'Runs copies.',
      properties: {
        spec: {
          type: 'object',
          description: 'Wishes.',
          required: ['name'],
          properties: {
            replicas: { type: 'integer', format: 'int32', default: 1 },
            name: { type: 'string' },
            surge: { 'x-kubernetes-int-or-string': true },
            cpu: keepsAll,
            raw: { type: 'object', description: 'Anything.', ...keepsAll },
            parts: {
              type: 'array',
              items: {
                type: 'object',
                properties: { name: { type: 'string' }, inner: { type: 'object', ...keepsAll } },
              },
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['name'],
            },
          },
        },
      },
    });
  });

  it('merge the versions of a type, with the best one stored', () => {
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { on: { type: 'boolean', default: false } } } },
      'x-kubernetes-selectable-fields': [{ fieldPath: 'spec.on' }],
    };
    const found = definitionsFromOpenApi([
      gadgets('v1beta1', schema),
      gadgets('v1', schema),
      { openapi: '3.0.0' },
    ]);
    expect(found).toHaveLength(1);
    const [definition] = found;
    expect(definition).toMatchObject({
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'gadgets', kind: 'Gadget', listKind: 'GadgetList' },
      withoutVerbs: ['delete', 'deletecollection'],
    });
    expect(definition?.versions.map(({ name, storage }) => [name, storage])).toEqual([
      ['v1', true],
      ['v1beta1', false],
    ]);
    expect(definition?.versions[0]?.selectableFields?.names).toEqual(['spec.on']);
    // the zero of a custom kind is an ordinary default
    expect(definition?.versions[0]?.schema.properties?.spec?.properties?.on?.default).toBe(false);
  });

  it('omit types that cannot be read', () => {
    const review = { group: 'example.com', version: 'v1', kind: 'Review' };
    const document = {
      paths: { '/apis/example.com/v1/reviews': { post: operation(review, { action: 'post' }) } },
    } as unknown as JsonValue;
    const received: LeftOut[] = [];
    expect(
      definitionsFromOpenApi([document], {
        vocabulary: kubernetesVocabulary,
        report: (each) => received.push(each),
      }),
    ).toEqual([]);
    expect(received).toMatchObject([{ resource: 'reviews' }]);
  });

  it.each([null, 1, 'text', [], {}, { paths: [] }, { paths: { '/api/v1/x': null } }])(
    'are empty if the document is %j',
    (document) => {
      expect(definitionsFromOpenApi([document as JsonValue])).toEqual([]);
    },
  );
});
