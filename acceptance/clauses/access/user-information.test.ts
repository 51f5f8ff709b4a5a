import type { AuthorizationAttributes, AuthorizationDecision, UserInfo, Vocabulary } from '@ashlar/core';
import { expect } from 'vitest';
import { CONFIG_MAPS } from '../clause-server.fixture.ts';
import { type AccessServer, forEachAccess, rule } from './access-server.fixture.ts';
import { createAccessServer } from './create-access-server.fixture.ts';

/** The users that an authorizer and an admission plugin get. */
interface Received {
  readonly authorizer: UserInfo[];
  readonly admission: UserInfo[];
}

forEachAccess('User information attributes', (test) => {
  async function recordingServer(
    vocabulary: Vocabulary,
    user: UserInfo,
  ): Promise<AccessServer & AsyncDisposable & { readonly received: Received }> {
    const received: Received = { authorizer: [], admission: [] };
    const authorize = (attributes: AuthorizationAttributes): AuthorizationDecision => {
      received.authorizer.push(attributes.user);
      return { decision: 'allow' };
    };
    const admit = (request: { readonly user: UserInfo }): undefined =>
      void received.admission.push(request.user);
    const server = await createAccessServer(vocabulary, {
      authenticator: () => ({ authenticate: () => ({ outcome: 'authenticated', user }) }),
      authorizer: () => ({ authorize }),
      admission: [{ name: 'Told', handles: ({ resource }) => resource.resource === 'configmaps', admit }],
    });
    for (const list of Object.values(received)) list.length = 0;
    return { ...server, received: received };
  }

  test('A003: a user name identifies a user', async ({ access, paths }) => {
    await access.allow('readers', [rule('list', 'configmaps')]);
    const { body } = await access.al.post(`${paths.authentication}/selfsubjectreviews`, {});
    expect(body.status).toMatchObject({ userInfo: { username: 'al' } });
    expect(await access.al.get(CONFIG_MAPS)).toMatchObject({ status: 200 });
    const refused = await access.as('bo').get(CONFIG_MAPS);
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.body.message).toContain('User "bo" cannot list resource "configmaps"');
  });

  test('A004: a recreated account has the same name, and another uid', async ({ access, paths }) => {
    const who = async (token: string): Promise<unknown> => {
      const { body } = await access.as(token).post(`${paths.authentication}/selfsubjectreviews`, {});
      return (body.status as { readonly userInfo: unknown }).userInfo;
    };
    const account = '/api/v1/namespaces/a/serviceaccounts/robot';
    const before = await access.accountToken('robot');
    const { uid } = (await access.root.get(account)).body.metadata;
    expect(await who(before)).toMatchObject({ username: 'system:serviceaccount:a:robot', uid });
    await access.root.delete(account);
    const after = await access.accountToken('robot');
    const { uid: other } = (await access.root.get(account)).body.metadata;
    expect(other).not.toBe(uid);
    expect(await who(after)).toMatchObject({ username: 'system:serviceaccount:a:robot', uid: other });
    expect(await access.as(before).get('/version')).toMatchObject({ status: 401 });
  });

  test('A005: permissions of a group apply to its members', async ({ access }) => {
    await access.allow('developers', [rule('list', 'configmaps')], { kind: 'Group', name: 'dev' });
    expect(await access.al.get(CONFIG_MAPS)).toMatchObject({ status: 200 });
    expect(await access.as('bo').get(CONFIG_MAPS)).toMatchObject({ status: 403 });
  });

  test('A006: extra fields are passed to authorizers and admission', async ({ vocabulary }) => {
    const user = { name: 'u', groups: [], extra: { 'example.com/scopes': ['one', 'two'], empty: [] } };
    await using server = await recordingServer(vocabulary, user);
    await server.anonymous.configMap('x');
    expect(server.received.authorizer.map(({ extra }) => extra)).toEqual([user.extra]);
    expect(server.received.admission.map(({ extra }) => extra)).toEqual([user.extra]);
  });

  test('A006: extra fields name a credential and do not contain it', async ({
    access,
    paths,
    vocabulary,
  }) => {
    const token = await access.accountToken('robot');
    const [, payload = ''] = token.split('.');
    const { jti } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const { text, body } = await access.as(token).post(`${paths.authentication}/selfsubjectreviews`, {});
    expect(body.status).toMatchObject({
      userInfo: { extra: { [`authentication.${vocabulary.labelDomain}/credential-id`]: [`JTI=${jti}`] } },
    });
    for (const part of token.split('.')) expect(text).not.toContain(part);
  });

  test('A007: values are passed unchanged', async ({ vocabulary }) => {
    const user = {
      name: ' Ünal  system:masters\t',
      uid: 'not a uuid, 0',
      groups: ['system:', 'a,b', 'Ω'],
      extra: { 'Ke y': ['v,w', ''] },
    };
    await using server = await recordingServer(vocabulary, user);
    await server.anonymous.configMap('x');
    expect(server.received).toEqual({ authorizer: [user], admission: [user] });
  });

  test('A007: all authenticated users are in system:authenticated, and no others', async ({
    access,
    paths,
  }) => {
    const path = `${paths.authentication}/selfsubjectreviews`;
    const groups = async (server: AccessServer['root']): Promise<unknown> =>
      ((await server.post(path, {})).body.status as { readonly userInfo: { groups: unknown } }).userInfo
        .groups;
    expect(await groups(access.al)).toEqual(['dev', 'system:authenticated']);
    expect(await groups(access.as('bo'))).toEqual(['system:authenticated']);
    expect(await groups(access.as(await access.accountToken('robot')))).toEqual([
      'system:serviceaccounts',
      'system:serviceaccounts:a',
      'system:authenticated',
    ]);
    const everybody = { kind: 'Group', name: 'system:unauthenticated' } as const;
    await access.allowEverywhere(
      'asking',
      [{ verbs: ['create'], apiGroups: ['*'], resources: ['selfsubjectreviews'] }],
      everybody,
    );
    expect(await groups(access.anonymous)).toEqual(['system:unauthenticated']);
  });
});
