import { defineResource, type NewObjectOf, type ObjectOf } from '@ashlar/apis';
import { createInformer } from '@ashlar/client';
import { kubernetesVocabulary, orchVocabulary, type Status, StatusError } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { nodeAmbient } from '@ashlar/http-node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { ApiServer } from './api-server.ts';
import { createApiServer } from './create-api-server.ts';

const widgets = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  shortNames: ['wd'],
  spec: z.object({ size: z.int().default(1), color: z.string().trim().optional() }),
  columns: [
    { name: 'Size', type: 'integer', cell: ({ spec }) => spec.size },
    {
      name: 'Color',
      cell: ({ spec }) => {
        if (spec.color === 'none') throw new Error('no color to show');
        return spec.color ?? '';
      },
    },
  ],
  validate: ({ spec }) => {
    if (spec.size === 13) throw new Error('the password of the database is secret');
    return [];
  },
});
const teams = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Team',
  scope: 'Cluster',
  spec: z.object({}),
});

let server: ApiServer;
const print = vi.spyOn(console, 'error');

beforeEach(async () => {
  print.mockReset().mockImplementation(() => {});
  server = createApiServer({ resources: [widgets, teams] });
  await server.ready;
});
afterEach(() => server.close());

const at = (resource: string, group = 'example.com', version = 'v1') =>
  server.client.resource({ group, version, resource });

describe('a client', () => {
  it('takes a definition, and is typed by it', async () => {
    const client = server.client.resource(widgets).namespace('default');
    const submitted: NewObjectOf<typeof widgets>['spec'] = {};
    const made: ObjectOf<typeof widgets> = await client.create({ metadata: { name: 'a' }, spec: submitted });
    expect(made.spec.size).toBe(1);
    // @ts-expect-error a size is a number
    const wrong = client.create({ metadata: { name: 'b' }, spec: { size: 'large' } });
    await expect(wrong).rejects.toThrow('spec.size');
    const applied = await client.apply(
      { metadata: { name: 'a' }, spec: { color: 'red' } },
      { fieldManager: 'me' },
    );
    expect(applied.spec).toEqual({ size: 1, color: 'red' });
    await using informer = createInformer(client);
    await informer.synced;
    expect(informer.get('default', 'a')?.spec.color).toBe('red');
  });

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'no namespace',
      () => at('widgets').get('a'),
      'widgets of example.com/v1 are in namespaces, name one with .namespace(…)',
    ],
    [
      'no namespace to create in',
      () => at('widgets').create({ metadata: { name: 'a' } }),
      'widgets of example.com/v1 are in namespaces, name one with .namespace(…)',
    ],
    [
      'a namespace for what has none',
      () => at('teams').namespace('x').get('a'),
      'teams of example.com/v1 are in no namespace, leave out .namespace("x")',
    ],
    ['a kind', () => at('Widget').list(), 'example.com/v1 has no resource "Widget", did you mean "widgets"?'],
    ['a short name', () => at('wd').list(), 'example.com/v1 has no resource "wd", did you mean "widgets"?'],
    [
      'a resource that is mistyped',
      () => at('wigdets').list(),
      'example.com/v1 has no resource "wigdets", did you mean "widgets"?',
    ],
    [
      'another version',
      () => at('widgets', 'example.com', 'v2').list(),
      'group example.com is served in v1, not in "v2"',
    ],
    [
      'another group',
      () => at('widgets', 'exmaple.com').list(),
      'the server has no group "exmaple.com", did you mean "example.com"?',
    ],
    [
      'a group of the other vocabulary',
      () => at('leases', 'coordination.k8s.io').list(),
      'group coordination.k8s.io is one of the vocabulary "kubernetes", and the server has the vocabulary "orch": ask for "coordination.", which is the group in either',
    ],
    [
      'a version of the core group',
      () => at('configmaps', '', 'v2').list(),
      'the core group has the version v1, not "v2"',
    ],
    [
      'a subresource that the type has not',
      async () => {
        await server.client.resource(teams).create({ metadata: { name: 'a' }, spec: {} });
        return at('teams').subresource('scale').get('a');
      },
      'teams of example.com/v1 have no subresource "scale"',
    ],
  ])('explains why a path is not found: %s', async (_, ask, why) => {
    const error = await ask().then(
      () => undefined,
      (thrown: StatusError) => thrown,
    );
    expect(error?.message).toMatch(
      /^(404 page not found|the server .* requested resource|teams.*not found): /,
    );
    expect(error?.message).toContain(why);
    expect([404, 405]).toContain(error?.code);
  });

  it('says that a reference without a kind does not complete objects', async () => {
    const created = at('teams').create({ metadata: { name: 'a' } });
    await expect(created).rejects.toThrow(
      'Object \'Kind\' is missing in \'{"metadata":{"name":"a"}}\' ({"metadata":{"name":"a"}}): the reference of teams names no kind, give one with client.resource({ …, kind }) or send objects with apiVersion and kind',
    );
  });

  it('leaves the errors of objects as they are', async () => {
    await expect(at('teams').get('a')).rejects.toThrow(/^teams.example.com "a" not found$/);
  });

  it.each([
    [{ kind: 'Widget', apiVersion: 'example.com/v1' }, 'not an object with the members kind, apiVersion'],
    ['widgets', 'not "widgets"'],
    [undefined, 'not undefined'],
  ])('rejects what is no reference: %s', (given, text) => {
    expect(() => server.client.resource(given as never)).toThrow(TypeError);
    expect(() => server.client.resource(given as never)).toThrow(text);
  });

  it('throws errors that lead to the line of the caller', async () => {
    async function theCallerInThisTest(): Promise<void> {
      await at('teams').get('a');
    }
    const error = await theCallerInThisTest().catch((thrown: Error) => thrown);
    const [first = '', frame = ''] = (error as Error).stack?.split('\n') ?? [];
    expect(first).toBe('StatusError: teams.example.com "a" not found');
    expect(frame).toContain('theCallerInThisTest');
    expect(frame).toContain('client-errors.test.ts');
    expect(new StatusError({ code: 404, reason: 'NotFound', message: 'x' }).stack).not.toContain('at ');
  });
});

describe('errors that nobody handles', () => {
  it('are printed with their request, and the caller hears nothing of them', async () => {
    const refused = server.client
      .resource(widgets)
      .namespace('default')
      .create({ metadata: { name: 'a' }, spec: { size: 13 } });
    const error = (await refused.catch((thrown: StatusError) => thrown)) as StatusError;
    expect(error.code).toBe(500);
    expect(error.message).not.toContain('secret');
    expect(print).toHaveBeenCalledOnce();
    expect(print.mock.calls[0]?.[0]).toBe(
      'ashlar: server POST /apis/example.com/v1/namespaces/default/widgets:',
    );
    expect(String(print.mock.calls[0]?.[1])).toContain('the password of the database is secret');
  });

  it('of a column cost its cell, not the table', async () => {
    const client = server.client.resource(widgets).namespace('default');
    for (const color of ['red', 'none']) await client.create({ metadata: { name: color }, spec: { color } });
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.orch.io' };
    const response = await server.fetch(
      new Request('http://server/apis/example.com/v1/widgets', { headers }),
    );
    const { rows } = (await response.json()) as { rows: { cells: unknown[] }[] };
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['none', 1, '<error>'],
      ['red', 1, 'red'],
    ]);
    expect(print.mock.calls).toEqual([['ashlar: column "Color":', new Error('no color to show')]]);
  });

  it('of an informer are printed at each change, and what cannot be listed rejects those who wait', async () => {
    const clock = createSteppedClock(0);
    const ambient = { ...nodeAmbient(orchVocabulary), clock };
    const resource = { ...at('gadgets'), ambient };
    const attempts: unknown[] = [];
    const informer = createInformer(resource, { onError: (error) => attempts.push(error) });
    const waiting = informer.synced.catch((error: Status) => error);
    for (let attempt = 1; attempt < 3; attempt++) {
      await vi.waitFor(() => expect(attempts).toHaveLength(attempt), { timeout: 60_000 });
      await vi.waitFor(() => expect(clock.pending()).toHaveLength(1), { timeout: 60_000 });
      clock.advance(60_000);
    }
    expect(await waiting).toMatchObject({
      code: 404,
      message: expect.stringContaining('has no resource "gadgets"'),
    });
    expect(attempts).toHaveLength(3);
    await informer.close();
    const received = createInformer(at('gadgets'));
    await vi.waitFor(() => expect(print).toHaveBeenCalledOnce(), { timeout: 60_000 });
    expect(print.mock.calls[0]?.[0]).toBe('ashlar: informer:');
    await received.close();
  });
});

it('explains a group of the specification to a client of a server for kubectl', async () => {
  await using other = createApiServer({ vocabulary: kubernetesVocabulary });
  await other.ready;
  const leases = other.client.resource({ group: 'coordination.orch.io', version: 'v1', resource: 'leases' });
  await expect(leases.list()).rejects.toThrow(
    'group coordination.orch.io is one of the vocabulary "orch", and the server has the vocabulary "kubernetes"',
  );
});
