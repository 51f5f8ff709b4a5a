import { type ApiObject, type FieldError, FieldErrors, orchVocabulary } from '@ashlar/core';
import { compileValidator } from '@ashlar/validation';
import { describe, expect, it } from 'vitest';
import type { ResourceVersion } from '../definition/resource-definition.ts';
import { objectOf, type ResultObject } from '../definition/resource-storage.ts';
import type { SubresourceDefinition } from '../definition/subresource-kinds.ts';
import { createTestResource, shelvesOf } from './test-resource.fixture.ts';

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', maximum: 3 },
        tags: { type: 'array', items: { type: 'string' }, listType: 'set' },
        fixed: { type: 'array', items: { type: 'string' }, validations: [{ rule: 'self == oldSelf' }] },
        part: { type: 'object', embeddedResource: true, preserveUnknownFields: true },
      },
      validations: [{ rule: '!has(self.size) || self.size != 7' }],
    },
  },
} as const;
const shelves = shelvesOf({
  schema,
  validator: compileValidator(schema, { vocabulary: orchVocabulary }),
});

interface Tagged {
  readonly tags: readonly string[];
}

const causes = (error: { details?: { causes?: readonly FieldError[] } }): readonly string[] =>
  (error.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);

describe('a custom object of another kind', () => {
  it('is refused with the errors of its resources, lists and rules, but not of the schema', async () => {
    const { create } = createTestResource({ definition: shelves });
    const refused = async (spec: object): Promise<readonly string[]> =>
      create('a', { kind: 'Book', spec }).then(() => [], causes);
    expect(await refused({ size: 7, tags: ['x', 'x'] })).toEqual([
      'kind: Invalid value: "Book": must be Shelf',
      'spec.tags[1]: Duplicate value: "x"',
      'spec: Invalid value: "object": failed rule: !has(self.size) || self.size != 7',
    ]);
    expect(await refused({ size: 7, part: { kind: 'X' } })).toEqual([
      'kind: Invalid value: "Book": must be Shelf',
      'spec.part.apiVersion: Required value: must not be empty',
      expect.stringContaining('some validation rules were not checked'),
    ]);
    expect(await refused({ size: 5 })).toEqual(['kind: Invalid value: "Book": must be Shelf']);
  });

  it('is refused with the errors of rules about the object that it replaces', async () => {
    const { create, replace } = createTestResource({ definition: shelves });
    const { metadata } = await create('a', { kind: 'Shelf', spec: { fixed: ['x'] } });
    const refused = (fixed: readonly string[]): Promise<readonly string[]> =>
      replace('a', { kind: 'Book', metadata, spec: { fixed } }).then(() => [], causes);
    expect(await refused(['x'])).toEqual(['kind: Invalid value: "Book": must be Shelf']);
    expect(await refused(['y'])).toEqual([
      'kind: Invalid value: "Book": must be Shelf',
      'spec.fixed: Invalid value: "array": failed rule: self == oldSelf',
    ]);
  });

  it('is refused after the errors of its metadata in an update', async () => {
    const { create, replace } = createTestResource({ definition: shelves });
    const { metadata } = await create('a', { kind: 'Shelf' });
    const ownerReferences = [{ apiVersion: 'v1', kind: 'X', name: 'x' }];
    const refused = replace('a', { kind: 'Book', metadata: { ...metadata, ownerReferences } });
    expect(await refused.then(() => [], causes)).toEqual([
      'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
      'kind: Invalid value: "Book": must be Shelf',
    ]);
  });

  it('may be written to a status, which is all that is taken of it', async () => {
    const status: SubresourceDefinition = {
      name: 'status',
      verbs: ['update'],
      prepareForUpdate: (object, stored) => ({ ...stored, spec: (object as { spec?: object }).spec }),
      validateUpdate: (object) =>
        (object as ApiObject & { spec?: Tagged }).spec?.tags.includes('')
          ? [FieldErrors.required('spec.tags', '')]
          : [],
    };
    const [version] = shelves.versions as [ResourceVersion];
    const { create, verbs, context } = createTestResource({
      definition: { ...shelves, versions: [{ ...version, subresources: [status] }] },
    });
    await create('a', { kind: 'Shelf' });
    const write = async (tags: readonly string[]): Promise<{ answer: ResultObject }> => {
      const update = () => ({
        apiVersion: 'books.io/v1',
        kind: 'Book',
        metadata: { name: 'a' },
        spec: { tags },
      });
      return verbs.update(context(), { name: 'a', update, subresource: 'status' });
    };
    expect(objectOf((await write(['x'])).answer)).toMatchObject({ kind: 'Shelf', spec: { tags: ['x'] } });
    await expect(write([''])).rejects.toMatchObject({ code: 422, details: { kind: 'Book' } });
  });

  it('is refused after a conflict, and by an internal error if it has no version', async () => {
    const { create, verbs, context } = createTestResource({ definition: shelves });
    const { metadata } = await create('a', { kind: 'Shelf' });
    const write = async (object: object): Promise<unknown> => {
      const update = () => ({ apiVersion: 'books.io/v1', kind: 'Book', metadata, ...object });
      return verbs.update(context(), { name: 'a', update });
    };
    await expect(write({})).rejects.toMatchObject({ code: 422 });
    await expect(write({ metadata: { ...metadata, resourceVersion: '1' } })).rejects.toMatchObject({
      code: 409,
    });
    await expect(write({ apiVersion: '' })).rejects.toMatchObject({
      code: 500,
      message: "Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'",
    });
  });
});
