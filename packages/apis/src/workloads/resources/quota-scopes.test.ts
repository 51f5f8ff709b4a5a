import { printFieldValue } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { printedScopes, scopesErrors } from './quota-scopes.ts';

const messagesOf = (...scopes: string[]): string[] =>
  scopesErrors({ hard: { pods: '1' }, scopes }, 'spec').map(({ message }) => message);

describe('the scopes of a quota', () => {
  it('are shown whole in the error of one of them', () => {
    expect(messagesOf('Terminating', 'Other')).toEqual([
      'Invalid value: []core.ResourceQuotaScope{"Terminating", "Other"}: unsupported scope',
    ]);
    expect(messagesOf('BestEffort', 'NotBestEffort')).toEqual([
      'Invalid value: []core.ResourceQuotaScope{"BestEffort", "NotBestEffort"}: conflicting scopes',
    ]);
  });

  it('are shown if there are none, but not if there are very many', () => {
    expect(printFieldValue(printedScopes(undefined))).toBe('[]core.ResourceQuotaScope(nil)');
    expect(printFieldValue(printedScopes(Array(3000).fill('Terminating')))).toBe('[...]');
  });
});
