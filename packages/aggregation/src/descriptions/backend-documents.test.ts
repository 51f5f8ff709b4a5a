import { orchVocabulary, type Transport } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import type { BackendConnection } from '../backends/call-backend.ts';
import { BackendDocuments } from './backend-documents.ts';

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: unknown;
}

const ambient = {
  clock: createSteppedClock(),
  random: { bytes: () => new Uint8Array() },
  vocabulary: orchVocabulary,
};
const AGGREGATED = 'application/json;g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList';

/** A server with these answers by path. */
function backend(answers: Readonly<Record<string, Answer>>): BackendConnection {
  const transport: Transport = {
    async request(url) {
      const answer = answers[new URL(url).pathname];
      const { type = 'application/json', body = {} } = answer ?? {};
      const bytes = new TextEncoder().encode(JSON.stringify(body));
      return {
        status: answer ? (answer.status ?? 200) : 404,
        headers: { 'content-type': type },
        body: async () => bytes,
        async *stream() {
          yield bytes;
        },
      };
    },
    forward: () => Promise.reject(new Error('not here')),
  };
  const user = { name: 'aggregator', groups: [] };
  return { clock: ambient.clock, transport, origin: 'https://backend', tls: {}, user };
}

const PLAIN = { body: { kind: 'APIResourceList', resources: [{ name: 'plain', kind: 'Plain', verbs: [] }] } };
const aggregated = (resources: unknown, group = 'g'): object => ({
  items: [{ metadata: { name: group }, versions: [{ version: 'v1', resources }] }],
});

/** The names of the resources that are found. */
async function found(
  apis: Answer | undefined,
  plain: Answer | undefined = PLAIN,
): Promise<readonly unknown[]> {
  const answers = { ...(apis && { '/apis': apis }), ...(plain && { '/apis/g/v1': plain }) };
  const documents = new BackendDocuments(ambient as never);
  const resources = await documents.resources(backend(answers), { group: 'g', version: 'v1' }, undefined);
  return resources.map(({ resource }) => resource);
}

describe('the resources of another server', () => {
  it('are those of aggregated discovery, whatever the order of its parameters', async () => {
    const body = aggregated([{ resource: 'things' }]);
    for (const type of [
      AGGREGATED,
      'application/json; v=v2beta1; as=APIGroupDiscoveryList; g=apidiscovery.orch.io; charset=utf-8',
    ])
      expect(await found({ type, body })).toEqual(['things']);
  });

  it('are none if aggregated discovery does not have the version', async () => {
    const body = aggregated([{ resource: 'things' }], 'other');
    expect(await found({ type: AGGREGATED, body })).toEqual([]);
  });

  it.each([[204], [302], [400], [401], [403], [404], [406], [429], [500]])(
    'are those of the plain document where /apis is %d',
    async (status) => {
      expect(await found({ status, type: AGGREGATED, body: aggregated([]) })).toEqual(['plain']);
    },
  );

  it.each([
    ['application/json'],
    ['text/plain'],
    [''],
    [AGGREGATED.replace('v=v2', 'v=v3')],
    [AGGREGATED.replace('orch', 'other')],
  ])('are those of the plain document where /apis is of the type %j', async (type) => {
    expect(await found({ type, body: aggregated([{ resource: 'things' }]) })).toEqual(['plain']);
  });

  it('are unknown while the server is not available', async () => {
    await expect(found({ status: 503 })).rejects.toThrow('bad status from https://backend/apis: 503');
    await expect(found({ status: 404 }, { status: 500 })).rejects.toThrow('/apis/g/v1: 500');
    await expect(found(undefined, { body: { kind: 'Status' } })).rejects.toThrow('does not describe g/v1');
  });
});
