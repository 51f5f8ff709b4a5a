import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { jobs } from './jobs.ts';

let resource: InMemoryResource;

beforeEach(() => {
  resource = new InMemoryResource(jobs(kubernetesVocabulary));
});

const job = (spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'a' },
  spec: {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'nginx' }] } },
    ...spec,
  },
});

describe('jobs', () => {
  it('label their pods where metadata has its labels', async () => {
    const metadata = { labels: { a: 'b' }, annotations: { c: 'd' } };
    const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'nginx' }] };
    const stored = await resource.create(job({ template: { metadata, spec } }));
    const { template } = stored.spec as { template: { metadata: JsonObject } };
    expect(Object.keys(template.metadata)).toEqual(['creationTimestamp', 'labels', 'annotations']);
    expect(template.metadata.labels).toMatchObject({ a: 'b', 'job-name': 'a' });
  });

  it('count failed indexes only where a limit is set', async () => {
    const indexed = { completionMode: 'Indexed', completions: -1 };
    expect(await causesOf(resource.create(job(indexed)))).toEqual([
      expect.stringContaining('greater than or equal to 0'),
    ]);
    const limited = { ...indexed, maxFailedIndexes: 1, backoffLimitPerIndex: 1 };
    expect(await causesOf(resource.create(job(limited)))).toContainEqual(
      expect.stringContaining('less than or equal to completions'),
    );
  });

  it('select pods by their uid', async () => {
    const stored = await resource.create(job());
    const { uid = '' } = stored.metadata;
    expect(stored).toMatchObject({
      spec: {
        parallelism: 1,
        completions: 1,
        backoffLimit: 6,
        completionMode: 'NonIndexed',
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
        template: { metadata: { labels: { 'job-name': 'a', 'controller-uid': uid } } },
      },
    });
    const moved = resource.change('a', (object) => ({
      ...object,
      spec: { ...(object.spec as JsonObject), completions: 7 },
    }));
    expect(await causesOf(moved)).toEqual([expect.stringContaining('field is immutable')]);
  });

  it('have a new version after their first write if the server has made their labels', async () => {
    const versionsOf = async (metadata: JsonObject): Promise<readonly unknown[]> => {
      const name = String(Object.keys(metadata)[0] ?? 'none');
      const { spec } = job() as { spec: { template: JsonObject } };
      const template = { ...spec.template, metadata };
      const { metadata: made } = await resource.create({ metadata: { name }, spec: { ...spec, template } });
      expect(Object.keys(made).slice(-2)).toEqual(['labels', 'managedFields']);
      const versions = [made.resourceVersion];
      for (let i = 0; i < 2; i++)
        versions.push((await resource.change(name, (object) => object)).metadata.resourceVersion);
      return versions.map((version) => Number(version) - Number(versions[0]));
    };
    expect(await versionsOf({})).toEqual([0, 1, 1]);
    expect(await versionsOf({ labels: { a: 'b' } })).toEqual([0, 0, 0]);
  });

  it('have wrong labels in their template only, as they get their own when they are read', async () => {
    const { spec } = job();
    expect(await causesOf(resource.create({ metadata: { name: 'end-' }, spec: spec as JsonObject }))).toEqual(
      [
        expect.stringMatching(/^metadata\.name: /),
        expect.stringMatching(/^spec\.template\.labels: Invalid value: "end-"/),
        expect.stringMatching(/^spec\.template\.labels: Invalid value: "end-"/),
      ],
    );
  });

  it('have the labels of their template again after a write of the status without any', async () => {
    const { metadata } = await resource.create(job());
    const written = await resource.replace('a', { ...job(), status: { active: 1 } }, 'status');
    expect(written.metadata.labels).toEqual(metadata.labels);
    expect(metadata.labels).toHaveProperty('job-name', 'a');
  });

  it('have a new version after the write that follows one without labels', async () => {
    await resource.create({ metadata: { name: 'bare' }, spec: job().spec as JsonObject });
    const write = async (): Promise<unknown> =>
      (await resource.change('bare', (object) => object)).metadata.resourceVersion;
    await write();
    await resource.replace('bare', { ...job(), metadata: { name: 'bare' }, status: { active: 1 } }, 'status');
    const next = await write();
    expect([await write(), await write()]).toEqual([next, next]);
    const { metadata } = await resource.replace(
      'bare',
      { ...job(), metadata: { name: 'bare' }, status: { active: 2 } },
      'status',
    );
    expect(await write()).not.toBe(metadata.resourceVersion);
  });

  it('can have a manual selector', async () => {
    expect(await causesOf(resource.create(job({ manualSelector: true })))).toContainEqual(
      'spec.selector: Required value',
    );
    const other = job({ selector: { matchLabels: { a: 'b' } } });
    expect(await causesOf(resource.create(other))).toContainEqual(
      expect.stringContaining('`selector` not auto-generated'),
    );
  });

  it('keep a policy of failures without rules as it is', async () => {
    await resource.create(job({ podFailurePolicy: { rules: null } }));
    const changed = await resource.change('a', (object) => ({
      ...object,
      spec: { ...(object.spec as JsonObject), suspend: true },
    }));
    expect(changed.spec).toMatchObject({ podFailurePolicy: { rules: null }, suspend: true });
  });

  it('run to completion', async () => {
    const always = job({ template: { spec: { containers: [{ name: 'c', image: 'nginx' }] } } });
    expect(await causesOf(resource.create(always))).toEqual([
      expect.stringContaining('spec.template.spec.restartPolicy: Required value'),
    ]);
  });

  it('show times in errors of their status as Go does', async () => {
    await resource.create(job());
    const status = { startTime: '2024-01-02T03:04:05Z', completionTime: '2024-01-02T05:05:10+02:00' };
    expect(await causesOf(resource.replace('a', { ...job(), status }, 'status'))).toEqual([
      'status.completionTime: Invalid value: 2024-01-02 03:05:10 +0000 UTC: cannot set completionTime when there is no Complete=True condition',
    ]);
  });

  it('show their progress', async () => {
    const stored = await resource.create(job());
    expect(resource.cells(stored).slice(0, 5)).toEqual(['a', 'Running', '0/1', '', '90s']);
    const done = {
      ...stored,
      status: {
        startTime: '2024-01-02T03:04:05Z',
        completionTime: '2024-01-02T03:05:10Z',
        succeeded: 1,
        conditions: [{ type: 'Complete', status: 'True' }],
      },
    };
    expect(resource.cells(done).slice(1, 4)).toEqual(['Complete', '1/1', '65s']);
  });
});
