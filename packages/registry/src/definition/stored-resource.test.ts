import type { ApiObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import {
  createTestResource,
  everything,
  objectOf,
  type Page,
  pages,
} from '../objects/test-resource.fixture.ts';
import { createStoredResource } from './create-stored-resource.ts';
import type { ResourceDefinition, ResourceVersion } from './resource-definition.ts';

const [v1] = pages.versions as [ResourceVersion];
const twice = (changes: Partial<ResourceVersion> = {}): ResourceDefinition => ({
  ...pages,
  versions: [v1, { ...v1, name: 'v1beta1', storage: false, ...changes }],
});

const stored = ({ engine }: ReturnType<typeof createTestResource>): ApiObject =>
  JSON.parse(new TextDecoder().decode(engine.get('/pages.books.io/x/a')?.value));

describe('a type of two versions', () => {
  it('is stored in one, and returned in the requested version', async () => {
    const resource = createTestResource({ definition: twice() });
    const beta = { version: 'v1beta1' };
    const made = await resource.verbs.create(resource.context(beta), {
      kind: 'Page',
      apiVersion: 'books.io/v1beta1',
      metadata: { name: 'a' },
      text: 't',
    } as Page);
    expect([objectOf(made).apiVersion, stored(resource).apiVersion]).toEqual([
      'books.io/v1beta1',
      'books.io/v1',
    ]);
    expect((await resource.get('a')).apiVersion).toBe('books.io/v1');
    expect(await resource.get('a', beta)).toMatchObject({ apiVersion: 'books.io/v1beta1', text: 't' });
    const { items } = await resource.verbs.list(resource.context(beta), everything);
    expect(items.map((item) => objectOf(item).apiVersion)).toEqual(['books.io/v1beta1']);
  });

  it('is written in either without changing the other', async () => {
    const resource = createTestResource({ definition: twice() });
    await resource.create('a', { text: 't' });
    const revision = resource.engine.currentRevision();
    const request = { name: 'a', update: (current: ApiObject | undefined) => current as ApiObject };
    const { answer } = await resource.verbs.update(resource.context({ version: 'v1beta1' }), request);
    expect([objectOf(answer).apiVersion, resource.engine.currentRevision()]).toEqual([
      'books.io/v1beta1',
      revision,
    ]);
  });

  it('is converted by its own functions', async () => {
    const definition = twice({
      toStorage: (object) =>
        ({ ...object, apiVersion: 'books.io/v1', text: (object as Page).text?.toLowerCase() }) as Page,
      fromStorage: (object) =>
        ({ ...object, apiVersion: 'books.io/v1beta1', text: (object as Page).text?.toUpperCase() }) as Page,
    });
    const resource = createTestResource({ definition });
    await resource.create('a', { text: 'LOUD' }, { version: 'v1beta1' });
    expect([(await resource.get('a')).text, (await resource.get('a', { version: 'v1beta1' })).text]).toEqual([
      'loud',
      'LOUD',
    ]);
  });

  it('is shown in either as a deletion would mark it', async () => {
    const resource = createTestResource({ definition: twice() });
    await resource.create('a', { text: 't' });
    const dryRun = resource.context({ version: 'v1beta1', dryRun: true });
    const { record, removed } = await resource.verbs.delete(dryRun, 'a', { propagationPolicy: 'Foreground' });
    expect(removed).toBe(false);
    expect(objectOf(record)).toMatchObject({
      apiVersion: 'books.io/v1beta1',
      metadata: { finalizers: ['foregroundDeletion'], deletionGracePeriodSeconds: 0 },
      text: 't',
    });
    expect(objectOf(record).metadata).toHaveProperty('deletionTimestamp');
  });

  it('is converted once per record', async () => {
    let count = 0;
    const definition = twice({
      fromStorage: (object) => {
        count++;
        return object;
      },
    });
    const resource = createTestResource({ definition });
    await resource.create('a');
    count = 0;
    for (let i = 0; i < 5; i++)
      await resource.verbs.list(resource.context({ version: 'v1beta1' }), everything);
    expect(count).toBe(1);
  });

  it('must have a stored version', () => {
    const none = { ...pages, versions: [{ ...v1, storage: false }] };
    expect(() => createTestResource({ definition: none })).toThrow(
      'pages.books.io has no version with storage: true',
    );
  });
});

describe('createStoredResource', () => {
  it('has only the verbs of its type', () => {
    const environment = {} as Parameters<typeof createStoredResource>[1];
    const verbs = createStoredResource(
      { ...pages, withoutVerbs: ['watch', 'deletecollection'] },
      environment,
    );
    expect(Object.keys(verbs).sort()).toEqual([
      'change',
      'count',
      'create',
      'delete',
      'deleteUnreadable',
      'get',
      'list',
      'update',
    ]);
  });
});
