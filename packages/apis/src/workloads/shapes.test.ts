import { compileProtobuf } from '@ashlar/codec';
import { type JsonObject, kubernetesVocabulary, type Schema } from '@ashlar/core';
import { compileTyped } from '@ashlar/schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryOf } from './arbitrary-object.fixture.ts';
import { storageVersionMigrations } from './storagemigration/storage-version-migrations.ts';
import { workloadResources } from './workload-resources.ts';

const versions = [
  ...workloadResources(kubernetesVocabulary),
  storageVersionMigrations(kubernetesVocabulary),
].flatMap(({ names, versions: all, views = [], actions = [] }) => [
  ...all.map((version) => ({ ...version, name: `${names.kind} ${version.name}` })),
  ...[...views, ...actions].map(({ kind, schema }) => ({ name: kind, schema, complete: undefined })),
]);

/** A value as the kind's decoder returns it. */
function decoded(schema: Schema, value: unknown): JsonObject {
  return compileTyped(schema).decode(value as JsonObject, ({ path }) => expect.fail(`unknown ${path}`));
}

/**
 * Protobuf does not distinguish empty lists from absent ones; JSON does for the few lists that are always
 * written.
 */
function emptyAsNull(object: JsonObject): unknown {
  return JSON.parse(
    JSON.stringify(object, (_, value) => (Array.isArray(value) && value.length === 0 ? null : value)),
  );
}

describe.each(versions)('$name', ({ schema, complete }) => {
  it('is the same in Protobuf', () => {
    const codec = compileProtobuf(schema);
    fc.assert(
      fc.property(arbitraryOf(schema), (value) => {
        const { kind: _, apiVersion: __, ...object } = decoded(schema, value);
        expect(emptyAsNull(decoded(schema, codec.decode(codec.encode(object))))).toEqual(emptyAsNull(object));
      }),
      { numRuns: 10 },
    );
  });

  it('has unique numbers', () => {
    const seen = new Set<Schema>();
    const check = ({ properties = {}, items, additionalProperties }: Schema): void => {
      const tags = Object.values(properties).flatMap(({ tag }) => (tag === undefined ? [] : [String(tag)]));
      expect(new Set(tags).size).toBe(tags.length);
      for (const part of [...Object.values(properties), items, additionalProperties]) {
        if (typeof part !== 'object' || seen.has(part)) continue;
        seen.add(part);
        check(part);
      }
    };
    check(schema);
  });

  it.skipIf(!complete)('is idempotently defaulted', () => {
    fc.assert(
      fc.property(arbitraryOf(schema), (value) => {
        const object = { apiVersion: 'v1', kind: 'X', ...decoded(schema, value) } as never;
        const once = complete?.(object);
        expect(complete?.(once as never)).toEqual(once);
        const { kind: _, apiVersion: __, ...rest } = once as unknown as JsonObject;
        expect(decoded(schema, rest)).toEqual(rest);
      }),
      { numRuns: 10 },
    );
  });
});
