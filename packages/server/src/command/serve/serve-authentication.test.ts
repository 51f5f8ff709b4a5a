import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUnionTokens } from '@ashlar/authn';
import { type Authentication, Metrics, orchVocabulary, type ServerRequest } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { afterAll, describe, expect, it } from 'vitest';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { UsageError } from '../usage-error.ts';
import { createServeAuthentication } from './serve-authentication.ts';

const root = mkdtempSync(join(tmpdir(), 'access-'));
afterAll(() => rmSync(root, { recursive: true }));
const tokens = join(root, 'tokens.csv');
writeFileSync(tokens, 'secret,alice,1,"builders,system:masters"\n\nother,bob,2\n');

const requestWith = (token?: string): ServerRequest => {
  const line = token === undefined ? undefined : `Bearer ${token}`;
  return {
    method: 'GET',
    url: '/',
    headers: {
      get: (name) => (name === 'authorization' ? line : undefined),
      all: () => [line ?? []].flat(),
      entries: () => [],
    },
    connection: { encrypted: true },
    signal: new AbortController().signal,
    body: async () => new Uint8Array(),
  };
};

async function who(flags: ServeFlags, token?: string, ownToken?: string): Promise<string> {
  const reports: string[] = [];
  const ambient = nodeAmbient(orchVocabulary);
  using made = createServeAuthentication(flags, ambient, ownToken, (text) => reports.push(text));
  const option = made.authenticator;
  const nobody = createUnionTokens([]);
  const authenticator = option({
    apiAudiences: [],
    serviceAccounts: nobody,
    bootstrap: nobody,
    metrics: new Metrics(),
  });
  const found: Authentication = await authenticator.authenticate(requestWith(token));
  return found.outcome === 'authenticated'
    ? `${found.user.name} of ${found.user.groups.join(',')}`
    : found.outcome;
}

describe('createServeAuthentication', () => {
  it('accepts the generated administrator token', async () => {
    expect(await who({}, 'own', 'own')).toBe('admin of system:masters,system:authenticated');
    expect(await who({}, 'wrong', 'own')).toBe('rejected');
  });

  it('accepts only the tokens of a token file', async () => {
    const flags = { 'token-auth-file': tokens };
    expect(await who(flags, 'secret', 'own')).toBe('alice of builders,system:masters,system:authenticated');
    expect(await who(flags, 'other')).toBe('bob of system:authenticated');
    expect(await who(flags, 'own', 'own')).toBe('rejected');
  });

  it('rejects anonymous requests under AlwaysAllow by default', async () => {
    expect(await who({}, undefined, 'own')).toBe('none');
    expect(await who({ 'anonymous-auth': true }, undefined, 'own')).toMatch(/^system:anonymous of /);
    expect(await who({ 'authorization-config': 'any' }, undefined, 'own')).toMatch(/^system:anonymous of /);
    expect(await who({ 'authorization-mode': ['AlwaysDeny'] }, undefined, 'own')).toMatch(
      /^system:anonymous of /,
    );
    expect(
      await who({ 'authorization-mode': ['AlwaysDeny'], 'anonymous-auth': false }, undefined, 'own'),
    ).toBe('none');
  });

  it('reports errors of the file', () => {
    const broken = join(root, 'broken.csv');
    writeFileSync(broken, 'token,user\n');
    const open = () =>
      createServeAuthentication(
        { 'token-auth-file': broken },
        nodeAmbient(orchVocabulary),
        undefined,
        () => {},
      );
    expect(open).toThrow(UsageError);
    expect(open).toThrow(`flag --token-auth-file: ${broken}: `);
  });
});
