import type { AdmissionPlugin, AdmissionRequest } from '@ashlar/admission';
import { type ApiObject, groupName, kubernetesVocabulary, orchVocabulary, StatusError } from '@ashlar/core';
import { expect, test, vi } from 'vitest';
import { createApiServer } from '../assembly/create-api-server.ts';

interface Scale extends ApiObject {
  readonly spec: { readonly replicas: number };
}

/** Limits scales to ten, and refuses five. */
function limitScales(seen: AdmissionRequest[]): AdmissionPlugin {
  return {
    name: 'LimitScales',
    handles: ({ subresource }) => subresource === 'scale',
    admit: (request) => {
      seen.push(request);
      const scale = request.object as Scale;
      return scale.spec.replicas > 10 ? { ...scale, spec: { replicas: 10 } } : undefined;
    },
    validate: (request) => {
      if ((request.object as Scale).spec.replicas === 5) throw StatusError.badRequest('not five');
    },
  };
}

const SPEC = { type: 'object', properties: { n: { type: 'integer' } } };

const definition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: SPEC, status: SPEC } } },
        subresources: { scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
      },
    ],
  },
} as unknown as ApiObject;

test.each([kubernetesVocabulary, orchVocabulary])(
  'plugins see and change a scale ($name)',
  async (vocabulary) => {
    const seen: AdmissionRequest[] = [];
    await using server = createApiServer({ vocabulary, admission: [limitScales(seen)] });
    const { client } = server;
    await client
      .resource({
        group: groupName(vocabulary, 'apiextensions.'),
        version: 'v1',
        resource: 'customresourcedefinitions',
        kind: 'CustomResourceDefinition',
      })
      .create(definition);
    await vi.waitFor(() => expect(server.catalog.find('example.com', 'v1', 'widgets')).toBeDefined(), {
      timeout: 60_000,
    });
    const widgets = client
      .resource({ group: 'example.com', version: 'v1', resource: 'widgets', kind: 'Widget' })
      .namespace('default');
    await widgets.create({ metadata: { name: 'a' }, spec: { n: 1 } } as unknown as ApiObject);
    const scaleTo = (replicas: number) =>
      widgets.subresource<Scale>('scale').patch('a', { type: 'merge', patch: { spec: { replicas } } });
    expect((await scaleTo(3)).spec).toEqual({ replicas: 3 });
    expect((await scaleTo(30)).spec).toEqual({ replicas: 10 });
    await expect(scaleTo(5)).rejects.toThrow('not five');
    expect(await widgets.get('a')).toMatchObject({ kind: 'Widget', spec: { n: 10 } });
    expect(seen[1]).toMatchObject({
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      resource: { group: 'example.com', resource: 'widgets' },
      object: { kind: 'Scale', spec: { replicas: 30 } },
      oldObject: { kind: 'Scale', spec: { replicas: 3 } },
    });
  },
);
