import { workloadResources } from '@ashlar/apis/workloads';
import {
  type ApiObject,
  groupName,
  kubernetesVocabulary,
  orchVocabulary,
  type Vocabulary,
} from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { nodeAmbient } from '@ashlar/http-node';
import { createMemoryStore, type MemoryStore } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../assembly/api-server.ts';
import { createApiServer } from '../assembly/create-api-server.ts';
import { advertiseServer } from './advertise-server.ts';

/** How long something may take on a machine that has other work. */
const PATIENT = { timeout: 60_000, interval: 5 };

/** A server over a store whose leases end by a clock. */
async function start(vocabulary: Vocabulary, storage: MemoryStore): Promise<ApiServer> {
  const ambient = nodeAmbient(vocabulary);
  const server = createApiServer({
    ...{ vocabulary, ambient, storage, controllers: false },
    resources: workloadResources(vocabulary),
  });
  await server.ready;
  return server;
}

const objectsOf = ({ client, vocabulary }: ApiServer) => ({
  services: client
    .resource({ group: '', version: 'v1', resource: 'services', kind: 'Service' })
    .namespace('default'),
  endpoints: client
    .resource({ group: '', version: 'v1', resource: 'endpoints', kind: 'Endpoints' })
    .namespace('default'),
  slices: client
    .resource({
      group: groupName(vocabulary, 'discovery.'),
      ...{ version: 'v1', resource: 'endpointslices', kind: 'EndpointSlice' },
    })
    .namespace('default'),
});

describe.each([kubernetesVocabulary, orchVocabulary])(
  'advertiseServer, in the words of $name',
  (vocabulary) => {
    const { name, labelDomain } = vocabulary;
    const addressesOf = async (server: ApiServer): Promise<unknown> => {
      const { endpoints, slices } = objectsOf(server);
      const { subsets } = await endpoints.get(name);
      const slice = (await slices.get(name)).endpoints as
        | readonly { readonly addresses: readonly string[] }[]
        | null;
      const [subset] = (subsets ?? []) as readonly {
        readonly addresses: readonly { readonly ip: string }[];
      }[];
      return [
        (subset?.addresses ?? []).map(({ ip }) => ip),
        (slice ?? []).flatMap(({ addresses }) => addresses),
      ];
    };

    it('makes the service with its endpoints, and restores them', async () => {
      const clock = createSteppedClock();
      await using server = await start(vocabulary, createMemoryStore({ clock }));
      const { services, endpoints, slices } = objectsOf(server);
      await using _ = await advertiseServer(server, { address: '192.0.2.2', port: 6443, clock });
      expect(await services.get(name)).toMatchObject({
        metadata: { labels: { component: 'apiserver', provider: name } },
        spec: {
          ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
          ...{ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], type: 'ClusterIP', sessionAffinity: 'None' },
        },
      });
      expect(await endpoints.get(name)).toMatchObject({
        metadata: { labels: { [`endpointslice.${labelDomain}/skip-mirror`]: 'true' } },
        subsets: [
          { addresses: [{ ip: '192.0.2.2' }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] },
        ],
      });
      expect(await slices.get(name)).toMatchObject({
        metadata: { labels: { [`${labelDomain}/service-name`]: name } },
        ...{ addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.2'], conditions: { ready: true } }] },
      });
      // its endpoints go with it
      await services.delete(name);
      expect((await endpoints.list()).items).toEqual([]);
      await slices.patch(name, {
        type: 'merge',
        patch: { endpoints: [], metadata: { labels: { own: 'x' } } },
      });
      clock.advance(10_000);
      await expect.poll(() => addressesOf(server), PATIENT).toEqual([['192.0.2.2'], ['192.0.2.2']]);
      expect((await services.get(name)).spec).toMatchObject({ clusterIP: '10.0.0.1' });
      expect((await slices.get(name)).metadata.labels).toMatchObject({ own: 'x' });
      expect(await addressesOf(server)).toEqual([['192.0.2.2'], ['192.0.2.2']]);
      // nothing is written where nothing is to be restored
      const before = await endpoints.get(name);
      await slices.delete(name);
      clock.advance(10_000);
      await expect.poll(() => addressesOf(server), PATIENT).toEqual([['192.0.2.2'], ['192.0.2.2']]);
      expect(await endpoints.get(name)).toEqual(before);
    });

    it('has the addresses of all servers, until they leave or no longer renew them', async () => {
      const clock = createSteppedClock();
      await using server = await start(vocabulary, createMemoryStore({ clock }));
      const advertise = (address: string): Promise<AsyncDisposable> =>
        advertiseServer(server, { address, port: 6443, clock });
      await using _ = await advertise('192.0.2.3');
      const second = await advertise('192.0.2.2');
      const both = ['192.0.2.2', '192.0.2.3'];
      expect(await addressesOf(server)).toEqual([both, both]);
      await second[Symbol.asyncDispose]();
      expect(await addressesOf(server)).toEqual([['192.0.2.3'], ['192.0.2.3']]);
      const crashed = createSteppedClock();
      await advertiseServer(server, { address: '192.0.2.4', port: 6443, clock: crashed });
      const all = ['192.0.2.3', '192.0.2.4'];
      expect(await addressesOf(server)).toEqual([all, all]);
      const later = async (): Promise<unknown> => {
        clock.advance(1_000);
        return addressesOf(server);
      };
      await expect.poll(later, PATIENT).toEqual([['192.0.2.3'], ['192.0.2.3']]);
    });

    it('does nothing where services are not served', async () => {
      await using server = createApiServer({ vocabulary, controllers: false });
      await server.ready;
      const errors: unknown[] = [];
      const onError = (error: unknown): void => void errors.push(error);
      await using _ = await advertiseServer(server, { port: 1, clock: createSteppedClock(), onError });
      expect(errors).toEqual([]);
    });

    it('finds the priority classes of system pods', async () => {
      await using server = await start(vocabulary, createMemoryStore({ clock: createSteppedClock() }));
      const classes = server.client.resource({
        group: groupName(vocabulary, 'scheduling.'),
        ...{ version: 'v1', resource: 'priorityclasses', kind: 'PriorityClass' },
      });
      const values = (await classes.list()).items.map((each: ApiObject) => [each.metadata.name, each.value]);
      expect(values).toEqual([
        ['system-cluster-critical', 2_000_000_000],
        ['system-node-critical', 2_000_001_000],
      ]);
    });
  },
);
