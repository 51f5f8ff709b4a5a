import { createTestServer } from '@ashlar/testing';
import { expect } from 'vitest';
import { CONFIG_MAPS } from '../clause-server.fixture.ts';
import { accessOptions, forEachAccess, toAccessServer } from './access-server.fixture.ts';
import { createTokenWebhookServer } from './token-webhook-server.fixture.ts';

const UNAUTHORIZED = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Unauthorized',
  reason: 'Unauthorized',
  code: 401,
};

forEachAccess('Errors of access', (test) => {
  test('A149: an unknown token is 401', async ({ access }) => {
    for (const path of ['/version', CONFIG_MAPS, '/nothing']) {
      const { status, body } = await access.as('nobody').get(path);
      expect([status, body]).toEqual([401, UNAUTHORIZED]);
    }
  });

  test('A149: a rejected caller gets 401, without the reason', async ({ vocabulary }) => {
    const error = new Error('the claim "hd" has not the value that is required');
    await using api = await createTestServer({
      ...accessOptions(vocabulary),
      authenticator: () => ({ authenticate: () => ({ outcome: 'rejected', error }) }),
    });
    const { status, body } = await toAccessServer(api).al.get('/version');
    expect([status, body]).toEqual([401, UNAUTHORIZED]);
  });

  test.for([undefined, '', 'revoked'])(
    'A149: a token that a webhook rejects is 401, with the reason %j too',
    async (error, { vocabulary }) => {
      const answer = () => ({ status: { authenticated: false, error } });
      await using made = await createTokenWebhookServer(vocabulary, answer);
      const { status, body } = await made.server.as('t').get('/version');
      expect([status, body]).toEqual([401, UNAUTHORIZED]);
    },
  );

  test.for(['deny', 'no-opinion'] as const)(
    'A150: %s is 403 after all retries',
    async (decision, { vocabulary }) => {
      await using api = await createTestServer({
        ...accessOptions(vocabulary),
        authorizer: () => ({ authorize: () => ({ decision, reason: 'because' }) }),
      });
      const { status, body } = await toAccessServer(api).al.get(CONFIG_MAPS);
      expect(status).toBe(403);
      expect(body).toMatchObject({ kind: 'Status', reason: 'Forbidden', code: 403 });
      expect(body.message).toMatch(/User "al" cannot list resource "configmaps".*: because$/);
    },
  );
});
