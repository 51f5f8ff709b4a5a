import type { ResourceClient } from '@ashlar/client';
import type { ApiObject } from '@ashlar/core';
import { orchVocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { createMemoryStore, type KeyValueStore } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from './api-server.ts';
import type { ApiServerOptions } from './api-server-options.ts';
import { createApiServer } from './create-api-server.ts';

const DEFINITIONS = {
  group: 'apiextensions.orch.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
};
const ambient = nodeAmbient(orchVocabulary);

interface Widget extends ApiObject {
  readonly spec?: { readonly size?: number; readonly color?: string };
}

const definitionsOf = (server: ApiServer): ResourceClient<ApiObject> => server.client.resource(DEFINITIONS);
const widgetsOf = (server: ApiServer, version = 'v1'): ResourceClient<Widget> =>
  server.client
    .resource<Widget>({ group: 'example.com', version, resource: 'widgets', kind: 'Widget' })
    .namespace('default');

function version(name: string, properties: object, storage = true): object {
  const spec = { type: 'object', properties };
  return {
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  };
}

const v1 = version('v1', { size: { type: 'integer', maximum: 5 } });

function widgets(more: object = {}): ApiObject {
  const names = { plural: 'widgets', kind: 'Widget' };
  return {
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [v1], ...more },
  } as unknown as ApiObject;
}

async function serverWith(options: ApiServerOptions = {}): Promise<ApiServer> {
  const server = createApiServer(options);
  await server.ready;
  return server;
}

/** Waits for a change that a controller makes. */
async function until(reached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 5));
}

const isServed = (server: ApiServer, name = 'v1'): boolean =>
  server.catalog.find('example.com', name, 'widgets') !== undefined;

async function define(server: ApiServer, more: object = {}): Promise<void> {
  await definitionsOf(server).create(widgets(more));
  await until(() => isServed(server));
}

describe('a stored definition', () => {
  it('is served with its schema, and discovered', async () => {
    await using server = await serverWith();
    await define(server);
    const made = await widgetsOf(server).create({ metadata: { name: 'a' }, spec: { size: 3 } });
    expect(made).toMatchObject({ apiVersion: 'example.com/v1', kind: 'Widget', spec: { size: 3 } });
    await expect(widgetsOf(server).create({ metadata: { name: 'b' }, spec: { size: 6 } })).rejects.toThrow(
      'spec.size: Invalid value: 6: spec.size in body should be less than or equal to 5',
    );
    const response = await server.fetch(new Request('http://server/apis/example.com/v1'));
    const { resources } = (await response.json()) as { resources: { name: string }[] };
    expect(resources.map(({ name }) => name)).toEqual(['widgets']);
  });

  it('is served by a server that starts with the store of another', async () => {
    await using server = await serverWith();
    await define(server);
    await widgetsOf(server).create({ metadata: { name: 'a' }, spec: { size: 1 } });
    await using next = server.fork();
    expect(isServed(next)).toBe(true);
    expect(await widgetsOf(next).get('a')).toMatchObject({ spec: { size: 1 } });
  });

  it('of a fork is that fork’s own', async () => {
    await using server = await serverWith();
    await using fork = server.fork();
    await fork.ready;
    await define(fork);
    expect(isServed(server)).toBe(false);
    await definitionsOf(fork).delete('widgets.example.com');
    await until(() => !isServed(fork));
  });

  it('is served by all servers over one store, as it changes', async () => {
    const storage = createMemoryStore(ambient);
    await using first = await serverWith({ storage: shared(storage) });
    await using second = await serverWith({ storage: shared(storage) });
    await define(first);
    await until(() => isServed(second));
    await widgetsOf(second).create({ metadata: { name: 'a' }, spec: { size: 1 } });
    const changed = { spec: { versions: [version('v1', { size: { type: 'integer', maximum: 9 } })] } };
    await definitionsOf(second).patch('widgets.example.com', { type: 'merge', patch: changed });
    await until(async () => {
      const probe = { metadata: { name: 'probe' }, spec: { size: 9 } };
      return widgetsOf(first)
        .create(probe, { dryRun: ['All'] })
        .then(
          () => true,
          () => false,
        );
    });
    await definitionsOf(first).delete('widgets.example.com');
    await until(() => !isServed(first) && !isServed(second));
  });

  it('is deleted after its objects, which finalizers may delay', async () => {
    await using server = await serverWith();
    await define(server);
    const held = { name: 'a', finalizers: ['example.com/held'] };
    await widgetsOf(server).create({ metadata: held, spec: { size: 1 } });
    await definitionsOf(server).delete('widgets.example.com');
    await until(async () => (await widgetsOf(server).get('a')).metadata.deletionTimestamp !== undefined);
    await expect(widgetsOf(server).create({ metadata: { name: 'b' } })).rejects.toThrow(
      'create not allowed while custom resource definition is terminating',
    );
    await widgetsOf(server).patch('a', { type: 'merge', patch: { metadata: { finalizers: null } } });
    await until(() => !isServed(server));
  });

  it('does not override built-in types', async () => {
    await using server = await serverWith();
    const name = 'leases.coordination.orch.io';
    const annotations = { 'api-approved.orch.io': 'unapproved, a test' };
    const names = { plural: 'leases', kind: 'Lease' };
    const spec = { group: 'coordination.orch.io', scope: 'Namespaced', names, versions: [v1] };
    const leases = server.client
      .resource<ApiObject>({
        group: 'coordination.orch.io',
        version: 'v1',
        resource: 'leases',
        kind: 'Lease',
      })
      .namespace('default');
    await leases.create({ metadata: { name: 'kept' } });
    await definitionsOf(server).create({ metadata: { name, annotations }, spec } as unknown as ApiObject);
    await until(async () =>
      JSON.stringify(await definitionsOf(server).get(name)).includes('InitialNamesAccepted'),
    );
    await definitionsOf(server).delete(name);
    await until(async () => (await definitionsOf(server).list()).items.length === 0);
    expect((await leases.get('kept')).metadata.name).toBe('kept');
    expect(server.catalog.find('coordination.orch.io', 'v1', 'leases')?.definition.dialect).toBe('built-in');
  });

  it('gets other names while it is being deleted', async () => {
    await using server = await serverWith();
    await define(server);
    await widgetsOf(server).create({ metadata: { name: 'a', finalizers: ['example.com/held'] } });
    await definitionsOf(server).delete('widgets.example.com');
    const patch = { spec: { names: { shortNames: ['wi'] } } };
    await definitionsOf(server).patch('widgets.example.com', { type: 'merge', patch });
    await until(async () => {
      const { status } = (await definitionsOf(server).get('widgets.example.com')) as unknown as {
        status: { acceptedNames: { shortNames?: string[] } };
      };
      return status.acceptedNames.shortNames?.[0] === 'wi';
    });
    await widgetsOf(server).patch('a', { type: 'merge', patch: { metadata: { finalizers: null } } });
    await until(async () => (await definitionsOf(server).list()).items.length === 0);
  });

  it('ends watches when it changes', async () => {
    await using server = await serverWith();
    await define(server);
    const response = await server.fetch(new Request('http://server/apis/example.com/v1/widgets?watch=1'));
    const ended = response.text();
    const versions = [version('v1', { color: { type: 'string' } })];
    await definitionsOf(server).patch('widgets.example.com', {
      type: 'merge',
      patch: { spec: { versions } },
    });
    expect(await ended).toBe('');
  });
});

describe('a type with several versions', () => {
  const versions = [v1, version('v2', { color: { type: 'string' } }, false)];

  it('returns the fields of each version', async () => {
    await using server = await serverWith();
    await define(server, { versions });
    await widgetsOf(server).create({ metadata: { name: 'a' }, spec: { size: 1 } });
    expect(await widgetsOf(server, 'v2').get('a')).toMatchObject({ apiVersion: 'example.com/v2', spec: {} });
  });

  const webhook = {
    conversionReviewVersions: ['v1'],
    clientConfig: { url: 'https://converter.example.com' },
  };
  const conversion = { strategy: 'Webhook', webhook };

  const sizes: readonly string[] = ['none', 'small', 'big'];
  const convert: ApiServerOptions['convert'] = (_, objects, apiVersion) =>
    objects.map((object) => {
      const { size = 0, color = 'none' } = (object as Widget).spec ?? {};
      const spec = apiVersion.endsWith('v2') ? { color: sizes[size] } : { size: sizes.indexOf(color) };
      return { ...object, apiVersion, spec } as ApiObject;
    });

  it('keeps the owners of other versions, whose fields are found by conversion', async () => {
    await using server = await serverWith({ convert });
    await define(server, { versions, conversion });
    await widgetsOf(server).create({ metadata: { name: 'a', labels: { l: '1' } }, spec: { size: 1 } });
    const patch = (spec: object) => widgetsOf(server, 'v2').patch('a', { type: 'merge', patch: { spec } });
    const owned = ({ metadata }: ApiObject) =>
      metadata.managedFields?.map(({ apiVersion, fieldsV1 }) => [apiVersion, fieldsV1]);
    const labels = { 'f:labels': { '.': {}, 'f:l': {} } };
    expect(owned(await patch({ color: 'small' }))).toEqual([
      ['example.com/v1', { 'f:metadata': labels, 'f:spec': { '.': {}, 'f:size': {} } }],
    ]);
    expect(owned(await patch({ color: 'big' }))).toEqual([
      ['example.com/v1', { 'f:metadata': labels, 'f:spec': {} }],
      ['example.com/v2', { 'f:spec': { 'f:color': {} } }],
    ]);
  });

  it('does not get defaults of another version from an apply that changes nothing', async () => {
    const v2 = version('v2', { color: { type: 'string', default: 'red' } }, false);
    await using server = await serverWith();
    await define(server, { versions: [v1, v2] });
    const made = await widgetsOf(server).create({ metadata: { name: 'a' }, spec: { size: 1 } });
    const configuration = { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'a' }, spec: {} };
    const applied = await widgetsOf(server, 'v2').apply(configuration, { fieldManager: 'm' });
    expect(applied.metadata.generation).toBe(made.metadata.generation);
    expect(applied.spec).toEqual({});
  });

  it('converts in process where the host does so', async () => {
    await using server = await serverWith({ convert });
    await define(server, { versions, conversion });
    await widgetsOf(server, 'v2').create({ metadata: { name: 'a' }, spec: { color: 'big' } });
    expect(await widgetsOf(server).get('a')).toMatchObject({ spec: { size: 2 } });
    expect((await widgetsOf(server, 'v2').list()).items).toMatchObject([{ spec: { color: 'big' } }]);
    await widgetsOf(server, 'v2').patch('a', { type: 'merge', patch: { spec: { color: 'small' } } });
    expect(await widgetsOf(server).get('a')).toMatchObject({ spec: { size: 1 } });
  });

  it('sends stored objects without a version to webhooks, and reads what they answer now', async () => {
    let color = 'red';
    const sent: ApiObject[] = [];
    const outcome = (review: {
      request: { uid: string; desiredAPIVersion: string; objects: ApiObject[] };
    }) => {
      const { uid, desiredAPIVersion, objects } = review.request;
      sent.push(...objects);
      const convertedObjects = objects.map((object) => ({
        ...object,
        apiVersion: desiredAPIVersion,
        spec: { color },
      }));
      return { ...review, response: { uid, result: { status: 'Success' }, convertedObjects } };
    };
    await using server = await serverWith({
      transport: {
        request: async (_, { body }) => {
          const text = JSON.stringify(outcome(JSON.parse(new TextDecoder().decode(body))));
          return {
            status: 200,
            headers: {},
            body: async () => new TextEncoder().encode(text),
            async *stream() {
              yield new TextEncoder().encode(text);
            },
          };
        },
      },
    });
    await define(server, { versions, conversion });
    await widgetsOf(server).create({ metadata: { name: 'a' }, spec: { size: 1 } });
    const readColor = async () => (await widgetsOf(server, 'v2').get('a')).spec?.color;
    expect(await readColor()).toBe('red');
    color = 'blue';
    expect(await readColor()).toBe('blue');
    expect(sent.map(({ metadata }) => metadata.resourceVersion)).toEqual([undefined, undefined]);
    expect((await widgetsOf(server, 'v2').get('a')).metadata.resourceVersion).toMatch(/^\d+$/);
  });

  it('fails only requests that need a broken webhook', async () => {
    await using server = await serverWith({
      transport: {
        request: () => Promise.reject(new Error('connection refused')),
      },
    });
    await define(server, { versions, conversion });
    await widgetsOf(server).create({ metadata: { name: 'a' }, spec: { size: 1 } });
    expect(await widgetsOf(server).get('a')).toMatchObject({ spec: { size: 1 } });
    for (const attempt of [widgetsOf(server, 'v2').get('a'), widgetsOf(server, 'v2').list()])
      await expect(attempt).rejects.toThrow(
        'conversion webhook for example.com/v1, Kind=Widget failed: Post "https://converter.example.com/?timeout=30s": connection refused',
      );
    const watch = await server.fetch(new Request('http://server/apis/example.com/v2/widgets?watch=1'));
    expect(JSON.parse(await watch.text())).toMatchObject({ type: 'ERROR', object: { code: 500 } });
    const metrics = await server.fetch(new Request('http://server/metrics'));
    expect(await metrics.text()).toContain(
      'apiserver_conversion_webhook_request_total{result="failure",failure_type="conversion_webhook_call_failure"} ',
    );
  });
});

/** A store that is shared by several servers and not closed by them. */
function shared(storage: KeyValueStore): KeyValueStore {
  return new Proxy(storage, {
    get(target, name) {
      if (name === Symbol.asyncDispose) return async () => {};
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
