import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workloadResources } from '@ashlar/apis/workloads';
import { type Ambient, kubernetesVocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { type ApiServer, createApiServer } from '@ashlar/server';
import type { CaseResult, Suite } from '../suite.ts';
import { comparable, headersOf, inNamespace, type Scenario, type Step } from '../workloads/responses.ts';
import { compare } from './codec/oracle.ts';

/** Recorded answers about workload kinds: defaults, rejections, updates, subresources, tables. */
export const suite: Suite = {
  name: 'workloads',
  async *run(dataDirectory) {
    const folder = join(dataDirectory, 'workloads');
    if (!existsSync(folder)) return;
    const vocabulary = kubernetesVocabulary;
    const resources = workloadResources(vocabulary);
    await using server = createApiServer({
      vocabulary,
      resources,
      ambient: ambientOfRecording(),
      // recorded without accounts, and without anybody who counts quotas
      controllers: ['*', '-resourcequota'],
      disabledAdmissionPlugins: ['ServiceAccount'],
    });
    await server.ready;
    let count = 0;
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
      for (const line of readFileSync(join(folder, file), 'utf8').trim().split('\n'))
        yield* play(server, JSON.parse(line) as Scenario, `played-${count++}`);
    }
  },
};

/** Cells contain ages: the clock is set to the time of the recording. */
const RECORDED = Date.parse('2026-11-21T20:00:00Z');

function ambientOfRecording(): Ambient {
  const ambient = nodeAmbient(kubernetesVocabulary);
  const begun = ambient.clock.monotonic();
  return {
    ...ambient,
    clock: {
      now: () => RECORDED + Math.floor(ambient.clock.monotonic() - begun),
      monotonic: () => ambient.clock.monotonic(),
      setTimer: (milliseconds, call) => ambient.clock.setTimer(milliseconds, call),
    },
  };
}

async function* play(
  server: ApiServer,
  { name, steps }: Scenario,
  namespace: string,
): AsyncIterable<CaseResult> {
  await ask(server, { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } });
  for (const [index, step] of steps.entries()) {
    const asked = inNamespace(step, namespace);
    const { status, text } = await ask(server, asked);
    const id = `${name} ${index}: ${step.method} ${step.path}`;
    yield compare(
      { id, suite: name.split(':')[0] ?? name, ...asked },
      step.expect,
      comparable(status, text, namespace),
    );
  }
}

async function ask(server: ApiServer, step: Step): Promise<{ status: number; text: string }> {
  const response = await server.fetch(
    new Request(`http://server${step.path}`, {
      method: step.method,
      headers: headersOf(step),
      ...(step.body !== undefined && { body: JSON.stringify(step.body) }),
    }),
  );
  return { status: response.status, text: await response.text() };
}
