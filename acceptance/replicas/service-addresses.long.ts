import { workloadResources } from '@ashlar/apis/workloads';
import type { ApiObject } from '@ashlar/core';
import { kubernetesVocabulary } from '@ashlar/core';
import { nodeClock } from '@ashlar/http-node';
import { type ApiServer, createApiServer } from '@ashlar/server';
import { createEtcdStore } from '@ashlar/storage-etcd';
import { withWatchCache } from '@ashlar/watch-cache';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  etcdProgram,
  NO_ETCD,
  startCluster,
} from '../../packages/storage-etcd/src/client/etcd-process.fixture.ts';

interface Service extends ApiObject {
  readonly spec: { readonly clusterIP: string; readonly ports: readonly { readonly nodePort: number }[] };
}

/** As many as there are ports. */
const SERVICES = 64;

async function start(url: string): Promise<ApiServer> {
  const store = await createEtcdStore({ endpoints: [url], prefix: '/addresses' });
  const server = createApiServer({
    vocabulary: kubernetesVocabulary,
    storage: withWatchCache(store, { clock: nodeClock }),
    controllers: false,
    resources: workloadResources(kubernetesVocabulary),
    serviceNetwork: { nodePortRange: `31000-${31_000 + SERVICES - 1}` },
  });
  await server.ready;
  return server;
}

beforeEach((context) => context.skip(!etcdProgram, NO_ETCD));

describe('addresses of services', () => {
  it('are not given away twice by two servers over one etcd', async () => {
    const [member] = await startCluster(1);
    await using _ = member as AsyncDisposable;
    const url = member?.url ?? '';
    await using one = await start(url);
    await using other = await start(url);
    const created = await Promise.all(
      Array.from({ length: SERVICES }, (_, i) => {
        const { client } = i % 2 === 0 ? one : other;
        const services = client
          .resource<Service>({ group: '', version: 'v1', resource: 'services', kind: 'Service' })
          .namespace('default');
        return services.create({
          metadata: { name: `s${i}` },
          spec: { type: 'NodePort', ports: [{ port: 80 }] },
        } as never);
      }),
    );
    expect(new Set(created.map(({ spec }) => spec.clusterIP)).size).toBe(SERVICES);
    expect(new Set(created.map(({ spec }) => spec.ports[0]?.nodePort)).size).toBe(SERVICES);
  });
});
