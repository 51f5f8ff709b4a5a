import type { TLSSocket } from 'node:tls';
import { expect, it } from 'vitest';
import {
  type RemoteService,
  startRemoteService,
} from '../../../packages/server/src/assembly/remote-identity.fixture.ts';
import { CertificateAuthority } from './certificate-authority.fixture.ts';
import { forEachVocabulary } from './clause-command.fixture.ts';
import { webhookFile } from './webhook-file.fixture.ts';

const FILE = '--authentication-token-webhook-config-file';
const VERSION = '--authentication-token-webhook-version';
const TTL = '--authentication-token-webhook-cache-ttl';

interface Asked {
  readonly from: unknown;
  readonly review: { readonly apiVersion: string; readonly kind: string; readonly spec: object };
}

forEachVocabulary('Webhook contract for token authentication', ({ vocabulary, serve, refusal, file }) => {
  const group = `authentication.${vocabulary.groupDomain}`;

  /** A service that authenticates the token `known`, and its requests. */
  async function startService(
    clientAuthority?: string,
  ): Promise<RemoteService & { readonly reviews: Asked[] }> {
    const reviews: Asked[] = [];
    const service = await startRemoteService(
      (request, text, response) => {
        const review = JSON.parse(text);
        const { CN } = (request.socket as TLSSocket).getPeerCertificate().subject ?? {};
        reviews.push({ from: CN, review });
        const { apiVersion, kind, spec } = review;
        const user = { username: 'anna', groups: ['dev'] };
        const status = spec.token === 'known' ? { authenticated: true, user } : { authenticated: false };
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ apiVersion, kind, status }));
      },
      clientAuthority === undefined ? {} : { clientAuthority },
    );
    return { ...service, reviews, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
  }

  it('A096: a review in JSON is posted to the service, whose status decides', async () => {
    await using service = await startService();
    await using server = await serve(FILE, file(webhookFile(service)), '--api-audiences=api,more');
    expect(await server.who({ token: 'known' })).toEqual({
      username: 'anna',
      groups: ['dev', 'system:authenticated'],
    });
    expect(await server.who({ token: 'unknown' })).toBe(401);
    expect(service.asked).toEqual(['POST /review', 'POST /review']);
    expect(service.reviews.map(({ review }) => review)).toMatchObject(
      ['known', 'unknown'].map((token) => ({
        apiVersion: `${group}/v1beta1`,
        kind: 'TokenReview',
        spec: { token, audiences: ['api', 'more'] },
      })),
    );
  });

  it('A096: the file contains the URL, the CA and the credentials', async () => {
    const authority = await CertificateAuthority.create();
    const { certificate, key } = await authority.issue('api-server');
    await using service = await startService(authority.pem);
    const shown = { 'client-certificate': file(certificate), 'client-key': file(key) };
    await using server = await serve(FILE, file(webhookFile(service, shown)));
    expect(await server.who({ token: 'known' })).toMatchObject({ username: 'anna' });
    expect(service.reviews.map(({ from }) => from)).toEqual(['api-server']);

    const stranger = {
      ...service,
      certificates: { ...service.certificates, certificateAuthority: authority.pem },
    };
    await using distrusting = await serve(FILE, file(webhookFile(stranger, shown)));
    expect(await distrusting.who({ token: 'known' })).toBe(401);
    expect(distrusting.stderr).toContain('the token webhook failed');
    expect(service.reviews).toHaveLength(1);
  });

  it('A096: the flags configure the version', async () => {
    await using service = await startService();
    for (const [flags, version] of [
      [[], 'v1beta1'],
      [[`${VERSION}=v1beta1`], 'v1beta1'],
      [[`${VERSION}=v1`], 'v1'],
    ] as const) {
      await using server = await serve(FILE, file(webhookFile(service)), ...flags);
      await server.who({ token: 'known' });
      expect(service.reviews.at(-1)?.review.apiVersion).toBe(`${group}/${version}`);
    }
    expect(await refusal(`${VERSION}=v2`)).toContain('v2 is neither v1 nor v1beta1');
  });

  it('A096: responses are cached, or not at all if the flag is 0', async () => {
    await using service = await startService();
    for (const [flags, calls] of [
      [[], 1],
      [[`${TTL}=0s`], 2],
    ] as const) {
      await using server = await serve(FILE, file(webhookFile(service)), ...flags);
      const before = service.reviews.length;
      for (let i = 0; i < 2; i++) expect(await server.who({ token: 'unknown' })).toBe(401);
      expect([flags, service.reviews.length - before]).toEqual([flags, calls]);
    }
  });

  it('A096: the other flags require the file', async () => {
    for (const flag of [`${VERSION}=v1`, `${TTL}=1m`])
      expect(await refusal(flag)).toContain(`${flag.split('=')[0]} needs ${FILE}`);
    expect(await refusal(FILE, file('current-context: none'))).toContain(`flag ${FILE}: `);
  });
});
