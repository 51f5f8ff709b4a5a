import type { Vocabulary } from '@ashlar/core';
import { createTestServer } from '@ashlar/testing';
import { expect } from 'vitest';
import {
  type ClauseServer,
  clauseOptions,
  forEachVocabulary,
  type Reply,
  toClauseServer,
} from '../clause-server.fixture.ts';

const GIZMOS = '/apis/shop.example/v1/gizmos';

/** A definition of `gizmos` whose `spec` has this schema in each of these versions. */
const definition = (spec: object, ...versions: readonly object[]): object => ({
  metadata: { name: 'gizmos.shop.example' },
  spec: {
    group: 'shop.example',
    scope: 'Cluster',
    names: { plural: 'gizmos', kind: 'Gizmo' },
    versions: versions.map((version) => ({
      ...{ served: true, storage: false },
      schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      ...version,
    })),
  },
});

const named = (version: string, name: string) => ({
  ...{ apiVersion: `shop.example/${version}`, kind: 'Gizmo' },
  metadata: { name },
});

/** Definitions are established by a controller. */
const LIVE = { controllers: true };
const V1 = { name: 'v1', storage: true };

forEachVocabulary('Expressions and deprecation', (test) => {
  const define = (server: ClauseServer, { groupDomain }: Vocabulary, body: object): Promise<Reply> =>
    server.post(`/apis/apiextensions.${groupDomain}/v1/customresourcedefinitions`, { ...body });
  const served = async (server: ClauseServer, path: string): Promise<void> => {
    await expect.poll(async () => (await server.get(path)).status, { timeout: 60_000 }).toBe(200);
  };

  test('L002: rules of a definition are evaluated by the server itself, over self and oldSelf', async ({
    vocabulary,
  }) => {
    const calls: string[] = [];
    const transport = {
      request: async (url: string) => {
        calls.push(url);
        throw new Error('nobody is called');
      },
    };
    await using api = await createTestServer({ ...clauseOptions(vocabulary), ...LIVE, transport });
    const server = toClauseServer(api);
    const rules = [
      { rule: 'self.least <= self.most', message: 'least is more than most' },
      { rule: 'self.most >= oldSelf.most', message: 'most does not shrink' },
    ];
    const number = { type: 'integer' };
    const spec = { type: 'object', properties: { least: number, most: number } };
    const extended = { ...spec, [`${vocabulary.extensionPrefix}validations`]: rules };
    expect(await define(server, vocabulary, definition(extended, V1))).toMatchObject({ status: 201 });
    await served(server, GIZMOS);
    const gizmo = (least: number, most: number) => ({ ...named('v1', 'x'), spec: { least, most } });
    const refused = await server.post(GIZMOS, gizmo(3, 2));
    expect(refused).toMatchObject({ status: 422 });
    expect(refused.body.message).toContain('least is more than most');
    const made = await server.post(GIZMOS, gizmo(1, 5));
    expect(made).toMatchObject({ status: 201 });
    const change = (most: number) => server.put(`${GIZMOS}/x`, { ...made.body, spec: { least: 1, most } });
    const shrunk = await change(4);
    expect(shrunk).toMatchObject({ status: 422 });
    expect(shrunk.body.message).toContain('most does not shrink');
    expect(await change(6)).toMatchObject({ status: 200 });
    expect(calls).toEqual([]);
  });

  test('L003: callers of a deprecated version are warned, and no others', async ({ vocabulary }) => {
    await using api = await createTestServer({ ...clauseOptions(vocabulary), ...LIVE });
    const server = toClauseServer(api);
    const scale = { specReplicasPath: '.spec.number', statusReplicasPath: '.status.number' };
    const versions = [
      { name: 'v1alpha1', deprecated: true, subresources: { scale } },
      { name: 'v1beta1', deprecated: true, deprecationWarning: 'v1beta1 goes in spring' },
      V1,
    ];
    expect(await define(server, vocabulary, definition({ type: 'object' }, ...versions))).toMatchObject({
      status: 201,
    });
    await served(server, GIZMOS);
    const warnings = async (version: string): Promise<readonly (string | null)[]> => {
      const path = `/apis/shop.example/${version}/gizmos`;
      const replies = [
        await server.post(path, named(version, version)),
        await server.get(path),
        await server.get(`${path}/${version}`),
        await server.delete(`${path}/${version}`),
      ];
      return replies.map(({ status, headers }) => (status < 300 ? headers.get('warning') : `${status}`));
    };
    const said = (text: string): readonly string[] => new Array(4).fill(`299 - "${text}"`);
    expect(await warnings('v1alpha1')).toEqual(
      said('shop.example/v1alpha1 Gizmo is deprecated; use shop.example/v1 Gizmo'),
    );
    expect(await warnings('v1beta1')).toEqual(said('v1beta1 goes in spring'));
    for (const subresource of ['scale', 'status', 'other']) {
      const missing = await server.get(`/apis/shop.example/v1alpha1/gizmos/x/${subresource}`);
      expect([missing.status, missing.headers.get('warning')]).toEqual([
        404,
        said('shop.example/v1alpha1 Gizmo is deprecated; use shop.example/v1 Gizmo')[0],
      ]);
    }
    expect(await warnings('v1')).toEqual([null, null, null, null]);
  });

  test('L059: a rule that may cost too much is rejected when it is created or changed', async ({
    vocabulary,
  }) => {
    await using api = await createTestServer({ ...clauseOptions(vocabulary), ...LIVE });
    const server = toClauseServer(api);
    const ruled = (list: object): object => ({
      type: 'object',
      properties: { all: { type: 'array', items: { type: 'string', maxLength: 20 }, ...list } },
      [`${vocabulary.extensionPrefix}validations`]: [
        { rule: 'self.all.all(a, self.all.exists(b, a == b + b))' },
      ],
    });
    const dear = definition(ruled({}), V1);
    const refused = await define(server, vocabulary, dear);
    expect(refused).toMatchObject({ status: 422, body: { reason: 'Invalid' } });
    expect(refused.body.message).toContain('estimated rule cost exceeds budget');
    const made = await define(server, vocabulary, definition(ruled({ maxItems: 10 }), V1));
    expect(made).toMatchObject({ status: 201 });
    const path = `/apis/apiextensions.${vocabulary.groupDomain}/v1/customresourcedefinitions/gizmos.shop.example`;
    await served(server, GIZMOS);
    const { metadata } = (await server.get(path)).body;
    const changed = await server.put(path, { ...dear, metadata });
    expect(changed).toMatchObject({ status: 422 });
    expect(changed.body.message).toContain('estimated rule cost exceeds budget');
  });
});
