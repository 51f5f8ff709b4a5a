import { workloadResources } from '@ashlar/apis/workloads';
import type { ResourceClient } from '@ashlar/client';
import { type ApiObject, kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { nodeAmbient } from '@ashlar/http-node';
import { createMemoryStore, type KeyValueStore } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../assembly/api-server.ts';
import type { ApiServerOptions } from '../assembly/api-server-options.ts';
import { createApiServer } from '../assembly/create-api-server.ts';

interface Service extends ApiObject {
  readonly spec: {
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly ipFamilies?: readonly string[];
    readonly ipFamilyPolicy?: string;
    readonly healthCheckNodePort?: number;
    readonly ports: readonly { readonly nodePort?: number }[];
  };
}

const SMALL = { clusterIpRanges: ['10.7.0.0/28'], nodePortRange: '31000-31003' };
const DUAL = { clusterIpRanges: ['10.7.0.0/24', 'fd00:7::/108'] };

async function start(vocabulary: Vocabulary, options: ApiServerOptions = {}): Promise<ApiServer> {
  const resources = workloadResources(vocabulary);
  const server = createApiServer({ vocabulary, controllers: false, resources, ...options });
  await server.ready;
  return server;
}

const servicesOf = ({ client }: ApiServer): ResourceClient<Service> =>
  client
    .resource<Service>({ group: '', version: 'v1', resource: 'services', kind: 'Service' })
    .namespace('default');

const service = (name: string, spec: object = {}): Service =>
  ({ metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } }) as unknown as Service;

const nodePortsOf = ({ spec }: Service): readonly number[] =>
  spec.ports.flatMap(({ nodePort }) => nodePort ?? []);

/** A store that closing servers leave open. */
function shared(storage: KeyValueStore): KeyValueStore {
  return new Proxy(storage, {
    get(target, property) {
      if (property === Symbol.asyncDispose) return async () => {};
      const value = Reflect.get(target, property, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe.each([kubernetesVocabulary, orchVocabulary])(
  'addresses of services, in the words of $name',
  (vocabulary) => {
    it('are given away once, kept on update and taken back', async () => {
      await using server = await start(vocabulary, { serviceNetwork: SMALL });
      const services = servicesOf(server);
      const all = await Promise.all(Array.from({ length: 14 }, (_, i) => services.create(service(`s${i}`))));
      expect(new Set(all.map(({ spec }) => spec.clusterIP)).size).toBe(14);
      await expect(services.create(service('more'))).rejects.toThrow(
        'Internal error occurred: failed to allocate a serviceIP: range is full',
      );
      const [first] = all as [Service];
      const again = await services.update({ ...service('s0'), metadata: { name: 's0', labels: { a: 'b' } } });
      expect(again.spec.clusterIP).toBe(first.spec.clusterIP);
      await services.delete('s0');
      expect((await services.create(service('more'))).spec.clusterIP).toBe(first.spec.clusterIP);
    });

    it('are those that a client asks for', async () => {
      await using server = await start(vocabulary, { serviceNetwork: SMALL });
      const services = servicesOf(server);
      await services.create(service('a', { clusterIP: '10.7.0.3' }));
      await expect(services.create(service('b', { clusterIP: '10.7.0.3' }))).rejects.toThrow(
        'failed to allocate IP 10.7.0.3: provided IP is already allocated',
      );
      await expect(services.create(service('b', { clusterIP: '10.8.0.3' }))).rejects.toThrow(
        'failed to allocate IP 10.8.0.3: the provided IP (10.8.0.3) is not in the valid range. The range of valid IPs is 10.7.0.0/28',
      );
      const port = (nodePort: number): object => ({ type: 'NodePort', ports: [{ port: 80, nodePort }] });
      await services.create(service('b', port(31_002)));
      await expect(services.create(service('c', port(31_002)))).rejects.toThrow(
        'spec.ports[0].nodePort: Invalid value: 31002: provided port is already allocated',
      );
      await expect(services.create(service('c', port(30_000)))).rejects.toThrow(
        'spec.ports[0].nodePort: Invalid value: 30000: provided port is not in the valid range. The range of valid ports is 31000-31003',
      );
    });

    it('are not given away by dry runs and refused writes', async () => {
      await using server = await start(vocabulary, { serviceNetwork: { ...SMALL, nodePortRange: '31000' } });
      const services = servicesOf(server);
      for (let i = 0; i < 20; i++) {
        const imagined = await services.create(service('a', { type: 'NodePort' }), { dryRun: ['All'] });
        expect(imagined.spec).toMatchObject({ clusterIP: '10.7.0.0', ports: [{ nodePort: 32_769 }] });
        await expect(
          services.create(service('a', { type: 'NodePort', sessionAffinity: 'x' })),
        ).rejects.toThrow();
      }
      expect(nodePortsOf(await services.create(service('a', { type: 'NodePort' })))).toEqual([31_000]);
    });

    it('are not those of a port that the service has twice', async () => {
      await using server = await start(vocabulary, { serviceNetwork: SMALL });
      const services = servicesOf(server);
      const ports = [
        { name: 'a', port: 80 },
        { name: 'b', port: 443 },
      ];
      const made = await services.create(service('s', { type: 'LoadBalancer', ports }));
      const twice = { ...made.spec, ports: [...ports, { name: 'b', port: 443 }] };
      await expect(services.update({ ...made, spec: twice } as Service)).rejects.toMatchObject({
        code: 500,
        message: expect.stringMatching(/^duplicate nodePort: \{TCP 3100\d\}$/),
      });
    });

    it('follow the type of a service', async () => {
      await using server = await start(vocabulary, { serviceNetwork: SMALL });
      const services = servicesOf(server);
      const ports = [
        { port: 80, name: 'a' },
        { port: 81, name: 'b' },
      ];
      const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports };
      const balanced = await services.create(service('a', local));
      expect(new Set([...nodePortsOf(balanced), balanced.spec.healthCheckNodePort]).size).toBe(3);
      const opened = await services.update(service('a', { type: 'NodePort', ports }));
      expect(nodePortsOf(opened)).toEqual(nodePortsOf(balanced));
      expect(opened.spec.healthCheckNodePort).toBeUndefined();
      const closed = await services.update(service('a', { ports }));
      expect([nodePortsOf(closed), closed.spec.clusterIP]).toEqual([[], balanced.spec.clusterIP]);
      const external = await services.update(
        service('a', { type: 'ExternalName', externalName: 'x.example' }),
      );
      expect(external.spec.clusterIP).toBeUndefined();
      // its address and all of the four ports are free again
      const { clusterIP } = balanced.spec;
      expect((await services.create(service('b', { clusterIP }))).spec.clusterIP).toBe(clusterIP);
      const four = [1, 2, 3, 4].map((port) => ({ port, name: `p${port}` }));
      expect(
        nodePortsOf(await services.create(service('c', { type: 'NodePort', ports: four }))),
      ).toHaveLength(4);
    });

    it('are of both families, if the cluster has both', async () => {
      await using server = await start(vocabulary, { serviceNetwork: DUAL });
      const services = servicesOf(server);
      const dual = await services.create(service('a', { ipFamilyPolicy: 'PreferDualStack' }));
      expect(dual.spec).toMatchObject({ ipFamilies: ['IPv4', 'IPv6'], clusterIP: dual.spec.clusterIPs?.[0] });
      expect(dual.spec.clusterIPs?.[1]).toMatch(/^fd00:7::/);
      const single = await services.update(service('a', { ipFamilyPolicy: 'SingleStack' }));
      expect(single.spec).toMatchObject({ ipFamilies: ['IPv4'], clusterIPs: [dual.spec.clusterIP] });
      const second = dual.spec.clusterIPs?.[1] as string;
      const six = await services.create(service('b', { clusterIP: second }));
      expect(six.spec).toMatchObject({
        ipFamilies: ['IPv6'],
        ipFamilyPolicy: 'SingleStack',
        clusterIPs: [second],
      });
      await expect(services.create(service('c', { clusterIP: second }))).rejects.toThrow('already allocated');
    });

    it('show in an error which of two families have none yet', async () => {
      await using server = await start(vocabulary, { serviceNetwork: DUAL });
      const services = servicesOf(server);
      await services.create(service('a', { clusterIP: '10.7.0.7' }));
      const second = { ipFamilyPolicy: 'PreferDualStack', clusterIP: '10.7.0.7' };
      await expect(services.create(service('b', second))).rejects.toThrow(
        '[]string{"10.7.0.7", ""}: failed to',
      );
      await expect(services.update(service('a', { clusterIP: 'fd00:7::7' }))).rejects.toThrow(
        'spec.ipFamilies[0]: Invalid value: []core.IPFamily{"IPv6"}: may not change once set',
      );
      const headless = { ipFamilyPolicy: 'PreferDualStack', clusterIP: 'None', selector: { a: 'b' } };
      const refused = services.update(service('a', headless));
      await expect(refused).rejects.toThrow(/"None", "fd00:7::.*"}: may not change once set/);
      await expect(refused).rejects.toThrow("'None' must be the first and only value");
    });

    it('are refused in a family that the cluster does not have', async () => {
      await using server = await start(vocabulary, { serviceNetwork: SMALL });
      const services = servicesOf(server);
      await expect(services.create(service('a', { ipFamilies: ['IPv6'] }))).rejects.toThrow(
        'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
      );
      await expect(services.create(service('a', { ipFamilyPolicy: 'RequireDualStack' }))).rejects.toThrow(
        'this cluster is not configured for dual-stack services',
      );
      const headless = await services.create(service('a', { clusterIP: 'None' }));
      expect(headless.spec).toMatchObject({
        ipFamilies: ['IPv4', 'IPv6'],
        ipFamilyPolicy: 'RequireDualStack',
      });
    });

    it('are not taken from a service that wants to be headless, and none are given to it', async () => {
      await using server = await start(vocabulary, { serviceNetwork: SMALL });
      const services = servicesOf(server);
      await services.create(service('a'));
      for (const ipFamilyPolicy of ['RequireDualStack', 'PreferDualStack', 'SingleStack'])
        await expect(services.update(service('a', { clusterIP: 'None', ipFamilyPolicy }))).rejects.toThrow(
          'spec.clusterIPs[0]: Invalid value: []string{"None"}: may not change once set',
        );
    });

    it('are not given away twice by two servers over one store', async () => {
      await using storage = createMemoryStore({ clock: createSteppedClock() });
      const options = { storage: shared(storage), serviceNetwork: { nodePortRange: '31000-31063' } };
      await using one = await start(vocabulary, options);
      await using other = await start(vocabulary, options);
      const created = await Promise.all(
        Array.from({ length: 64 }, (_, i) =>
          servicesOf(i % 2 === 0 ? one : other).create(service(`s${i}`, { type: 'NodePort' })),
        ),
      );
      expect(new Set(created.map(({ spec }) => spec.clusterIP)).size).toBe(64);
      expect(new Set(created.flatMap(nodePortsOf)).size).toBe(64);
    });

    it('are repaired at start, and leaks after some time', async () => {
      const clock = createSteppedClock();
      await using storage = createMemoryStore({ clock });
      const serviceNetwork = { nodePortRange: '31000' };
      const record = '/ashlar/ranges/servicenodeports';
      const kept = service('kept', { type: 'NodePort' });
      {
        await using before = await start(vocabulary, { storage: shared(storage), serviceNetwork });
        await servicesOf(before).create(kept);
      }
      await storage.delete(record);
      const ambient = { ...nodeAmbient(vocabulary), clock };
      await using server = await start(vocabulary, { storage: shared(storage), serviceNetwork, ambient });
      const services = servicesOf(server);
      const second = service('second', { type: 'NodePort' });
      await expect(services.create(second)).rejects.toThrow('range is full');
      // a server that ends between the removal of a service and the release of its port
      const leaked = await storage.get(record);
      await services.delete('kept');
      await storage.put(record, leaked?.value as Uint8Array);
      await expect(services.create(second)).rejects.toThrow('range is full');
      await expect
        .poll(
          () => {
            clock.advance(180_000);
            return services.create(second).then(nodePortsOf, () => []);
          },
          { timeout: 10_000 },
        )
        .toEqual([31_000]);
    });

    it('are taken from the range of the server, also where it was another one before', async () => {
      await using storage = createMemoryStore({ clock: createSteppedClock() });
      const options = (range: string): ApiServerOptions => ({
        storage: shared(storage),
        serviceNetwork: { clusterIpRanges: [range] },
      });
      {
        await using before = await start(vocabulary, options('10.7.0.0/28'));
        await servicesOf(before).create(service('a'));
      }
      await using server = await start(vocabulary, options('10.8.0.0/28'));
      expect((await servicesOf(server).create(service('b'))).spec.clusterIP).toMatch(/^10\.8\.0\./);
    });

    it('are released with the endpoints of a removed service', async () => {
      await using server = await start(vocabulary);
      const endpoints = server.client
        .resource({ group: '', version: 'v1', resource: 'endpoints', kind: 'Endpoints' })
        .namespace('default');
      await servicesOf(server).create(service('a'));
      await endpoints.create({ metadata: { name: 'a' } });
      await endpoints.create({ metadata: { name: 'b' } });
      await servicesOf(server).delete('a');
      expect((await endpoints.list()).items.map(({ metadata }) => metadata.name)).toEqual(['b']);
    });
  },
);
