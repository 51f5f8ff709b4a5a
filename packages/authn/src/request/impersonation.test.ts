import { type RequestHeaders, kubernetesVocabulary as vocabulary } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImpersonationWithoutUserError, readImpersonation } from './impersonation.ts';

const CALLER = { name: 'admin', groups: ['system:masters'] };

function headers(lines: readonly (readonly [string, string])[]): RequestHeaders {
  return {
    get: (name) => lines.find(([each]) => each === name)?.[1],
    all: (name) => lines.flatMap(([each, value]) => (each === name ? [value] : [])),
    entries: () => lines,
  };
}

const read = (...lines: (readonly [string, string])[]) =>
  readImpersonation(headers(lines), CALLER, vocabulary);

describe('readImpersonation', () => {
  it('ignores requests without its headers, and an empty user', () => {
    expect(read(['accept', '*/*'])).toBeUndefined();
    expect(read(['impersonate-user', ''])).toBeUndefined();
  });

  it('lists all required permissions, in order', () => {
    const found = read(
      ['impersonate-user', 'bob'],
      ['impersonate-group', 'ops'],
      ['impersonate-extra-example.com%2fteam', 'a'],
      ['impersonate-extra-example.com%2fteam', 'b'],
      ['impersonate-uid', '7'],
    );
    expect(found?.user).toEqual({
      name: 'bob',
      groups: ['ops', 'system:authenticated'],
      uid: '7',
      extra: { 'example.com/team': ['a', 'b'] },
    });
    expect(
      found?.checks.map(({ verb, apiGroup, resource, subresource, name }) =>
        [verb, apiGroup, resource, subresource, name].join(' '),
      ),
    ).toEqual([
      'impersonate  users  bob',
      'impersonate  groups  ops',
      'impersonate authentication.k8s.io userextras example.com/team a',
      'impersonate authentication.k8s.io userextras example.com/team b',
      'impersonate authentication.k8s.io uids  7',
    ]);
  });

  it('decodes UTF-8, and accepts decoded values', () => {
    const bytes = 'zo\u00c3\u00ab';
    const found = read(
      ['impersonate-user', bytes],
      ['impersonate-group', bytes],
      ['impersonate-uid', 'zo\u00eb \u20ac'],
      ['impersonate-extra-a', bytes],
    );
    expect(found?.user).toMatchObject({
      ...{ name: 'zo\u00eb', uid: 'zo\u00eb \u20ac', extra: { a: ['zo\u00eb'] } },
      groups: ['zo\u00eb', 'system:authenticated'],
    });
  });

  it('recognises service accounts by name', () => {
    const found = read(['impersonate-user', 'system:serviceaccount:ns:robot']);
    expect(found?.checks).toMatchObject([{ resource: 'serviceaccounts', namespace: 'ns', name: 'robot' }]);
    expect(found?.user.groups).toEqual([
      'system:serviceaccounts',
      'system:serviceaccounts:ns',
      'system:authenticated',
    ]);
  });

  it('does not combine both groups by default', () => {
    expect(read(['impersonate-user', 'system:anonymous'])?.user.groups).toEqual(['system:unauthenticated']);
    expect(
      read(['impersonate-user', 'system:anonymous'], ['impersonate-group', 'system:authenticated'])?.user
        .groups,
    ).toEqual(['system:authenticated', 'system:unauthenticated']);
  });

  it.each([['impersonate-group'], ['impersonate-uid'], ['impersonate-extra-x']])(
    'rejects %s without a user',
    (name) => expect(() => read([name, 'v'])).toThrow(ImpersonationWithoutUserError),
  );

  it('prints what is requested without a user as references', () => {
    const extra = ['impersonate-extra-a%2fb', 'v'] as const;
    expect(() =>
      read(['impersonate-group', 'x'], ['impersonate-group', 'y'], extra, ['impersonate-uid', '7']),
    ).toThrow(
      'requested [{Group  x    } {Group  y    } {UserExtra  v  authentication.k8s.io/v1  a/b} {UID  7  authentication.k8s.io/v1  }] without impersonating a user',
    );
  });

  it('keeps bytes that are no UTF-8 apart: with replacements different users would be one', () => {
    const user = (name: string) => read(['impersonate-user', name])?.user.name;
    expect(user('zo\u00eb')).toBe('zo\udceb');
    expect(new Set(['zo\u00eb', 'zo\u00ec', 'zo\u00c3\u00ab', 'zo\u00ef\u00bf\u00bd'].map(user)).size).toBe(
      4,
    );
  });

  it('throws nothing else', () => {
    const line = fc.tuple(
      fc.oneof(
        fc.constantFrom('impersonate-user', 'impersonate-group', 'impersonate-uid'),
        fc.string().map((key) => `impersonate-extra-${key}`),
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        try {
          const found = read(...lines);
          expect(found?.checks.every(({ user }) => user === CALLER) ?? true).toBe(true);
        } catch (error) {
          const documented = [ImpersonationWithoutUserError];
          expect(documented.some((kind) => error instanceof kind)).toBe(true);
        }
      }),
    );
  });
});
