import { X509Certificate } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { AdmissionPlugin } from '@ashlar/admission';
import type { SigningRequest } from '@ashlar/apis';
import { certificateSigningRequests } from '@ashlar/apis/workloads';
import { createClientCertificateAuthenticator, withAuthenticatedGroup } from '@ashlar/authn';
import type { ResourceClient } from '@ashlar/client';
import { type Ambient, decodeBase64, encodeBase64, orchVocabulary } from '@ashlar/core';
import { createSteppedClock, type SteppedClock } from '@ashlar/core/testing';
import { createNodeTransport, listen, nodeClock, nodeRandom } from '@ashlar/http-node';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiServer } from '../assembly/api-server.ts';
import type { ApiServerOptions } from '../assembly/api-server-options.ts';
import { createApiServer } from '../assembly/create-api-server.ts';
import { createSigningAuthority, type SigningAuthority, wanted } from './signing-authority.fixture.ts';

const vocabulary = orchVocabulary;
const CLIENT = 'orch.io/orch-apiserver-client';
const HOUR = 3_600_000;

const open: ApiServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

interface SigningServer {
  readonly server: ApiServer;
  readonly requests: ResourceClient<SigningRequest>;
  readonly authority: SigningAuthority;
}

async function signingServer(options: ApiServerOptions = {}): Promise<SigningServer> {
  const authority = await createSigningAuthority();
  const server = createApiServer({
    vocabulary,
    resources: [certificateSigningRequests(vocabulary)],
    certificateSigning: authority,
    ...options,
  });
  open.push(server);
  await server.ready;
  const requests = server.client.resource<SigningRequest>({
    ...{ group: 'certificates.orch.io', version: 'v1', resource: 'certificatesigningrequests' },
    kind: 'CertificateSigningRequest',
  });
  return { server, requests, authority };
}

type Spec = NonNullable<SigningRequest['spec']>;

async function ask(
  { requests }: SigningServer,
  name: string,
  request: string,
  spec: Spec = {},
): Promise<void> {
  await requests.create({
    metadata: { name },
    spec: {
      signerName: CLIENT,
      usages: ['client auth'],
      request: encodeBase64(Buffer.from(request)),
      ...spec,
    },
  });
}

async function decide({ requests }: SigningServer, name: string, type: 'Approved' | 'Denied'): Promise<void> {
  const request = await requests.get(name);
  const conditions = [{ type, status: 'True', reason: 'Test' }];
  await requests.subresource('approval').update({ ...request, status: { conditions } });
}

/** The request once it has been decided and processed. */
async function answerOf(
  { requests }: SigningServer,
  name: string,
): Promise<NonNullable<SigningRequest['status']>> {
  for await (const { object } of requests.watch({ fieldSelector: `metadata.name=${name}` })) {
    const { certificate, conditions = [] } = object.status ?? {};
    if (certificate || conditions.some(({ type }) => type === 'Failed')) return object.status ?? {};
  }
  throw new Error('the watch ended');
}

const pemOf = (status: NonNullable<SigningRequest['status']>): string =>
  Buffer.from(decodeBase64(status.certificate ?? '')).toString();

describe('a server that signs certificates', () => {
  it('issues a certificate that authenticates the approved user', async () => {
    const ambient: Ambient = { clock: nodeClock, random: nodeRandom, vocabulary };
    const signing = await signingServer({
      authenticator: () => withAuthenticatedGroup(createClientCertificateAuthenticator(ambient)),
    });
    const { request, key } = await wanted('O=dev,CN=anna');
    await ask(signing, 'anna', request);
    await decide(signing, 'anna', 'Approved');
    const certificate = pemOf(await answerOf(signing, 'anna'));

    const { authority } = signing;
    await using listener = await listen(signing.server.handler, {
      tls: {
        certificate: authority.serverCertificate,
        key: authority.serverKey,
        clientCertificateAuthorities: authority.certificate,
      },
    });
    const transport = createNodeTransport();
    const body = Buffer.from('{}');
    const response = await transport.request(
      `${listener.url}/apis/authentication.orch.io/v1/selfsubjectreviews`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        tls: { certificateAuthorities: authority.certificate, certificate, key },
      },
    );
    const { status } = JSON.parse(Buffer.from(await response.body()).toString());
    transport.close();
    expect(status.userInfo).toMatchObject({ username: 'anna', groups: ['dev', 'system:authenticated'] });
  });

  it('sets the times of conditions after plugins have seen them', async () => {
    const seen: unknown[] = [];
    const look: AdmissionPlugin = {
      name: 'Look',
      handles: ({ subresource }) => subresource === 'approval',
      admit: ({ object }) => void seen.push((object as SigningRequest).status?.conditions),
    };
    const signing = await signingServer({ admission: [look] });
    const { request } = await wanted('O=dev,CN=anna');
    await ask(signing, 'anna', request);
    await decide(signing, 'anna', 'Approved');
    expect(seen).toMatchObject([[{ type: 'Approved', lastUpdateTime: null, lastTransitionTime: null }]]);
    const { status } = await signing.requests.get('anna');
    expect(status?.conditions?.[0]?.lastTransitionTime).toMatch(/Z$/);
  });

  it('respects the requested duration within its limits', async () => {
    const signing = await signingServer({
      certificateSigning: { ...(await createSigningAuthority()), durationSeconds: 7200 },
    });
    const lifeOf = async (name: string, seconds?: number): Promise<number> => {
      const { request } = await wanted(`CN=${name}`);
      await ask(signing, name, request, seconds === undefined ? {} : { expirationSeconds: seconds });
      await decide(signing, name, 'Approved');
      const { validFrom, validTo } = new X509Certificate(pemOf(await answerOf(signing, name)));
      // it begins five minutes earlier
      return (Date.parse(validTo) - Date.parse(validFrom)) / 1000 - 300;
    };
    expect([await lifeOf('a'), await lifeOf('b', 3600), await lifeOf('c', 86_400)]).toEqual([
      7200, 3600, 7200,
    ]);
  });

  it('adds a Failed condition to requests that the signer rejects', async () => {
    const signing = await signingServer();
    const { request } = await wanted('CN=anna');
    await ask(signing, 'a', request, { usages: ['server auth'] });
    await decide(signing, 'a', 'Approved');
    const { certificate, conditions } = await answerOf(signing, 'a');
    expect(certificate).toBeUndefined();
    expect(conditions?.[1]).toMatchObject({
      ...{ type: 'Failed', status: 'True', reason: 'SignerValidationFailure' },
      message: 'invalid usage for client certificate: server auth',
    });
  });

  it('accepts nothing but certificates from signers', async () => {
    const signing = await signingServer();
    const wish = await wanted('CN=anna');
    await ask(signing, 'one', wish.request, { signerName: 'example.com/a' });
    const request = await signing.requests.get('one');
    const status = { certificate: encodeBase64(Buffer.from('hello')) };
    await expect(signing.requests.status.update({ ...request, status })).rejects.toMatchObject({
      code: 422,
      message: expect.stringContaining('must contain at least one CERTIFICATE PEM block'),
    });
  });

  it('signs nothing that is pending, denied, or for another signer', async () => {
    const signing = await signingServer();
    const { request } = await wanted('CN=anna');
    await ask(signing, 'pending', request);
    await ask(signing, 'denied', request);
    await decide(signing, 'denied', 'Denied');
    await ask(signing, 'foreign', request, { signerName: 'example.com/signer' });
    await decide(signing, 'foreign', 'Approved');
    // later requests have been processed
    await ask(signing, 'last', request);
    await decide(signing, 'last', 'Approved');
    await answerOf(signing, 'last');
    for (const name of ['pending', 'denied', 'foreign'])
      expect((await signing.requests.get(name)).status?.certificate).toBeUndefined();
  });

  it('throws if signing requests are not served, or the key does not match', async () => {
    const [authority, other] = [await createSigningAuthority(), await createSigningAuthority()];
    const begin = (options: ApiServerOptions) => () => createApiServer({ vocabulary, ...options });
    const resources = [certificateSigningRequests(vocabulary)];
    expect(begin({ certificateSigning: authority })).toThrow(
      'certificateSigning needs certificatesigningrequests, which are not served',
    );
    expect(begin({ resources, certificateSigning: { ...authority, key: other.key } })).toThrow(
      'the key does not match the certificate',
    );
    const leaf = { certificate: authority.serverCertificate, key: authority.serverKey };
    expect(begin({ resources, certificateSigning: leaf })).toThrow('the certificate is not a CA certificate');
    expect(begin({ resources, certificateSigning: { ...authority, key: 'none' } })).toThrow(
      'the key cannot be read',
    );
  });
});

describe('certificate signing requests', () => {
  const begin = Date.now();

  async function agingServer(): Promise<SigningServer & { readonly clock: SteppedClock }> {
    const clock = createSteppedClock(begin);
    return { ...(await signingServer({ ambient: { clock, random: nodeRandom, vocabulary } })), clock };
  }

  async function namesAfter(
    { requests, clock }: Awaited<ReturnType<typeof agingServer>>,
    milliseconds: number,
  ): Promise<readonly string[]> {
    clock.advance(milliseconds);
    for (let turn = 0; turn < 50; turn++) await setImmediate();
    return (await requests.list()).items.map(({ metadata }) => metadata.name ?? '');
  }

  it('are deleted an hour after the decision, or a day after creation without one', async () => {
    const signing = await agingServer();
    const { request } = await wanted('CN=anna');
    for (const name of ['denied', 'failed', 'issued', 'pending']) {
      await ask(signing, name, request, { usages: [name === 'failed' ? 'server auth' : 'client auth'] });
    }
    await decide(signing, 'denied', 'Denied');
    await decide(signing, 'failed', 'Approved');
    await decide(signing, 'issued', 'Approved');
    await answerOf(signing, 'issued');
    await answerOf(signing, 'failed');
    expect(await namesAfter(signing, HOUR - 2000)).toEqual(['denied', 'failed', 'issued', 'pending']);
    expect(await namesAfter(signing, 2000)).toEqual(['pending']);
    expect(await namesAfter(signing, 23 * HOUR - 2000)).toEqual(['pending']);
    expect(await namesAfter(signing, 2000)).toEqual([]);
  });

  it('are deleted when their certificate has expired', async () => {
    const signing = await agingServer();
    const { request } = await wanted('CN=anna');
    await ask(signing, 'a', request, { expirationSeconds: 600 });
    await decide(signing, 'a', 'Approved');
    await answerOf(signing, 'a');
    expect(await namesAfter(signing, 599_000)).toEqual(['a']);
    expect(await namesAfter(signing, 1000)).toEqual([]);
  });
});
