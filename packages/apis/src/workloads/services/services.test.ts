import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { services } from './services.ts';

let resource: InMemoryResource;

beforeEach(() => {
  resource = new InMemoryResource(services(kubernetesVocabulary));
});

const service = (spec: JsonObject): JsonObject => ({ metadata: { name: 'a' }, spec });

describe('services', () => {
  it('have what is allocated where their kind declares it', async () => {
    const members = ['ports', 'clusterIP', 'clusterIPs', 'type', 'sessionAffinity', 'externalTrafficPolicy'];
    const created = await resource.create(service({ ports: [{ port: 80 }], type: 'NodePort' }));
    expect(Object.keys(created.spec as object)).toEqual([
      ...members,
      ...['ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'],
    ]);
  });

  it('default protocol, target port and IP families', async () => {
    expect(await resource.create(service({ ports: [{ port: 80 }] }))).toMatchObject({
      spec: {
        ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
        type: 'ClusterIP',
        sessionAffinity: 'None',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        internalTrafficPolicy: 'Cluster',
      },
    });
  });

  it.each([
    [{ clusterIP: 'None', ports: [{ port: 80 }] }, ['ClusterIP', 'None', '<none>', '80/TCP']],
    [
      { type: 'ExternalName', externalName: 'b.example.com' },
      ['ExternalName', '<none>', 'b.example.com', '<none>'],
    ],
    [
      { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] },
      ['NodePort', expect.stringMatching(/^10\.0\.0\.\d+$/), '<none>', '80:30080/TCP'],
    ],
    [
      { type: 'LoadBalancer', ports: [{ port: 1 }] },
      [
        ...['LoadBalancer', expect.stringMatching(/^10\.0\.0\.\d+$/), '<pending>'],
        expect.stringMatching(/^1:3\d{4}\/TCP$/),
      ],
    ],
  ])('%j in sequence', async (spec, cells) => {
    expect(resource.cells(await resource.create(service(spec))).slice(1, 5)).toEqual(cells);
  });

  it('keep their address if it is omitted', async () => {
    await resource.create(service({ clusterIP: '10.0.0.7', ports: [{ port: 80 }] }));
    expect(await resource.replace('a', service({ ports: [{ port: 81 }] }))).toMatchObject({
      spec: { clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.7'], ports: [{ port: 81 }] },
    });
    const moved = resource.replace('a', service({ clusterIP: '10.0.0.8', ports: [{ port: 81 }] }));
    expect(await causesOf(moved)).toContainEqual(expect.stringContaining('may not change once set'));
  });

  it('report each IP family that is repeated, also an empty one', async () => {
    const refused = resource.create(service({ ports: [{ port: 80 }], ipFamilies: ['', ''] }));
    const unsupported = 'Unsupported value: "": supported values: "IPv4", "IPv6"';
    expect(await causesOf(refused)).toEqual([
      `spec.ipFamilies[0]: ${unsupported}`,
      `spec.ipFamilies[1]: ${unsupported}`,
      'spec.ipFamilies[1]: Duplicate value: ""',
    ]);
  });

  it('of other names lose their policy of traffic, unless it is unknown', async () => {
    const named = (internalTrafficPolicy: string): JsonObject =>
      service({ type: 'ExternalName', externalName: 'b.example.com', internalTrafficPolicy });
    expect((await resource.create(named('Local'))).spec).not.toHaveProperty('internalTrafficPolicy');
    for (const unknown of ['x', ''])
      expect(await causesOf(resource.replace('a', named(unknown)))).toEqual([
        `spec.internalTrafficPolicy: Unsupported value: "${unknown}": supported values: "Cluster", "Local"`,
      ]);
  });

  it('require names of several ports', async () => {
    const refused = resource.create(service({ ports: [{ port: 80 }, { name: 'b', port: 81 }] }));
    expect(await causesOf(refused)).toEqual(['spec.ports[0].name: Required value']);
  });

  it('report a class without a load balancer once when they are created, and twice later', async () => {
    const classed = service({ ports: [{ port: 80 }], loadBalancerClass: 'a.example/c' });
    const error = "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'";
    expect(await causesOf(resource.create(classed))).toEqual([error]);
    await resource.create(service({ ports: [{ port: 80 }] }));
    expect(await causesOf(resource.replace('a', classed))).toEqual([error, error]);
  });

  it('lose the addresses of a load balancer with its type, and nothing else of their status', async () => {
    await resource.create(service({ type: 'LoadBalancer', ports: [{ port: 80 }] }));
    const conditions = [
      { type: 'x', status: 'True', reason: 'y', message: '', lastTransitionTime: '2024-01-01T00:00:00Z' },
    ];
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] }, conditions };
    await resource.replace(
      'a',
      { ...service({ type: 'LoadBalancer', ports: [{ port: 80 }] }), status },
      'status',
    );
    const changed = await resource.replace('a', service({ ports: [{ port: 80 }] }));
    expect(changed.status).toMatchObject({ loadBalancer: {}, conditions: [{ type: 'x' }] });
    expect(JSON.stringify(changed)).not.toContain('192.0.2.1');
  });
});
