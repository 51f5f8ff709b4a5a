import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Metrics, orchVocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createApiServer } from '../../assembly/create-api-server.ts';
import {
  type RemoteIssuer,
  startRemoteIssuer,
  startRemoteService,
} from '../../assembly/remote-identity.fixture.ts';
import { FilesFolder } from '../files-folder.fixture.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { createServeAuthentication } from './serve-authentication.ts';

const folder = new FilesFolder();
afterAll(() => folder[Symbol.dispose]());
const { file } = folder;

const REVIEWS = 'http://server/apis/authentication.orch.io/v1/selfsubjectreviews';

/** A server with the authentication of these flags. */
function start(flags: ServeFlags) {
  const reports: string[] = [];
  const authentication = createServeAuthentication(
    { 'anonymous-auth': false, ...flags },
    nodeAmbient(orchVocabulary),
    undefined,
    (text) => reports.push(text),
  );
  const server = createApiServer({ authenticator: authentication.authenticator, apiAudiences: ['api'] });
  authentication.follow(server.metrics);
  return {
    reports,
    metrics: () => server.metrics.text(),
    /** The user of a token, or the status of the rejection. */
    async who(token?: string): Promise<unknown> {
      const headers = { 'content-type': 'application/json' };
      const response = await server.fetch(
        new Request(REVIEWS, {
          method: 'POST',
          headers: token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` },
          body: '{}',
        }),
      );
      const body = (await response.json()) as { status?: { userInfo?: unknown } };
      return response.ok ? body.status?.userInfo : response.status;
    },
    async [Symbol.asyncDispose]() {
      authentication[Symbol.dispose]();
      await server.close();
    },
  };
}

const configurationOf = ({ url, certificates }: RemoteIssuer, prefix: string, more: object = {}): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.orch.io/v1beta1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: { url, audiences: ['server'], certificateAuthority: certificates.certificateAuthority },
        claimMappings: { username: { claim: 'sub', prefix } },
      },
    ],
    ...more,
  });

describe('issuers by flags', () => {
  it('are discovered over HTTPS, and their keys may change', async () => {
    await using issuer = await startRemoteIssuer();
    await using server = start({
      'oidc-issuer-url': issuer.url,
      'oidc-client-id': 'server',
      'oidc-ca-file': file(issuer.certificates.certificateAuthority),
      'oidc-signing-algs': ['ES256'],
      'oidc-groups-claim': 'roles',
      'oidc-required-claim': new Map([['hd', 'home']]),
    });
    const claims = { hd: 'home', roles: ['dev'] };
    const expected = { username: `${issuer.url}#anna`, groups: ['dev', 'system:authenticated'] };
    await vi.waitFor(async () => expect(await server.who(issuer.token(claims))).toEqual(expected), {
      timeout: 60_000,
    });
    expect(await server.who(issuer.token())).toBe(401);
    expect(server.reports.join('')).toContain('ashlar: a token is rejected: the token has no claim "hd"\n');
    const before = issuer.token(claims);
    issuer.rotate();
    expect(await server.who(issuer.token({ ...claims, sub: 'bob' }))).toMatchObject({
      username: `${issuer.url}#bob`,
    });
    expect(await server.who(before)).toBe(401);
    const received = server.metrics();
    const latency = 'apiserver_authentication_jwt_authenticator_latency_seconds_count';
    for (const result of ['success', 'failure'])
      expect(received).toMatch(
        new RegExp(`${latency}\\{result="${result}",jwt_issuer_hash="sha256:[0-9a-f]{64}"\\} \\d`),
      );
    expect(received).toMatch(/authentication_token_cache_fetch_total\{status="ok"\} \d/);
    expect(issuer.asked.filter((line) => line === 'GET /keys').length).toBeGreaterThan(1);
  });

  it('are rejected if their TLS certificate is not trusted', async () => {
    await using issuer = await startRemoteIssuer();
    await using other = await startRemoteIssuer();
    await using server = start({
      'oidc-issuer-url': issuer.url,
      'oidc-client-id': 'server',
      'oidc-ca-file': file(other.certificates.certificateAuthority),
      'oidc-signing-algs': ['ES256'],
    });
    await vi.waitFor(() => expect(server.reports.join('')).toMatch(/cannot be found: .*certificate/), {
      timeout: 60_000,
    });
    expect(await server.who(issuer.token())).toBe(401);
    expect(server.reports.join('')).not.toContain(issuer.token().split('.')[1]);
  });

  it.each([
    [{ 'oidc-client-id': 'a' }, /--oidc-client-id needs --oidc-issuer-url/],
    [{ 'oidc-issuer-url': 'https://a' }, /--oidc-issuer-url needs --oidc-client-id/],
    [{ 'oidc-issuer-url': 'http://a', 'oidc-client-id': 'a' }, /URL scheme must be https/],
    [
      { 'oidc-issuer-url': 'https://orch.default.svc', 'oidc-client-id': 'a' },
      /the issuer is that of the tokens of service accounts/,
    ],
    [
      { 'authentication-config': file('{}'), 'oidc-client-id': 'a' },
      /--authentication-config cannot be combined with --oidc-client-id/,
    ],
    [{ 'authentication-config': file('{}') }, /^flag --authentication-config: Object 'Kind' is missing/],
    [
      { 'authentication-config': join(folder.path, 'none') },
      /^flag --authentication-config: .*cannot be read/,
    ],
  ] satisfies [ServeFlags, RegExp][])('%j are rejected', (flags, text) => {
    expect(() => start(flags)).toThrow(text);
  });
});

describe('issuers by a file', () => {
  it('reload; an invalid text changes nothing and is counted', async () => {
    await using issuer = await startRemoteIssuer();
    const path = file(configurationOf(issuer, 'one:'));
    await using server = start({ 'authentication-config': path });
    const name = async (sub: string): Promise<unknown> =>
      ((await server.who(issuer.token({ sub }))) as { username?: unknown }).username;
    await vi.waitFor(async () => expect(await name('a')).toBe('one:a'), 5_000);
    expect(server.metrics()).not.toContain('automatic_reload');

    writeFileSync(path, '{"kind": broken');
    await vi.waitFor(
      () => expect(server.metrics()).toMatch(/reloads_total\{.*status="failure"\} 1\n/),
      10_000,
    );
    expect(server.reports.join('')).toContain('was not reloaded');
    expect(await name('b')).toBe('one:b');

    writeFileSync(path, configurationOf(issuer, 'another:'));
    await vi.waitFor(async () => expect(await name('c')).toBe('another:c'), 10_000);
    expect(server.metrics()).toMatch(
      /apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds\{apiserver_id_hash="",status="success"\} \d/,
    );
  }, 40_000);

  it('configure anonymous requests, instead of the flag', async () => {
    await using issuer = await startRemoteIssuer();
    const path = file(configurationOf(issuer, '', { anonymous: { enabled: true } }));
    expect(() => start({ 'authentication-config': path })).toThrow(/and so does --anonymous-auth/);
    const reports: string[] = [];
    const authentication = createServeAuthentication(
      { 'authentication-config': path },
      nodeAmbient(orchVocabulary),
      undefined,
      (text) => reports.push(text),
    );
    await using server = createApiServer({ authenticator: authentication.authenticator });
    const response = await server.fetch(new Request('http://server/version'));
    expect(response.status).toBe(200);

    authentication.follow(new Metrics());
    writeFileSync(path, configurationOf(issuer, '', { anonymous: { enabled: false } }));
    await vi.waitFor(
      () =>
        expect(reports.join('')).toContain('anonymous: Forbidden: changed from initial configuration file'),
      10_000,
    );
    expect((await server.fetch(new Request('http://server/version'))).status).toBe(200);
    authentication[Symbol.dispose]();
  });
});

describe('a token webhook', () => {
  const configuration = (url: string, authority: string): string =>
    file(
      JSON.stringify({
        clusters: [
          {
            name: 'c',
            cluster: { server: url, 'certificate-authority-data': Buffer.from(authority).toString('base64') },
          },
        ],
        users: [{ name: 'u', user: {} }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      }),
    );

  it('authenticates tokens: it may be slow, wrong or down', async () => {
    let failures = 2;
    const service = await startRemoteService((_request, body, response) => {
      const { apiVersion, kind, spec } = JSON.parse(body);
      const result = (content: unknown): void => void response.end(JSON.stringify(content));
      if (spec.token === 'flaky' && failures-- > 0) return void response.writeHead(503).end();
      if (spec.token === 'wrong') return result({ apiVersion: 'v1', kind: 'Pod' });
      const authenticated = spec.token !== 'unknown';
      const user = authenticated ? { username: spec.token, groups: spec.audiences } : {};
      const review = { apiVersion, kind, status: { authenticated, user } };
      if (spec.token === 'slow') setTimeout(() => result(review), 300);
      else result(review);
    });
    await using server = start({
      'authentication-token-webhook-config-file': configuration(
        `${service.url}/review`,
        service.certificates.certificateAuthority,
      ),
      'authentication-token-webhook-version': 'v1',
    });
    const groups = ['api', 'system:authenticated'];
    expect(await server.who('anna')).toEqual({ username: 'anna', groups });
    expect(await server.who('slow')).toEqual({ username: 'slow', groups });
    expect(await server.who('flaky')).toEqual({ username: 'flaky', groups });
    expect(await server.who('unknown')).toBe(401);
    expect(await server.who('wrong')).toBe(401);
    const asked = service.asked.length;
    expect(await server.who('anna')).toEqual({ username: 'anna', groups });
    expect(await server.who('unknown')).toBe(401);
    expect(service.asked.length).toBe(asked);
    await service[Symbol.asyncDispose]();
    expect(await server.who('anna')).toEqual({ username: 'anna', groups });
    expect(await server.who('secret')).toBe(401);
    expect(server.reports.join('')).toMatch(/the token webhook failed: .*TokenReview[\s\S]*ECONN/);
    expect(server.reports.join('')).not.toContain('secret');
  }, 40_000);
});
