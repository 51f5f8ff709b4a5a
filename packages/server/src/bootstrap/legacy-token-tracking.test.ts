import { createBearerAuthenticator } from '@ashlar/authn';
import type { Client } from '@ashlar/client';
import { type ApiObject, kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { importJWK, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import type { ApiServer } from '../assembly/api-server.ts';
import { createApiServer } from '../assembly/create-api-server.ts';
import { generateServiceAccountKey } from '../certificates/service-account-signing-keys.ts';

const signingKey = generateServiceAccountKey().key;
const today = (): string => new Date().toISOString().slice(0, 10);
const AUTOMATIC =
  '299 - "Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens."';

const resource = (client: Client, plural: string) =>
  client
    .resource<ApiObject & Record<string, unknown>>({ group: '', version: 'v1', resource: plural })
    .namespace('default');

/** A secret with a token of the account `robot`. */
async function createToken(server: ApiServer, secret: string): Promise<string> {
  const { name, labelDomain } = server.vocabulary;
  const accounts = resource(server.client, 'serviceaccounts');
  const robot = (await accounts.list({ fieldSelector: 'metadata.name=robot' })).items[0];
  const { metadata } = robot ?? (await accounts.create({ metadata: { name: 'robot' } }));
  const prefix = `${labelDomain}/serviceaccount`;
  const token = await new SignJWT({
    iss: `${name}/serviceaccount`,
    sub: 'system:serviceaccount:default:robot',
    [`${prefix}/namespace`]: 'default',
    [`${prefix}/secret.name`]: secret,
    [`${prefix}/service-account.name`]: 'robot',
    [`${prefix}/service-account.uid`]: metadata.uid,
  })
    .setProtectedHeader({ alg: signingKey.algorithm })
    .sign(await importJWK(signingKey.privateKey, signingKey.algorithm));
  await resource(server.client, 'secrets').create({
    metadata: { name: secret, annotations: { [`${labelDomain}/service-account.name`]: 'robot' } },
    type: `${labelDomain}/service-account-token`,
    stringData: { token },
  });
  return token;
}

interface Audited {
  readonly annotations: ReadonlyMap<string, string>;
}

async function startServer(vocabulary: Vocabulary, audited: Audited[] = []): Promise<ApiServer> {
  const server = createApiServer({
    vocabulary,
    serviceAccounts: { issuers: ['https://issuer.example'], signingKey },
    authenticator: ({ serviceAccounts }) => createBearerAuthenticator(serviceAccounts),
    audit: (event) => void audited.push(event),
  });
  await server.ready;
  return server;
}

const get = (server: ApiServer, token: string): Promise<Response> =>
  server.fetch(
    new Request('http://server/api/v1/namespaces/default/configmaps', {
      headers: { authorization: `Bearer ${token}` },
    }),
  );

const labelsOf = async (server: ApiServer, secret: string): Promise<unknown> =>
  (await resource(server.client, 'secrets').get(secret)).metadata.labels;

describe.each([kubernetesVocabulary, orchVocabulary])('the use of legacy tokens, in $name', (vocabulary) => {
  const { labelDomain, namespacePrefix } = vocabulary;

  test('is noted in the labels of their secrets and in audit annotations', async () => {
    const audited: Audited[] = [];
    const server = await startServer(vocabulary, audited);
    const token = await createToken(server, 'manual');
    const response = await get(server, token);
    expect([response.status, response.headers.get('warning')]).toEqual([200, null]);
    await expect
      .poll(() => labelsOf(server, 'manual'))
      .toEqual({ [`${labelDomain}/legacy-token-last-used`]: today() });
    const domain = `authentication.${labelDomain}`;
    expect(audited.map(({ annotations }) => Object.fromEntries(annotations))).toContainEqual(
      expect.objectContaining({
        [`${domain}/legacy-token`]: 'system:serviceaccount:default:robot',
        [`${domain}/legacy-token-manual-secret`]: 'manual',
      }),
    );
    await server.close();
  });

  test('warns of tokens that were made for their account, and refuses those that are marked invalid', async () => {
    const server = await startServer(vocabulary);
    const token = await createToken(server, 'automatic');
    const patch = { secrets: [{ name: 'automatic' }] };
    await resource(server.client, 'serviceaccounts').patch('robot', { type: 'merge', patch });
    const response = await get(server, token);
    expect([response.status, response.headers.get('warning')]).toEqual([200, AUTOMATIC]);
    const labels = { [`${labelDomain}/legacy-token-invalid-since`]: '2026-01-01' };
    const marked = { metadata: { labels } };
    await resource(server.client, 'secrets').patch('automatic', { type: 'merge', patch: marked });
    expect((await get(server, token)).status).toBe(401);
    await server.close();
  });

  test('is published to be noted since the first start', async () => {
    const server = await startServer(vocabulary);
    const maps = server.client
      .resource<ApiObject & { data?: object }>({ group: '', version: 'v1', resource: 'configmaps' })
      .namespace(`${namespacePrefix}-system`);
    const name = `${namespacePrefix}-apiserver-legacy-service-account-token-tracking`;
    const data = async () => (await maps.list({ fieldSelector: `metadata.name=${name}` })).items[0]?.data;
    expect(await data()).toEqual({ since: today() });
    await server.close();
  });
});
