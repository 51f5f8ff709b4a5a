import { createClient, createFetchTransport, webAmbient } from '@ashlar/client';
import { kubernetesVocabulary } from '@ashlar/core';
import { expect, it } from 'vitest';
import { createApiServer } from './create-api-server.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' };

it('a client over fetch reads, writes and watches', async () => {
  await using server = createApiServer({ vocabulary: kubernetesVocabulary });
  await server.ready;
  const transport = createFetchTransport((url, request) => server.fetch(new Request(url, request)));
  const ambient = webAmbient(kubernetesVocabulary);
  const client = createClient({ transport, baseUrl: 'http://server', ambient });
  const maps = client.resource(configMaps).namespace('default');
  const made = await maps.create({ metadata: { name: 'a' } });
  expect((await maps.get('a')).metadata.uid).toBe(made.metadata.uid);
  for await (const { type, object } of maps.watch()) {
    expect([type, object.metadata.name]).toEqual(['ADDED', 'a']);
    break;
  }
  await expect(maps.get('b')).rejects.toThrow('configmaps "b" not found');
  const request = { method: 'GET', tls: { insecure: true } };
  await expect(transport.request('http://server/', request)).rejects.toThrow(
    'option "tls" of a request over fetch must be left out: the platform decides it, not an object with the members insecure',
  );
  expect(ambient.random.bytes(new Uint8Array(16)).some((byte) => byte !== 0)).toBe(true);
});
