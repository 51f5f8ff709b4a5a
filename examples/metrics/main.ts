// The numbers of this machine for `kubectl top`, in the cluster of KUBECONFIG: `npx tsx examples/metrics/main.ts`
import { freemem, hostname, loadavg, totalmem } from 'node:os';
import { defineResource } from '@ashlar/apis';
import { type ApiObject, StatusError } from '@ashlar/core';
import { createAggregatedServer } from '@ashlar/server';
import { z } from 'zod';

const group = 'metrics.k8s.io';
const started = new Date().toISOString();
type Measure = () => Pick<ApiObject, 'metadata'> & Record<string, unknown>;

/** CPUs in thousandths, bytes of memory in KiB. */
const usage = (cpus: number, bytes: number) => ({
  cpu: `${Math.round(cpus * 1000)}m`,
  memory: `${Math.round(bytes / 1024)}Ki`,
});

/** A read-only type with one object, which is measured when it is asked for. */
function measured(plural: string, kind: string, scope: 'Cluster' | 'Namespaced', measure: Measure) {
  const inNamespace = (namespace: string): ApiObject[] => {
    const timestamp = new Date().toISOString();
    const object = { apiVersion: `${group}/v1beta1`, kind, timestamp, window: '1m0s', ...measure() };
    return namespace === '' || object.metadata.namespace === namespace ? [object] : [];
  };
  return defineResource({
    ...{ group, version: 'v1beta1', kind, plural, scope, spec: z.object({}) },
    storage: {
      get({ namespace }, { name }) {
        const found = inNamespace(namespace).find(({ metadata }) => metadata.name === name);
        if (!found) throw StatusError.notFound({ group, resource: plural }, name);
        return found;
      },
      list: ({ namespace }, { labels }) => ({
        items: inNamespace(namespace).filter(({ metadata }) => labels.matches(metadata.labels ?? {})),
        resourceVersion: '1',
      }),
    },
  });
}

const nodes = measured('nodes', 'NodeMetrics', 'Cluster', () => ({
  metadata: { name: hostname(), creationTimestamp: started },
  usage: usage(loadavg()[0] ?? 0, totalmem() - freemem()),
}));
const pods = measured('pods', 'PodMetrics', 'Namespaced', () => {
  const { user, system } = process.cpuUsage();
  const own = usage((user + system) / 1e6 / process.uptime(), process.memoryUsage.rss());
  const metadata = { name: 'metrics', namespace: 'default', creationTimestamp: started };
  return { metadata, containers: [{ name: 'metrics', usage: own }] };
});

const service = { namespace: 'default', name: 'metrics', externalName: 'localhost' };
const server = await createAggregatedServer({ resources: [nodes, pods], service });
await server.available();
console.log(`serving ${server.listener.url}, try kubectl top node`);
process.once('SIGTERM', () => void server.close());
