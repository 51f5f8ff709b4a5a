import { type Authentication, Metrics, orchVocabulary, type UserInfo } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import type { JwtConfiguration } from '../jwt/authentication-configuration.ts';
import { FakeIssuer } from '../jwt/jwt-issuer.fixture.ts';
import { createJwtIssuers } from '../jwt/jwt-issuers.ts';
import { withJwtMetrics } from '../jwt/jwt-metrics.ts';
import { withTokenCache } from '../tokens/token-cache.ts';
import { createTokenCacheMetrics } from '../tokens/token-cache-metrics.ts';
import { withAuthenticationMetrics } from './authentication-metrics.ts';
import { fakeRequest } from './fake-request.fixture.ts';

/** Lines of metrics without comments and buckets. */
const linesOf = (metrics: Metrics): readonly string[] =>
  metrics
    .text()
    .split('\n')
    .filter((line) => line !== '' && !/^#|_bucket/.test(line));

const userOf = (name: string): Authentication => ({ outcome: 'authenticated', user: { name, groups: [] } });

describe('the metrics of authentication', () => {
  it('count authenticated requests, by kinds of names', async () => {
    const clock = createSteppedClock();
    const metrics = new Metrics();
    const results: (Authentication | Error)[] = [];
    const authenticator = withAuthenticationMetrics(
      {
        async authenticate() {
          clock.advance(500);
          const result = results.shift();
          if (!result || result instanceof Error) throw result;
          return result;
        },
      },
      { metrics, ambient: { clock, vocabulary: orchVocabulary } },
    );
    const ask = (result: Authentication | Error): unknown => {
      results.push(result);
      return authenticator.authenticate(fakeRequest());
    };
    const names = ['admin', 'anna', 'kube_proxy', 'a@b.example', 'system:serviceaccount:orch-system:default'];
    for (const name of names) expect(await ask(userOf(name))).toMatchObject({ user: { name } });
    await ask({ outcome: 'none' });
    await ask({ outcome: 'rejected', error: new Error('wrong') });
    await expect(ask(new Error('broken'))).rejects.toThrow('broken');
    expect(linesOf(metrics)).toEqual([
      'authenticated_user_requests{username="admin"} 1',
      'authenticated_user_requests{username="other"} 2',
      'authenticated_user_requests{username="email_id"} 1',
      'authenticated_user_requests{username="system:serviceaccount:orch-system:default"} 1',
      'authentication_attempts{result="success"} 5',
      'authentication_attempts{result="failure"} 1',
      'authentication_attempts{result="error"} 2',
      'authentication_duration_seconds_sum{result="success"} 2.5',
      'authentication_duration_seconds_count{result="success"} 5',
      'authentication_duration_seconds_sum{result="failure"} 0.5',
      'authentication_duration_seconds_count{result="failure"} 1',
      'authentication_duration_seconds_sum{result="error"} 1',
      'authentication_duration_seconds_count{result="error"} 2',
    ]);
  });

  it('do not count token reviews', () => {
    const user: UserInfo = { name: 'anna', groups: [] };
    const inner = { user, authenticate: () => userOf('x'), authenticateToken: () => userOf(user.name) };
    const ambient = { clock: createSteppedClock(), vocabulary: orchVocabulary };
    const counted = withAuthenticationMetrics(inner, { metrics: new Metrics(), ambient });
    expect(counted.authenticateToken?.('t')).toEqual(userOf('anna'));
  });
});

describe('the metrics of token caches', () => {
  it('count hits, requests and waiting callers', async () => {
    const clock = createSteppedClock();
    const metrics = new Metrics();
    const result: ((found: Authentication | Error) => void)[] = [];
    const cache = withTokenCache(
      {
        authenticateToken: () =>
          new Promise((resolve, reject) =>
            result.push((found) => (found instanceof Error ? reject(found) : resolve(found))),
          ),
      },
      {
        ambient: { clock, random: { bytes: (into) => into.fill(7) } },
        metrics: createTokenCacheMetrics(metrics, clock),
      },
    );
    const active = (): readonly string[] => linesOf(metrics).filter((line) => line.includes('_active_'));
    const waiting = [cache.authenticateToken('a'), cache.authenticateToken('a')];
    expect(active()).toEqual([
      'authentication_token_cache_active_fetch_count{status="blocked"} 2',
      'authentication_token_cache_active_fetch_count{status="in_flight"} 1',
    ]);
    clock.advance(250);
    result[0]?.(userOf('anna'));
    await Promise.all(waiting);
    expect(cache.authenticateToken('a')).toEqual(userOf('anna'));
    const wrong = cache.authenticateToken('b');
    result[1]?.({ outcome: 'rejected', error: new Error('wrong') });
    await wrong;
    const broken = cache.authenticateToken('c');
    result[2]?.(new Error('down'));
    await expect(broken).rejects.toThrow('down');
    expect(linesOf(metrics)).toEqual([
      'authentication_token_cache_active_fetch_count{status="blocked"} 0',
      'authentication_token_cache_active_fetch_count{status="in_flight"} 0',
      'authentication_token_cache_fetch_total{status="ok"} 1',
      'authentication_token_cache_fetch_total{status="error"} 2',
      'authentication_token_cache_request_duration_seconds_sum{status="miss"} 0.5',
      'authentication_token_cache_request_duration_seconds_count{status="miss"} 4',
      'authentication_token_cache_request_duration_seconds_sum{status="hit"} 0',
      'authentication_token_cache_request_duration_seconds_count{status="hit"} 1',
      'authentication_token_cache_request_total{status="miss"} 4',
      'authentication_token_cache_request_total{status="hit"} 1',
    ]);
  });
});

describe('the metrics of issuers', () => {
  it('measure their tokens, and no others', async () => {
    const issuer = new FakeIssuer();
    await issuer.rotate('one');
    const clock = createSteppedClock();
    const metrics = new Metrics();
    const configuration: JwtConfiguration = {
      issuer: { url: issuer.url, audiences: ['server'] },
      claimMappings: { username: { claim: 'sub', prefix: '' } },
    };
    using issuers = createJwtIssuers([configuration], {
      ...{ ambient: { clock, vocabulary: orchVocabulary }, transport: issuer.transport },
      algorithms: ['ES256'],
    });
    const tokens = withJwtMetrics(issuers, { metrics, clock });
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    expect(await tokens.authenticateToken(await issuer.token())).toMatchObject({ user: { name: 'anna' } });
    await tokens.authenticateToken(await issuer.token({ aud: 'another' }));
    await tokens.authenticateToken(await issuer.token({ iss: 'https://another.test' }));
    await tokens.authenticateToken('no token');
    // SHA-256 of https://issuer.test
    const hash = 'sha256:2a3897fff194c942756d6bb9045430f18b9cd79d6d90d122ba1d6bc63c70c115';
    const name = 'apiserver_authentication_jwt_authenticator_latency_seconds_count';
    expect(linesOf(metrics).filter((line) => line.startsWith(name))).toEqual([
      `${name}{result="success",jwt_issuer_hash="${hash}"} 1`,
      `${name}{result="failure",jwt_issuer_hash="${hash}"} 1`,
    ]);
  });
});
