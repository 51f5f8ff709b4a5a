import type { Authentication, Authenticator } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBearerAuthenticator } from '../tokens/bearer-token.ts';
import { createStaticTokens } from '../tokens/static-tokens.ts';
import { parseTokenFile } from '../tokens/token-file.ts';
import { isAnonymousEnabled, withAnonymous } from './anonymous.ts';
import { withAuthenticatedGroup } from './authenticated-group.ts';
import { fakeRequest, fixedAmbient, withToken } from './fake-request.fixture.ts';
import { createUnionAuthenticator, createUnionTokens } from './union.ts';

type Step = 'none' | 'rejected' | 'authenticated';

const answerOf = (step: Step, i: number): Authentication =>
  step === 'authenticated'
    ? { outcome: 'authenticated', user: { name: `u${i}`, groups: [] } }
    : step === 'rejected'
      ? { outcome: 'rejected', error: new Error(`e${i % 2}`) }
      : { outcome: 'none' };

const broken: readonly Authenticator[] = [
  {
    authenticate: () => {
      throw new Error('broken');
    },
  },
  { authenticate: () => Promise.reject(new Error('broken')) },
];

describe('createUnionAuthenticator', () => {
  it('continues if a member throws, and rethrows if no other authenticates', async () => {
    const knows: Authenticator = { authenticate: () => answerOf('authenticated', 0) };
    const rejects: Authenticator = { authenticate: () => answerOf('rejected', 0) };
    for (const member of broken) {
      const known = createUnionAuthenticator([member, rejects, knows]).authenticate(fakeRequest());
      expect(await known).toMatchObject({ outcome: 'authenticated' });
      const unknown = async () => createUnionAuthenticator([member, rejects]).authenticate(fakeRequest());
      await expect(unknown()).rejects.toThrow('broken');
    }
  });

  it('returns the first user; else the rejections; else nothing', async () => {
    const steps = fc.array(
      fc.tuple(fc.constantFrom<Step>('none', 'rejected', 'authenticated'), fc.boolean()),
    );
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const asked: number[] = [];
        const members = plan.map(
          ([step, deferred], i): Authenticator => ({
            authenticate: () => {
              asked.push(i);
              const result = answerOf(step, i);
              return deferred ? Promise.resolve(result) : result;
            },
          }),
        );
        const result = createUnionAuthenticator(members).authenticate(fakeRequest());
        const first = plan.findIndex(([step]) => step === 'authenticated');
        const reached = first < 0 ? plan : plan.slice(0, first + 1);
        expect(result instanceof Promise).toBe(reached.some(([, deferred]) => deferred));
        const settled = await result;
        expect(asked).toEqual(reached.map((_, i) => i));
        const errors = [...new Set(plan.flatMap(([step], i) => (step === 'rejected' ? [`e${i % 2}`] : [])))];
        if (first >= 0) expect(settled).toMatchObject({ user: { name: `u${first}` } });
        else if (errors.length === 0) expect(settled).toEqual({ outcome: 'none' });
        else {
          const message = errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`;
          expect(settled).toMatchObject({ outcome: 'rejected', error: { message } });
        }
      }),
    );
  });

  it('joins token authenticators equally', () => {
    const { random } = fixedAmbient();
    const tokens = createUnionTokens(
      ['a,anna,1', 'b,bertil,2'].map((text) => createStaticTokens(parseTokenFile(text).tokens, random)),
    );
    expect(tokens.authenticateToken('b')).toMatchObject({ user: { name: 'bertil' } });
    expect(tokens.authenticateToken('c')).toEqual({ outcome: 'none' });
  });
});

describe('the usual chain', () => {
  const { tokens } = parseTokenFile(
    'good,anna,1,"system:authenticated"\nother,bertil,2,dev\nnobody,system:anonymous,3',
  );
  const bearer = createBearerAuthenticator(createStaticTokens(tokens, fixedAmbient().random));
  const chain = withAnonymous(withAuthenticatedGroup(bearer));
  const groupsFor = (token: string): unknown => {
    const result = chain.authenticate(withToken(token)) as Authentication;
    return result.outcome === 'authenticated' ? result.user.groups : result.outcome;
  };

  it('adds the group of all authenticated users, once', () => {
    expect(groupsFor('good')).toEqual(['system:authenticated']);
    expect(groupsFor('other')).toEqual(['dev', 'system:authenticated']);
    expect(groupsFor('nobody')).toEqual([]);
    const [once, twice] = [1, 2].map(() => chain.authenticate(withToken('other')) as { user?: unknown });
    expect(once?.user).toBe(twice?.user);
  });

  it('authenticates requests without credentials, and rejects wrong credentials', () => {
    expect(chain.authenticate(fakeRequest())).toEqual({
      outcome: 'authenticated',
      user: { name: 'system:anonymous', groups: ['system:unauthenticated'] },
    });
    expect(groupsFor('wrong')).toBe('rejected');
  });

  it('adds the group to asynchronous results, too', async () => {
    const deferred = withAnonymous(
      withAuthenticatedGroup({ authenticate: async () => answerOf('authenticated', 1) }),
    );
    expect(await deferred.authenticate(fakeRequest())).toMatchObject({
      user: { groups: ['system:authenticated'] },
    });
    const nothing = withAnonymous({ authenticate: async () => answerOf('none', 1) });
    expect(await nothing.authenticate(fakeRequest())).toMatchObject({ user: { name: 'system:anonymous' } });
  });
});

describe('anonymous callers', () => {
  const chain = withAnonymous({ authenticate: () => answerOf('none', 0) }, { paths: ['/livez', '/a b'] });

  it.each([
    ['/livez', true],
    ['/livez?verbose', true],
    ['/a%20b', true],
    ['/livez/', false],
    ['/livez/ping', false],
    ['/', false],
    ['/%', false],
  ])('of %s: %s, if paths are configured', (url, admitted) => {
    expect(chain.authenticate(fakeRequest({ url }))).toMatchObject({
      outcome: admitted ? 'authenticated' : 'none',
    });
  });

  it.each([
    [undefined, ['RBAC'], true],
    [undefined, [], true],
    [undefined, ['AlwaysAllow'], false],
    [true, ['AlwaysAllow'], true],
    [false, ['RBAC'], false],
  ])('configured as %s under %j: %s', (asked, modes, enabled) => {
    expect(isAnonymousEnabled(asked, modes)).toBe(enabled);
  });
});
