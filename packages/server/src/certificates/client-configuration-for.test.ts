import { createBearerAuthenticator, createStaticTokens, parseTokenFile } from '@ashlar/authn';
import { createClient } from '@ashlar/client';
import { kubernetesVocabulary } from '@ashlar/core';
import { createNodeTransport, listen, nodeAmbient } from '@ashlar/http-node';
import { expect, it } from 'vitest';
import { createApiServer } from '../assembly/create-api-server.ts';
import { clientConfigurationFor } from './client-configuration-for.ts';
import { createServingCertificate } from './serving-certificate.ts';

it('a client configuration leads to a server with a certificate of its own, as a user', async () => {
  const ambient = nodeAmbient(kubernetesVocabulary);
  const { tokens } = parseTokenFile('a-secret,anna,u-1\n');
  await using server = createApiServer({
    ambient,
    authenticator: () => createBearerAuthenticator(createStaticTokens(tokens, ambient.random)),
  });
  await server.ready;
  const { certificate, key, certificateAuthority } = await createServingCertificate({
    hosts: ['api.example.com'],
  });
  await using listener = await listen(server.handler, { tls: { certificate, key } });
  const text = clientConfigurationFor({
    server: listener.url,
    certificateAuthority,
    name: 'anna',
    token: 'a-secret',
  });
  const { clusters, users } = JSON.parse(text) as {
    clusters: { cluster: Record<string, string> }[];
    users: { name: string; user: { token: string } }[];
  };
  const transport = createNodeTransport({ tls: { certificateAuthorities: certificateAuthority } });
  const client = createClient({
    transport,
    baseUrl: clusters[0]?.cluster.server as string,
    token: users[0]?.user.token as string,
    ambient,
  });
  const reviews = client.resource({
    group: 'authentication.k8s.io',
    version: 'v1',
    resource: 'selfsubjectreviews',
    kind: 'SelfSubjectReview',
  });
  const { status } = await reviews.create({ metadata: {} });
  expect(status).toMatchObject({ userInfo: { username: 'anna' } });
  transport.close();
});

it('rejects what a client would leave out in silence', () => {
  expect(() => clientConfigurationFor({ server: 'http://127.0.0.1:8080', token: 'a' })).toThrow(
    'option "server" of clientConfigurationFor must be an https URL, since kubectl sends no token over plain HTTP, not "http://127.0.0.1:8080"',
  );
  expect(() => clientConfigurationFor({ server: 'https://h', certificate: 'a' })).toThrow('need each other');
  expect(() => clientConfigurationFor({ server: 'http://h', certificateAuthority: 'a' })).toThrow(
    'option "server" of clientConfigurationFor must be an https URL where a certificateAuthority is given, not "http://h"',
  );
});

it('asks for no verification over plain HTTP, without which the official JavaScript client refuses it', () => {
  const { clusters } = JSON.parse(clientConfigurationFor({ server: 'http://127.0.0.1:8080' })) as {
    clusters: { cluster: object }[];
  };
  expect(clusters[0]?.cluster).toEqual({
    server: 'http://127.0.0.1:8080',
    'insecure-skip-tls-verify': true,
  });
});
