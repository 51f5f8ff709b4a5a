import { describe, expect, it } from 'vitest';
import { parseServiceAccountName, serviceAccountUserName } from './service-account-name.ts';

describe('parseServiceAccountName', () => {
  it('parses what serviceAccountUserName returns', () => {
    const account = { namespace: 'ns', name: 'robot' };
    expect(parseServiceAccountName(serviceAccountUserName(account))).toEqual(account);
  });

  it.each([
    'al',
    'system:serviceaccount:',
    'system:serviceaccount:a',
    'system:serviceaccount:a:',
    'system:serviceaccount:a:b:c',
    'system:serviceaccount:A:b',
    'system:serviceaccount:a.b:c',
    'system:serviceaccount:a:b_',
  ])('does not parse %s', (user) => expect(parseServiceAccountName(user)).toBeUndefined());
});
