import type { AdmissionChain } from '@ashlar/admission';
import {
  type ApiObject,
  orchVocabulary,
  partialObjectMetadataSchema,
  StatusError,
  successStatus,
} from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { ActionSubresource } from '../definition/subresource-kinds.ts';
import { createTestResource, type Page, pages, type TestResource } from '../objects/test-resource.fixture.ts';

interface Stamp extends ApiObject {
  readonly ink?: string;
}

function stamping(
  admission: Partial<AdmissionChain> = {},
  more: Partial<ActionSubresource> = {},
): {
  readonly resource: TestResource;
  readonly received: ApiObject[];
} {
  const received: ApiObject[] = [];
  const stamp: ActionSubresource = {
    name: 'stamp',
    group: 'offices.io',
    version: 'v2',
    kind: 'Stamp',
    schema: {
      type: 'object',
      typeName: 'test.Stamp',
      properties: { ...partialObjectMetadataSchema.properties, ink: { type: 'string', tag: 2 } },
    },
    async create(context, name, submitted, { parent }) {
      received.push(submitted);
      const { ink } = submitted as Stamp;
      await parent.change(context, name, (stored) => ({ ...stored, text: ink }) as Page);
      return successStatus({ name });
    },
    ...more,
  };
  const resource = createTestResource({ definition: { ...pages, actions: [stamp] }, admission });
  return { resource, received };
}

const blue = { kind: 'Stamp', apiVersion: 'offices.io/v2', metadata: { name: 'a' }, ink: 'blue' } as Stamp;

async function act({ verbs, context }: TestResource, action = 'stamp'): Promise<unknown> {
  const { change } = verbs;
  const environment = {
    parent: { storage: verbs, change },
    related: () => undefined,
    timestamp: '',
    ambient: { vocabulary: orchVocabulary },
  };
  return verbs.act(context(), { action, name: 'a', object: blue, environment });
}

describe('an action', () => {
  it('passes admission as a creation of its kind under the name of its parent', async () => {
    const { resource } = stamping();
    await resource.create('a');
    resource.questions.length = 0;
    await expect(act(resource)).resolves.toMatchObject({ status: 'Success' });
    expect((await resource.get('a')).text).toBe('blue');
    const asked = {
      operation: 'CREATE',
      resource: { group: 'books.io', version: 'v1', resource: 'pages' },
      kind: { group: 'offices.io', version: 'v2', kind: 'Stamp' },
      ...{ subresource: 'stamp', namespace: 'x', name: 'a' },
      object: { ...blue, metadata: { name: 'a', namespace: 'x' } },
    };
    expect(resource.questions).toMatchObject([
      { phase: 'mutate', ...asked },
      { phase: 'validate', ...asked },
    ]);
  });

  it('receives what admission changed, decoded again', async () => {
    const mutate = async (): Promise<ApiObject> => ({ ...blue, ink: 'red', unknown: 1 }) as ApiObject;
    const { resource, received } = stamping({
      mutate: async (request) => (request.subresource === 'stamp' ? mutate() : request.object),
    });
    await resource.create('a');
    await act(resource);
    expect(received).toMatchObject([{ ...blue, ink: 'red' }]);
    expect(received[0]).not.toHaveProperty('unknown');
    expect(resource.questions.at(-1)).toMatchObject({ phase: 'validate', object: { ink: 'red' } });
  });

  it('is prepared for what validates it', async () => {
    const prepare = async (_: unknown, __: unknown, stamp: Stamp) => ({ ...stamp, ink: `${stamp.ink}ish` });
    const { resource, received } = stamping({}, { prepare });
    await resource.create('a');
    resource.questions.length = 0;
    await act(resource);
    expect(resource.questions).toMatchObject([{ object: { ink: 'blue' } }, { object: { ink: 'blueish' } }]);
    expect(received).toMatchObject([{ ink: 'blueish' }]);
  });

  it('does not run if admission rejects it', async () => {
    const refuse = async ({ subresource }: { subresource: string }): Promise<void> => {
      if (subresource === 'stamp') throw StatusError.badRequest('no stamps today');
    };
    const { resource, received } = stamping({ validate: refuse });
    await resource.create('a');
    await expect(act(resource)).rejects.toThrow('no stamps today');
    expect([received, (await resource.get('a')).text]).toEqual([[], undefined]);
  });

  it('fails with 405 if the type does not have it', async () => {
    const { resource } = stamping();
    await expect(act(resource, 'seal')).rejects.toMatchObject({ status: { code: 405 } });
  });
});
