import type { ApiObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { objectOf } from '../definition/resource-storage.ts';
import { createTestResource, pages } from '../objects/test-resource.fixture.ts';

describe('a dry run of an update', () => {
  it('returns the link that was sent, and the resource version of what it would create', async () => {
    const { create, replace, verbs, context } = createTestResource({
      definition: { ...pages, strategy: { ...pages.strategy, allowsCreateOnUpdate: true } },
    });
    const metadata = { selfLink: '/x', resourceVersion: '0' };
    const made = (await replace('b', { metadata }, { dryRun: true })).metadata;
    expect(made).toMatchObject(metadata);
    expect(Object.keys(made).slice(0, 5)).toEqual([
      'name',
      'namespace',
      'selfLink',
      'uid',
      'resourceVersion',
    ]);
    const { resourceVersion } = (await create('a')).metadata;
    expect((await replace('a', { metadata }, { dryRun: true })).metadata).toMatchObject({
      selfLink: '/x',
      resourceVersion,
    });
    const configuration = { apiVersion: 'books.io/v1', kind: 'Page', metadata: { name: 'a', ...metadata } };
    const apply = {
      configuration,
      force: true,
      // biome-ignore lint/correctness/useYield: nothing takes long
      *completeSteps(merged: ApiObject) {
        return merged;
      },
    };
    const { answer } = await verbs.update(context({ dryRun: true }), { name: 'a', apply });
    expect(objectOf(answer).metadata).toMatchObject({ selfLink: '/x', resourceVersion });
    expect((await replace('a', { metadata, text: 't' })).metadata).not.toHaveProperty('selfLink');
  });
});
