import { orchVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import type { JwtConfiguration } from './authentication-configuration.ts';
import { FakeIssuer } from './jwt-issuer.fixture.ts';
import { createJwtIssuers } from './jwt-issuers.ts';

const configurationOf = (url: string, prefix = ''): JwtConfiguration => ({
  issuer: { url, audiences: ['server'] },
  claimMappings: { username: { claim: 'sub', prefix } },
});

async function setUp() {
  const issuer = new FakeIssuer();
  await issuer.rotate('one');
  const clock = createSteppedClock(0);
  const other = 'https://missing.test';
  const issuers = createJwtIssuers([configurationOf(other), configurationOf(issuer.url)], {
    ambient: { clock, vocabulary: orchVocabulary },
    transport: issuer.transport,
    algorithms: ['ES256'],
  });
  const name = async (): Promise<unknown> => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    const result = await issuers.authenticateToken(await issuer.token());
    return result.outcome === 'authenticated' ? result.user.name : result.outcome;
  };
  return { issuer, issuers, clock, other, name };
}

describe('createJwtIssuers', () => {
  it('selects the issuer of a token', async () => {
    const { name, issuers } = await setUp();
    expect(await name()).toBe('anna');
    expect(await issuers.authenticateToken('x')).toEqual({ outcome: 'none' });
  });

  it('changes issuers, and keeps unchanged ones', async () => {
    const { name, issuer, issuers, clock } = await setUp();
    await name();
    const asked = issuer.asked.length;
    expect(clock.pending()).toEqual([10_000]);
    await issuers.replace([configurationOf(issuer.url)]);
    expect(await name()).toBe('anna');
    // discovery of the failing one has stopped, the other one's keys are still cached
    expect([clock.pending(), issuer.asked.length]).toEqual([[], asked]);
    await issuers.replace([configurationOf(issuer.url, 'new:')]);
    expect(await name()).toBe('new:anna');
    await issuers.replace([]);
    expect(await name()).toBe('none');
    expect(clock.pending()).toEqual([]);
  });

  it('keeps its issuers if a configuration is invalid', async () => {
    const { name, issuer, issuers, clock } = await setUp();
    await name();
    const wrong = [configurationOf('https://third.test'), { issuer: { url: issuer.url } }];
    await expect(issuers.replace(wrong)).rejects.toThrow(/Required value/);
    expect(await name()).toBe('anna');
    expect(clock.pending()).toEqual([10_000]);
    issuers[Symbol.dispose]();
    expect(clock.pending()).toEqual([]);
  });

  it('authenticates by the old issuers until each new one has been found', async () => {
    const { name, issuer, issuers, clock, other } = await setUp();
    const next = [configurationOf(issuer.url, 'new:'), configurationOf(other, 'new:')];
    const replaced = issuers.replace(next);
    expect(await name()).toBe('anna');
    issuer.documents.set(`${other}/.well-known/openid-configuration`, {
      issuer: other,
      jwks_uri: `${other}/keys`,
    });
    clock.advance(10_000);
    await replaced;
    expect([await name(), clock.pending()]).toEqual(['new:anna', []]);
  });

  it('keeps its issuers if a new one is not found within a minute, or they are closed meanwhile', async () => {
    const { name, issuer, issuers, clock } = await setUp();
    const third = 'https://third.test';
    const next = [configurationOf(issuer.url, 'new:'), configurationOf(third)];
    const late = expect(issuers.replace(next)).rejects.toThrow(/"https:\/\/third.test" cannot be found: /);
    await name();
    clock.advance(60_000);
    await late;
    expect(await name()).toBe('anna');
    const closed = expect(issuers.replace(next)).rejects.toThrow('the issuers have been closed');
    await name();
    issuers[Symbol.dispose]();
    await closed;
    expect(clock.pending()).toEqual([]);
  });

  it('ends the search for new issuers by a signal, for the next ones', async () => {
    const { name, issuer, issuers, clock } = await setUp();
    const newer = new AbortController();
    const ended = expect(
      issuers.replace([configurationOf('https://third.test')], newer.signal),
    ).rejects.toThrow('newer');
    const replaced = issuers.replace([configurationOf(issuer.url, 'new:')]);
    await name();
    newer.abort(new Error('newer'));
    await ended;
    await replaced;
    expect([await name(), clock.pending()]).toEqual(['new:anna', []]);
  });
});
