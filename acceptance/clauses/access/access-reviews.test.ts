import { createWebhookAuthorizer } from '@ashlar/authz';
import { groupName } from '@ashlar/core';
import { createManualClock, createSeededRandom, createTestServer } from '@ashlar/testing';
import { expect } from 'vitest';
import { type ClauseServer, CONFIG_MAPS, type Reply } from '../clause-server.fixture.ts';
import { accessOptions, forEachAccess, rule, toAccessServer } from './access-server.fixture.ts';
import { ReviewWebhook } from './webhook.fixture.ts';

const may = (verb: string, resource: string, more: object = {}): object => ({
  resourceAttributes: { verb, resource, namespace: 'a', ...more },
});

const allowedIn = ({ body }: Reply): unknown => (body.status as { readonly allowed: unknown }).allowed;

forEachAccess('Access review objects', (test) => {
  test('A017: callers can review their own permissions', async ({ access, paths }) => {
    await access.allow('reader', [rule('get', 'configmaps', { resourceNames: ['x'] })]);
    const ask = async (server: ClauseServer, spec: object): Promise<unknown> =>
      allowedIn(await server.post(`${paths.authorization}/selfsubjectaccessreviews`, { spec }));
    expect(await ask(access.al, may('get', 'configmaps', { name: 'x' }))).toBe(true);
    for (const other of [
      { name: 'y' },
      { name: 'x', namespace: 'b' },
      { name: 'x', group: 'apps' },
      { name: 'x', verb: 'delete' },
    ])
      expect(await ask(access.al, may('get', 'configmaps', other))).toBe(false);
    expect(await ask(access.as('bo'), may('get', 'configmaps', { name: 'x' }))).toBe(false);
    expect(await ask(access.root, may('delete', 'secrets'))).toBe(true);
  });

  test('A017: reviews have none of the metadata that only a server sets', async ({ access, paths }) => {
    const ignored = {
      ...{ selfLink: '/x', uid: 'u', namespace: 'b', creationTimestamp: '2020-01-01T00:00:00Z' },
      ...{ deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 4 },
    };
    const reviewed = async (path: string, spec: object, metadata: object = ignored): Promise<unknown> => {
      const { status, body } = await access.root.post(`${paths.authorization}/${path}`, { metadata, spec });
      const { managedFields: _, ...more } = (body.metadata ?? {}) as { readonly managedFields?: unknown };
      return [status, more];
    };
    const wiped = [201, { creationTimestamp: null }];
    expect(await reviewed('selfsubjectaccessreviews', may('get', 'configmaps'))).toEqual(wiped);
    const asked = { user: 'eve', ...may('get', 'configmaps') };
    expect(await reviewed('subjectaccessreviews', asked)).toEqual(wiped);
    const { namespace: _, ...rest } = ignored;
    expect(await reviewed('namespaces/a/localsubjectaccessreviews', asked, rest)).toEqual([
      201,
      { namespace: 'a', creationTimestamp: null },
    ]);
  });

  test('A017: each selector that cannot be read is reported', async ({ access, paths }) => {
    const unreadable = {
      fieldSelector: { requirements: [{ key: 'x', operator: 'Foo' }] },
      labelSelector: { rawSelector: '((' },
    };
    const { body } = await access.root.post(`${paths.authorization}/selfsubjectaccessreviews`, {
      spec: may('get', 'configmaps', unreadable),
    });
    expect(body.status).toMatchObject({
      evaluationError:
        'spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector ignored due to parse error',
    });
  });

  test('A017: a denial is distinguished from no opinion', async ({ vocabulary, paths }) => {
    const decisions = { get: 'allow', list: 'no-opinion', delete: 'deny', create: 'allow' } as const;
    await using api = await createTestServer({
      ...accessOptions(vocabulary),
      authorizer: () => ({
        authorize: ({ verb }) => ({ decision: decisions[verb as keyof typeof decisions] }),
      }),
    });
    const path = `${paths.authorization}/selfsubjectaccessreviews`;
    const status = async (verb: string): Promise<unknown> =>
      (await toAccessServer(api).al.post(path, { spec: may(verb, 'secrets') })).body.status;
    expect(await status('get')).toEqual({ allowed: true });
    expect(await status('list')).toEqual({ allowed: false });
    expect(await status('delete')).toEqual({ allowed: false, denied: true });
  });

  test('A018: permissions of any user can be reviewed by authorized callers', async ({ access, paths }) => {
    await access.allow('reader', [rule('get', 'configmaps')], { kind: 'Group', name: 'ops' });
    const ask = (server: ClauseServer, subject: object): Promise<Reply> =>
      server.post(`${paths.authorization}/subjectaccessreviews`, {
        spec: { ...may('get', 'configmaps'), ...subject },
      });
    expect(allowedIn(await ask(access.root, { user: 'eve', groups: ['ops'] }))).toBe(true);
    expect(allowedIn(await ask(access.root, { groups: ['ops'] }))).toBe(true);
    expect(allowedIn(await ask(access.root, { user: 'eve', groups: ['other'] }))).toBe(false);
    expect(await ask(access.root, {})).toMatchObject({ status: 422 });
    expect(await ask(access.al, { user: 'eve' })).toMatchObject({ status: 403 });
  });

  test('A018: another server can delegate its decisions to this one', async ({ access, paths }) => {
    const subject = { kind: 'ServiceAccount', name: 'delegate', namespace: 'a' } as const;
    const token = await access.accountToken('delegate');
    await access.root.post(`${paths.rbac}/clusterrolebindings`, {
      metadata: { name: 'delegate' },
      roleRef: { kind: 'ClusterRole', name: 'system:auth-delegator' },
      subjects: [subject],
    });
    const path = `${paths.authorization}/subjectaccessreviews`;
    const asked = { user: 'eve', groups: ['system:masters'], ...may('get', 'secrets') };
    expect(allowedIn(await access.as(token).post(path, { spec: asked }))).toBe(true);
  });

  test('A019: a local review covers its namespace only', async ({ access, paths }) => {
    await access.allow('reader', [rule('get', 'configmaps')], { kind: 'User', name: 'eve' });
    const asker = { verbs: ['create'], apiGroups: ['*'], resources: ['localsubjectaccessreviews'] };
    await access.allow('asker', [asker]);
    const ask = (namespace: string, spec: object): Promise<Reply> =>
      access.al.post(`${paths.authorization}/namespaces/${namespace}/localsubjectaccessreviews`, {
        spec: { user: 'eve', ...spec },
      });
    expect(allowedIn(await ask('a', may('get', 'configmaps')))).toBe(true);
    expect(allowedIn(await ask('a', may('list', 'configmaps')))).toBe(false);
    for (const other of [
      may('get', 'configmaps', { namespace: 'b' }),
      { nonResourceAttributes: { verb: 'get', path: '/version' } },
    ])
      expect(await ask('a', other)).toMatchObject({ status: 422 });
    expect(await ask('b', may('get', 'configmaps', { namespace: 'b' }))).toMatchObject({ status: 403 });
  });

  test('A020: callers get all their rules in a namespace', async ({ access, paths }) => {
    const mine = rule('get', 'configmaps');
    const everywhere = rule('get', 'secrets');
    const elsewhere = rule('get', 'events');
    await access.allow('mine', [mine]);
    await access.allowEverywhere('everywhere', [everywhere]);
    await access.allow('elsewhere', [elsewhere], { kind: 'User', name: 'eve' });
    const listed = async (namespace: string): Promise<unknown> => {
      const path = `${paths.authorization}/selfsubjectrulesreviews`;
      const { body } = await access.al.post(path, { spec: { namespace } });
      expect(body.status).toMatchObject({ incomplete: false });
      return (body.status as { readonly resourceRules: unknown }).resourceRules;
    };
    expect(await listed('a')).toEqual(expect.arrayContaining([mine, everywhere]));
    expect(await listed('a')).not.toContainEqual(elsewhere);
    expect(await listed('b')).toContainEqual(everywhere);
    expect(await listed('b')).not.toContainEqual(mine);
    const { status } = (
      await access.al.post(`${paths.authorization}/selfsubjectrulesreviews`, { spec: { namespace: 'a' } })
    ).body;
    expect(status).toMatchObject({
      nonResourceRules: expect.arrayContaining([
        expect.objectContaining({ verbs: ['get'], nonResourceURLs: expect.arrayContaining(['/apis/*']) }),
      ]),
    });
  });

  test('A021: groups are in the field groups', async ({ access, paths }) => {
    await access.allow('reader', [rule('get', 'configmaps')], { kind: 'Group', name: 'ops' });
    const path = `${paths.authorization}/subjectaccessreviews`;
    const spec = { user: 'eve', ...may('get', 'configmaps') };
    const named = await access.root.post(path, { spec: { ...spec, groups: ['ops'] } });
    expect(allowedIn(named)).toBe(true);
    const older = await access.root.post(path, { spec: { ...spec, group: ['ops'] } });
    expect(allowedIn(older)).toBe(false);
    expect(older.headers.get('warning')).toContain('unknown field');
  });

  test('A021: conditions of a webhook read the attributes and the groups', async ({ vocabulary }) => {
    const webhook = new ReviewWebhook(() => ({ status: { allowed: true } }));
    const authorizer = createWebhookAuthorizer({
      ambient: { clock: createManualClock(), random: createSeededRandom(4), vocabulary },
      transport: webhook,
      url: 'https://webhook.example/review',
      version: 'v1',
      matchConditions: [
        "has(request.resourceAttributes) && request.resourceAttributes.resource == 'configmaps'",
        "'dev' in request.groups",
      ],
    });
    await using api = await createTestServer({ ...accessOptions(vocabulary), authorizer: () => authorizer });
    const server = toAccessServer(api);
    expect(await server.al.get(CONFIG_MAPS)).toMatchObject({ status: 200 });
    expect(webhook.asked).toMatchObject([
      {
        apiVersion: `${groupName(vocabulary, 'authorization.')}/v1`,
        spec: { user: 'al', groups: ['dev', 'system:authenticated'] },
      },
    ]);
    expect(await server.al.get('/api/v1/namespaces/a/secrets')).toMatchObject({ status: 403 });
    expect(await server.as('bo').get(CONFIG_MAPS)).toMatchObject({ status: 403 });
    expect(webhook.asked).toHaveLength(1);
  });
});
