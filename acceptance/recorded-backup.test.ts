import { readFileSync } from 'node:fs';
import { workloadResources } from '@ashlar/apis/workloads';
import { kubernetesVocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { type ApiServer, createApiServer, openSnapshot } from '@ashlar/server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { comparable, type Form, forms } from '../conformance/backup/comparable.ts';

/** What an etcd behind kube-apiserver stored, and what that answered; `conformance/backup/record.ts` writes it. */
interface Line {
  readonly key?: string;
  readonly revision: number;
  readonly value: string;
  readonly path: string;
  readonly form: Form;
  readonly answer: string;
}

const file = new URL('../conformance/backup/recorded.jsonl', import.meta.url);
const lines = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);
const entries = lines.flatMap(({ key, revision, value }) =>
  key === undefined ? [] : [{ key, revision, value: new Uint8Array(Buffer.from(value, 'base64')) }],
);
const answers = lines.filter(({ key }) => key === undefined);
const vocabulary = kubernetesVocabulary;

let server: ApiServer;
beforeAll(async () => {
  const ambient = nodeAmbient(vocabulary);
  const resources = workloadResources(vocabulary);
  const revision = Math.max(...entries.map((entry) => entry.revision));
  const { store, skipped } = await openSnapshot({ revision, entries }, { ambient, resources });
  expect(skipped).toEqual([]);
  server = createApiServer({ vocabulary, storage: store, readOnly: true, resources });
  await server.ready;
  const last = answers.at(-1)?.path ?? '';
  await vi.waitFor(async () => expect((await ask(last, 'json')).status).toBe(200), { timeout: 60_000 });
});
afterAll(() => server.close());

const ask = (path: string, form: Form): Promise<Response> =>
  server.fetch(new Request(`http://server${path}`, { headers: { accept: forms[form] } }));

describe('a snapshot of a cluster is answered as the cluster answered', () => {
  test.each(answers)('$path as $form', async ({ path, form, answer }) => {
    const response = await ask(path, form);
    expect(comparable(form, true, Buffer.from(await response.arrayBuffer()))).toBe(answer);
  });

  test('with objects of 60 kinds', () => {
    const kinds = answers.filter(({ form, answer }) => form === 'table' && answer.includes('"cells"'));
    expect(kinds.length).toBeGreaterThanOrEqual(60);
  });
});
