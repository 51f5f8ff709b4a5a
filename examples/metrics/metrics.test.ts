import { execFile, spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { kubernetesVocabulary } from '@ashlar/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../../acceptance/aggregation/cluster.fixture.ts';
import { type RunningExample, startExample } from '../start-example.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

describe('metrics of a machine, behind a cluster', () => {
  let cluster: Cluster;
  let example: RunningExample;

  beforeAll(async () => {
    cluster = await startCluster(kubernetesVocabulary);
    process.env.KUBECONFIG = cluster.kubeconfig;
    example = await startExample(new URL('main.ts', import.meta.url));
  }, 60_000);
  afterAll(async () => {
    delete process.env.KUBECONFIG;
    await example?.[Symbol.asyncDispose]();
    await cluster?.close();
  });

  test('are those of now', async () => {
    const answer = await cluster.ask('/apis/metrics.k8s.io/v1beta1/nodes');
    expect(await answer.json()).toMatchObject({
      kind: 'NodeMetricsList',
      items: [
        {
          metadata: { name: hostname() },
          usage: { cpu: expect.stringMatching(/^\d+m$/), memory: expect.stringMatching(/^\d+Ki$/) },
        },
      ],
    });
  });

  test('are in their namespace', async () => {
    const count = async (namespace: string): Promise<number> => {
      const answer = await cluster.ask(`/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`);
      return ((await answer.json()) as { items: unknown[] }).items.length;
    };
    expect([await count('default'), await count('other')]).toEqual([1, 0]);
  });

  test.runIf(hasKubectl)('are what kubectl top shows', async () => {
    const top = async (what: string): Promise<string> =>
      (await promisify(execFile)('kubectl', ['--kubeconfig', cluster.kubeconfig, 'top', what])).stdout;
    expect(await top('node')).toMatch(new RegExp(`^${hostname()} +\\d+m +\\d+Mi`, 'm'));
    expect(await top('pod')).toMatch(/^metrics +\d+m +\d+Mi/m);
  });
});
