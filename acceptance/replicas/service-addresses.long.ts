import { workloadResources } from '@ashlar/apis/workloads';
import type { ApiObject } from '@ashlar/core';
import { kubernetesVocabulary } from '@ashlar/core';
import { type ApiServer, createApiServer } from '@ashlar/server';
import { describe, expect, it } from 'vitest';
import { cached, ENGINES, type SharedDatabase } from './shared-database.fixture.ts';

interface Service extends ApiObject {
  readonly spec: { readonly clusterIP: string; readonly ports: readonly { readonly nodePort: number }[] };
}

/** As many as there are ports. */
const SERVICES = 64;

async function startServer(database: SharedDatabase): Promise<ApiServer> {
  const server = createApiServer({
    vocabulary: kubernetesVocabulary,
    storage: await cached(database.open('addresses')),
    controllers: false,
    resources: workloadResources(kubernetesVocabulary),
    serviceNetwork: { nodePortRange: `31000-${31_000 + SERVICES - 1}` },
  });
  await server.ready;
  return server;
}

describe('addresses of services', () => {
  it.for(ENGINES)(
    'are not given away twice by two servers over one $name',
    async ({ missing, start }, context) => {
      context.skip(missing !== undefined, missing);
      await using database = await start();
      await using one = await startServer(database);
      await using other = await startServer(database);
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
    },
  );
});
