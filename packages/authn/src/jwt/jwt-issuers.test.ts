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
    const answer = await issuers.authenticateToken(await issuer.token());
    return answer.outcome === 'authenticated' ? answer.user.name : answer.outcome;
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
    const { name, issuer, issuers, clock, other } = await setUp();
    await name();
    const asked = issuer.asked.length;
    expect(clock.pending()).toEqual([10_000]);
    issuers.replace([configurationOf(issuer.url)]);
    expect(await name()).toBe('anna');
    // discovery of the failing one has stopped, the other one's keys are still cached
    expect([clock.pending(), issuer.asked.length]).toEqual([[], asked]);
    issuers.replace([configurationOf(issuer.url, 'new:'), configurationOf(other)]);
    expect(await name()).toBe('new:anna');
    issuers.replace([]);
    expect(await name()).toBe('none');
    expect(clock.pending()).toEqual([]);
  });

  it('keeps its issuers if a configuration is invalid', async () => {
    const { name, issuer, issuers, clock } = await setUp();
    await name();
    const wrong = [configurationOf('https://third.test'), { issuer: { url: issuer.url } }];
    expect(() => issuers.replace(wrong)).toThrow(/Required value/);
    expect(await name()).toBe('anna');
    expect(clock.pending()).toEqual([10_000]);
    issuers[Symbol.dispose]();
    expect(clock.pending()).toEqual([]);
  });
});
