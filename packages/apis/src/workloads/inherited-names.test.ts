import { kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { InMemoryResource } from '../types/in-memory-resource.fixture.ts';
import { CountedQuota } from './quota/counted-quota.ts';
import { workloadResources } from './workload-resources.ts';

/** Names that every object of JavaScript inherits: in objects of users they are names like others. */
const INHERITED = ['toString', 'constructor', 'hasOwnProperty', 'valueOf'];

function resource(kind: string): InMemoryResource {
  const definition = workloadResources(kubernetesVocabulary).find(({ names }) => names.kind === kind);
  if (!definition) throw new Error(`no kind ${kind}`);
  return new InMemoryResource(definition);
}

describe.each(INHERITED)('a resource of the name %s', (name) => {
  it('is requested as it is limited', async () => {
    const resources = { limits: { cpu: '2', [`example.com/${name}`]: '1' }, requests: { cpu: '1' } };
    const created = await resource('Pod').create({
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'c', image: 'i', resources }] },
    });
    expect(created).toMatchObject({
      spec: { containers: [{ resources: { requests: { cpu: '1', [`example.com/${name}`]: '1' } } }] },
    });
  });

  it('is refused in pods and in limit ranges as others that are not known', async () => {
    const containers = [{ name: 'c', image: 'i', resources: { requests: { [name]: '1' } } }];
    const pod = resource('Pod').create({ metadata: { name: 'a' }, spec: { containers } });
    await expect(pod).rejects.toThrow(
      `resources.requests[${name}]: Invalid value: ${name}: must be a standard resource`,
    );
    const range = resource('LimitRange').create({
      metadata: { name: 'a' },
      spec: { limits: [{ type: 'Container', maxLimitRequestRatio: { [name]: '2' } }] },
    });
    await expect(range).rejects.toThrow(`maxLimitRequestRatio[${name}]`);
  });

  it('is not in a quota that does not name it', () => {
    const quota = new CountedQuota({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      status: { hard: { cpu: '1' }, used: { cpu: '0' } },
    });
    expect(quota.used(name)).toBeUndefined();
  });
});
