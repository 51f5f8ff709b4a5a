import { openConnection, parseClientConfiguration } from '@ashlar/client';
import { orchVocabulary, type TransportRequest } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { expect, it } from 'vitest';
import { clientConfiguration } from './client-configuration.ts';

it('is understood by clients', async () => {
  const identity = { certificateAuthority: 'PEM', token: 'secret', certificate: '', key: '' };
  const text = clientConfiguration('https://localhost:6443', identity);
  const sent: TransportRequest[] = [];
  const transport = {
    async request(_url: string, request: TransportRequest) {
      sent.push(request);
      const body = async () => new Uint8Array();
      return { status: 200, headers: {}, body, stream: async function* () {} };
    },
  };
  const configuration = parseClientConfiguration(new TextEncoder().encode(text));
  const connection = openConnection(configuration, { transport, ambient: nodeAmbient(orchVocabulary) });
  expect(connection.baseUrl).toBe('https://localhost:6443');
  await connection.transport.request(connection.baseUrl, { method: 'GET' });
  expect(sent).toEqual([
    { method: 'GET', headers: { authorization: 'Bearer secret' }, tls: { certificateAuthorities: 'PEM' } },
  ]);
});
