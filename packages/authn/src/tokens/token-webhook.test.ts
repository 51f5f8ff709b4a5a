import { type Ambient, type Authentication, orchVocabulary, type Transport } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { createTokenWebhook, type TokenWebhookOptions } from './token-webhook.ts';

type Reply = { readonly status?: number; readonly body?: unknown } | 'down';

const V1BETA1 = 'authentication.orch.io/v1beta1';
const known = (more: object = {}, apiVersion = V1BETA1): Reply => ({
  body: {
    kind: 'TokenReview',
    apiVersion,
    status: { authenticated: true, user: { username: 'anna' }, ...more },
  },
});
const unknown = (error?: string): Reply => known({ authenticated: false, user: {}, error });

const PART = 'a part of the response is not an object';

/** A webhook that returns its replies one after the other, the last one repeatedly. */
function setUp(replies: readonly Reply[], options: Partial<TokenWebhookOptions> = {}) {
  const clock = createSteppedClock(0);
  const asked: { readonly spec: unknown; readonly apiVersion: unknown; readonly headers: unknown }[] = [];
  const errors: string[] = [];
  const transport: Transport = {
    async request(_url, { body, headers }) {
      const reply = replies[Math.min(asked.length, replies.length - 1)] as Reply;
      asked.push({ ...JSON.parse(new TextDecoder().decode(body)), headers });
      if (reply === 'down') throw new Error('connect ECONNREFUSED');
      const bytes = new TextEncoder().encode(
        typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body),
      );
      return {
        status: reply.status ?? 201,
        headers: {},
        body: async () => bytes,
        async *stream() {
          yield bytes;
        },
      };
    },
  };
  const ambient: Ambient = { clock, random: { bytes: (into) => into.fill(3) }, vocabulary: orchVocabulary };
  const webhook = createTokenWebhook({
    ...{ ambient, transport, url: 'https://hook.test/x' },
    onError: ({ message }) => errors.push(message),
    ...options,
  });
  const ask = async (token: string, audiences?: readonly string[]): Promise<Authentication> => {
    const result = Promise.resolve(webhook.authenticateToken(token, audiences));
    let done = false;
    void result.finally(() => {
      done = true;
    });
    // runs pauses between attempts
    for (let turn = 0; turn < 200 && !done; turn++) {
      await Promise.resolve();
      const [next] = clock.pending();
      if (next !== undefined && next < 10_000 && turn % 20 === 19) clock.advance(next);
    }
    return result;
  };
  return { ask, asked, errors, clock };
}

describe('createTokenWebhook', () => {
  it('sends a token review', async () => {
    const user = { username: 'anna', uid: 'u', groups: ['a'], extra: { k: ['v'] } };
    const { ask, asked } = setUp([known({ user })], { token: 'own' });
    expect(await ask('secret')).toEqual({
      outcome: 'authenticated',
      user: { name: 'anna', uid: 'u', groups: ['a'], extra: { k: ['v'] } },
    });
    expect(asked).toMatchObject([
      { apiVersion: V1BETA1, spec: { token: 'secret' }, headers: { authorization: 'Bearer own' } },
    ]);
  });

  it('uses the configured version, and accepts no other', async () => {
    const v1 = 'authentication.orch.io/v1';
    expect(await setUp([known({}, v1)], { version: 'v1' }).ask('t')).toMatchObject({
      outcome: 'authenticated',
    });
    const { ask, asked, errors } = setUp([known({}, v1)]);
    expect(await ask('t')).toMatchObject({ outcome: 'rejected' });
    expect(asked).toHaveLength(1);
    expect(errors).toEqual([`the token webhook failed: the response is not a TokenReview of "${V1BETA1}"`]);
  });

  it.each([
    [['api'], ['api', 'x'], ['api']],
    [['api'], undefined, ['api']],
    [['api'], ['x'], undefined],
    [['x'], ['x', 'y'], ['x']],
    [['x'], undefined, undefined],
  ])('for audiences %j and response %j returns %j', async (asked, named, given) => {
    const { ask } = setUp([known(named && { audiences: named })], { apiAudiences: ['api'] });
    expect(await ask('t', asked)).toMatchObject(
      given ? { outcome: 'authenticated', audiences: given } : { outcome: 'none' },
    );
  });

  it('retries temporary errors, with a limit', async () => {
    const passing = setUp(['down', { status: 503, body: 'no' }, { status: 429, body: 'no' }, known()]);
    expect(await passing.ask('t')).toMatchObject({ outcome: 'authenticated' });
    expect([passing.asked.length, passing.errors]).toEqual([4, []]);
    const down = setUp(['down']);
    expect(await down.ask('secret')).toMatchObject({ outcome: 'rejected' });
    expect(down.asked).toHaveLength(5);
    expect(down.errors).toEqual(['the token webhook failed: connect ECONNREFUSED']);
    expect(await down.ask('secret')).toMatchObject({ outcome: 'rejected' });
    expect(down.asked).toHaveLength(10);
  });

  it.each([
    [{ status: 400, body: {} }, 'the response has the status 400'],
    [{ body: '<html>' }, 'the response is not JSON'],
    [{ body: 'null' }, `the response is not a TokenReview of "${V1BETA1}"`],
    [known({ user: {} }), 'the response names no user'],
    [known({ user: { username: 'anna', uid: 5 } }), 'the uid of the response is not a string'],
    [{ body: { kind: 'TokenReview', apiVersion: V1BETA1, spec: 'x' } }, PART],
    [{ body: { kind: 'TokenReview', apiVersion: V1BETA1, metadata: [] } }, PART],
    [
      known({ user: { username: 'a', groups: 'b' } }),
      'a list of the response holds something else than strings',
    ],
  ])('rejects %j immediately', async (reply, why) => {
    const { ask, asked, errors } = setUp([reply]);
    expect(await ask('secret')).toMatchObject({ outcome: 'rejected' });
    expect([asked.length, errors]).toEqual([1, [`the token webhook failed: ${why}`]]);
  });

  it('caches results of both kinds for two minutes, by token and audiences', async () => {
    for (const reply of [known(), unknown(), unknown('revoked')]) {
      const { ask, asked, clock } = setUp([reply]);
      const first = await ask('t');
      expect(await ask('t')).toEqual(first);
      clock.advance(119_999);
      expect(await ask('t')).toEqual(first);
      expect(asked).toHaveLength(1);
      await ask('t', ['a']);
      await ask('u');
      expect(asked).toHaveLength(3);
      clock.advance(2);
      await ask('t');
      expect(asked).toHaveLength(4);
    }
  });

  it('reports why a token is not authenticated', async () => {
    expect(await setUp([unknown('revoked')]).ask('t')).toMatchObject({ error: { message: 'revoked' } });
    expect(await setUp([unknown()]).ask('t')).toEqual({ outcome: 'none' });
  });
});
