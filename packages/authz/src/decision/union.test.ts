import type { AuthorizationDecision, Authorizer } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alwaysAllow, alwaysDeny } from './always.ts';
import { attributesOf } from './attributes.fixture.ts';
import { withPrivilegedGroup } from './privileged-group.ts';
import { createUnionAuthorizer } from './union.ts';

const says = (decision: AuthorizationDecision): Authorizer => ({ authorize: () => decision });

describe('createUnionAuthorizer', () => {
  it('returns the first decision, and calls no further authorizer', async () => {
    const member = fc.record({
      decision: fc.constantFrom('allow' as const, 'deny' as const, 'no-opinion' as const),
      deferred: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(member), async (members) => {
        const asked: number[] = [];
        const union = createUnionAuthorizer(
          members.map(({ decision, deferred }, i) => ({
            authorize: () => {
              asked.push(i);
              const result: AuthorizationDecision = { decision, reason: `r${i}` };
              return deferred ? Promise.resolve(result) : result;
            },
          })),
        );
        const result = union.authorize(attributesOf());
        const first = members.findIndex(({ decision }) => decision !== 'no-opinion');
        const reached = first < 0 ? members : members.slice(0, first + 1);
        expect(result instanceof Promise).toBe(reached.some(({ deferred }) => deferred));
        const settled = await result;
        expect(asked).toEqual(reached.map((_, i) => i));
        if (first >= 0) {
          expect(settled).toEqual({ decision: members[first]?.decision, reason: `r${first}` });
        } else {
          const reason = members.map((_, i) => `r${i}`).join('\n');
          expect(settled).toEqual({ decision: 'no-opinion', ...(reason && { reason }) });
        }
      }),
    );
  });

  it('collects the errors of those without an opinion, including exceptions, and continues', async () => {
    const broken: Authorizer[] = [
      says({ decision: 'no-opinion', error: new Error('a') }),
      {
        authorize: () => {
          throw new Error('b');
        },
      },
      { authorize: () => Promise.reject(new Error('c')) },
      { authorize: () => Promise.reject('c') },
    ];
    expect(await createUnionAuthorizer(broken).authorize(attributesOf())).toMatchObject({
      decision: 'no-opinion',
      error: { message: '[a, an authorizer failed]' },
    });
    expect(await createUnionAuthorizer([...broken, alwaysAllow]).authorize(attributesOf())).toEqual({
      decision: 'allow',
    });
  });

  it('passes on the signal', () => {
    const { signal } = new AbortController();
    let handed: AbortSignal | undefined;
    const member: Authorizer = {
      authorize: (_, given) => {
        handed = given;
        return { decision: 'deny' };
      },
    };
    createUnionAuthorizer([member]).authorize(attributesOf(), signal);
    expect(handed).toBe(signal);
  });
});

describe('the simple modes', () => {
  it('allow everything, or nothing', () => {
    const attributes = attributesOf();
    expect(alwaysAllow.authorize(attributes)).toEqual({ decision: 'allow' });
    expect(alwaysDeny.authorize(attributes)).toEqual({
      decision: 'no-opinion',
      reason: 'Everything is forbidden.',
    });
    expect(createUnionAuthorizer([alwaysDeny, alwaysAllow]).authorize(attributes)).toEqual({
      decision: 'allow',
    });
    expect(createUnionAuthorizer([]).authorize(attributes)).toEqual({ decision: 'no-opinion' });
  });

  it('do not affect system:masters', () => {
    const authorizer = withPrivilegedGroup(says({ decision: 'deny', reason: 'no' }));
    const master = { name: 'root', groups: ['a', 'system:masters'] };
    expect(authorizer.authorize(attributesOf({ user: master }))).toEqual({ decision: 'allow' });
    expect(authorizer.authorize(attributesOf())).toEqual({ decision: 'deny', reason: 'no' });
  });
});
