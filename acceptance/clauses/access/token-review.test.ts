import { groupName } from '@ashlar/core';
import { expect } from 'vitest';
import type { ClauseServer, Reply } from '../clause-server.fixture.ts';
import { type AccessServer, AUDIENCE, forEachAccess } from './access-server.fixture.ts';
import { createTokenWebhookServer } from './token-webhook-server.fixture.ts';
import type { ReviewAnswer } from './webhook.fixture.ts';

const known = (more: object = {}): object => ({
  status: { authenticated: true, user: { username: 'anna' }, ...more },
});

/** The user that the server returns for a caller. */
async function who(server: ClauseServer, authentication: string): Promise<unknown> {
  const { body } = await server.post(`${authentication}/selfsubjectreviews`, {});
  return (body.status as { readonly userInfo: unknown }).userInfo;
}

forEachAccess('TokenReview', (test) => {
  const review = (server: AccessServer, authentication: string, spec: object): Promise<Reply> =>
    server.root.post(`${authentication}/tokenreviews`, { spec });

  test('A008: a webhook is called in v1beta1 by default, and in v1 on request', async ({ vocabulary }) => {
    const group = groupName(vocabulary, 'authentication.');
    for (const [options, version] of [
      [{}, 'v1beta1'],
      [{ version: 'v1beta1' }, 'v1beta1'],
      [{ version: 'v1' }, 'v1'],
    ] as const) {
      await using made = await createTokenWebhookServer(vocabulary, () => known(), options);
      expect(await made.server.as('t').get('/version')).toMatchObject({ status: 200 });
      expect(made.webhook.asked).toMatchObject([{ apiVersion: `${group}/${version}`, kind: 'TokenReview' }]);
    }
  });

  test('A008: a review that is posted is of the group and kind', async ({ access, paths, vocabulary }) => {
    const apiVersion = `${groupName(vocabulary, 'authentication.')}/v1`;
    const path = `${paths.authentication}/tokenreviews`;
    const spec = { token: 'al' };
    expect(await access.root.post(path, { apiVersion, kind: 'TokenReview', spec })).toMatchObject({
      status: 201,
      body: { apiVersion, kind: 'TokenReview' },
    });
    for (const other of [
      { apiVersion: 'authentication.example.com/v1', kind: 'TokenReview' },
      { apiVersion, kind: 'Review' },
    ])
      expect(await access.root.post(path, { ...other, spec })).toMatchObject({ status: 400 });
  });

  test('A009: a token is verified as an opaque string', async ({ access, paths, vocabulary }) => {
    const tokens = ['plain', 'a.b.c', '{"json":true}', '!~/+=', 'x'.repeat(4000)];
    await using made = await createTokenWebhookServer(vocabulary, ({ spec }) =>
      known({ user: { username: `of ${spec.token}` } }),
    );
    for (const token of tokens)
      expect(await who(made.server.as(token), paths.authentication)).toMatchObject({
        username: `of ${token}`,
      });
    expect(made.webhook.asked.map(({ spec }) => spec.token)).toEqual(tokens);
    expect(await review(access, paths.authentication, {})).toMatchObject({
      status: 400,
      body: { message: 'token is required for TokenReview in authentication' },
    });
  });

  test('A009: a review preserves what it does not determine of a submitted status', async ({
    access,
    paths,
  }) => {
    const status = { authenticated: true, error: 'e', audiences: ['x'], user: { username: 'u' } };
    const reviewed = async (token: string): Promise<unknown> => {
      const body = { spec: { token }, status };
      return (await access.root.post(`${paths.authentication}/tokenreviews`, body)).body.status;
    };
    expect(await reviewed('al')).toMatchObject({ authenticated: true, error: 'e', user: { username: 'al' } });
    const refused = await reviewed('nobody');
    expect(refused).not.toHaveProperty('authenticated');
    expect(refused).toMatchObject({
      error: expect.stringContaining('invalid bearer token'),
      audiences: ['x'],
      user: { username: 'u' },
    });
  });

  test('A010: a token is valid for one of the requested audiences', async ({ access, paths }) => {
    const accounts = '/api/v1/namespaces/a/serviceaccounts';
    await access.root.post(accounts, { metadata: { name: 'robot' } });
    const { body } = await access.root.post(`${accounts}/robot/token`, {
      spec: { audiences: ['vault', 'database'] },
    });
    const { token } = body.status as { readonly token: string };
    const status = async (audiences: readonly string[]): Promise<unknown> =>
      (await review(access, paths.authentication, { token, audiences })).body.status;
    expect(await status(['database', 'else'])).toMatchObject({
      authenticated: true,
      audiences: ['database'],
    });
    expect(await status(['else', 'database', 'vault'])).toMatchObject({
      audiences: expect.toSatisfy((list: string[]) => [...list].sort().join() === 'database,vault'),
    });
    for (const other of [['else'], []])
      expect(await status(other)).toMatchObject({ user: {}, error: expect.stringContaining('invalid') });
    expect(await access.as(token).get('/version')).toMatchObject({ status: 401 });
  });

  test('A010: without audiences it is verified for the server itself', async ({ access, paths }) => {
    const token = await access.accountToken('robot');
    const { status } = (await review(access, paths.authentication, { token })).body;
    expect(status).toMatchObject({ authenticated: true, audiences: [AUDIENCE] });
    expect(await access.as(token).get('/version')).toMatchObject({ status: 200 });
  });

  test('A011: a review returns whether the token is valid', async ({ access, paths, vocabulary }) => {
    const { body } = await review(access, paths.authentication, { token: 'al' });
    expect(body.status).toMatchObject({ authenticated: true });
    const unknown = await review(access, paths.authentication, { token: 'nobody' });
    expect(unknown).toMatchObject({ status: 201 });
    expect(unknown.body.status).not.toHaveProperty('authenticated');
    for (const [authenticated, status] of [
      [true, 200],
      [false, 401],
      [undefined, 401],
    ] as const) {
      await using made = await createTokenWebhookServer(vocabulary, () => known({ authenticated }));
      expect(await made.server.as('t').get('/version')).toMatchObject({ status });
    }
  });

  test('A012: a user has a name, and may have more', async ({ access, paths, vocabulary }) => {
    const { body } = await review(access, paths.authentication, { token: 'al' });
    expect(body.status).toMatchObject({
      user: {
        username: 'al',
        uid: '1',
        groups: ['dev', 'system:authenticated'],
        extra: { scopes: ['one', 'two'] },
      },
    });
    const user = { username: 'anna', uid: 'u', groups: ['g'], extra: { k: ['v'] } };
    for (const [received, expected] of [
      [user, { ...user, groups: ['g', 'system:authenticated'] }],
      [{ username: 'anna' }, { username: 'anna', groups: ['system:authenticated'] }],
    ]) {
      await using made = await createTokenWebhookServer(vocabulary, () => known({ user: received }));
      expect(await who(made.server.as('t'), paths.authentication)).toEqual(expected);
    }
    const { username: _, ...nameless } = user;
    await using made = await createTokenWebhookServer(vocabulary, () => known({ user: nameless }));
    expect(await made.server.as('t').get('/version')).toMatchObject({ status: 401 });
  });

  /** Of everyone but the administrator who posts reviews. */
  const ofOthers =
    (answer: object): ReviewAnswer =>
    ({ spec }) =>
      spec.token === 'root' ? known() : answer;

  test('A013: a verifier returns the audiences of a token', async ({ paths, vocabulary }) => {
    for (const [audiences, status] of [
      [[AUDIENCE, 'else'], { authenticated: true, audiences: [AUDIENCE] }],
      [undefined, { authenticated: true, audiences: [AUDIENCE] }],
      [['else'], { user: {}, error: 'invalid bearer token' }],
    ] as const) {
      await using made = await createTokenWebhookServer(vocabulary, ofOthers(known({ audiences })));
      const spec = { token: 't', audiences: [AUDIENCE] };
      expect((await review(made.server, paths.authentication, spec)).body.status).toMatchObject(status);
      expect(made.webhook.asked.at(-1)).toMatchObject({ spec });
      const reached = 'authenticated' in status ? 200 : 401;
      expect(await made.server.as('t').get('/version')).toMatchObject({ status: reached });
    }
  });

  test('A014: the reason of a rejection is in the review only', async ({ paths, vocabulary }) => {
    for (const [error, text] of [
      ['revoked', '[invalid bearer token, revoked]'],
      [undefined, 'invalid bearer token'],
    ]) {
      const answer = ofOthers(known({ authenticated: false, error }));
      await using made = await createTokenWebhookServer(vocabulary, answer);
      const { body } = await review(made.server, paths.authentication, { token: 't' });
      expect(body.status).toEqual({ user: {}, error: text });
      expect(await made.server.as('t').get('/version')).toMatchObject({
        status: 401,
        body: { message: 'Unauthorized', reason: 'Unauthorized' },
      });
    }
  });

  test('A014: an error beside an authenticated user is ignored', async ({ paths, vocabulary }) => {
    await using made = await createTokenWebhookServer(vocabulary, () => known({ error: 'no matter' }));
    expect(await who(made.server.as('t'), paths.authentication)).toMatchObject({ username: 'anna' });
    const { body } = await review(made.server, paths.authentication, { token: 't' });
    expect(body.status).not.toHaveProperty('error');
  });

  test('A015: a response in another version is invalid', async ({ vocabulary }) => {
    const group = groupName(vocabulary, 'authentication.');
    for (const version of ['v1', 'v1beta1'] as const)
      for (const answered of ['v1', 'v1beta1']) {
        const answer = (): object => ({ ...known(), apiVersion: `${group}/${answered}` });
        await using made = await createTokenWebhookServer(vocabulary, answer, { version });
        const status = version === answered ? 200 : 401;
        expect(await made.server.as('t').get('/version')).toMatchObject({ status });
      }
  });
});
