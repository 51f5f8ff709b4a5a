import { alwaysDeny } from '@ashlar/authz';
import { Metrics, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { authorizerOf } from './authorization-modes.ts';

describe('authorizerOf', () => {
  const verdict = async (flags: ServeFlags, groups: readonly string[] = []): Promise<string> => {
    const attributes = {
      user: { name: 'u', groups },
      verb: 'get',
      isResourceRequest: false,
      apiGroup: '',
      apiVersion: '',
      resource: '',
      subresource: '',
      namespace: '',
      name: '',
      path: '/',
    };
    const option = authorizerOf(flags, orchVocabulary, () => {});
    const authorizer = option({ rbac: () => alwaysDeny, node: alwaysDeny, metrics: new Metrics() });
    return (await authorizer.authorize(attributes)).decision;
  };

  it('runs authorizers in order, after allowing system:masters', async () => {
    expect(await verdict({})).toBe('allow');
    expect(await verdict({ 'authorization-mode': ['AlwaysDeny'] })).not.toBe('allow');
    expect(await verdict({ 'authorization-mode': ['AlwaysDeny'] }, ['system:masters'])).toBe('allow');
    expect(await verdict({ 'authorization-mode': ['AlwaysDeny', 'AlwaysAllow'] })).toBe('allow');
  });
});
