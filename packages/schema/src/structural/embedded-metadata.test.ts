import type { JsonObject, JsonValue, Schema } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { coerceEmbedded, coerceRootMetadata } from './embedded-metadata.ts';

const failure = (read: () => JsonValue): string => {
  try {
    return JSON.stringify(read());
  } catch (error) {
    return (error as Error).message;
  }
};

describe('metadata with several values of wrong types', () => {
  it.each<[JsonObject, string]>([
    [{ labels: 'x', finalizers: [1] }, 'number into Go struct field ObjectMeta.finalizers of type string'],
    [{ labels: { b: [], a: 2 } }, 'number into Go struct field ObjectMeta.labels of type string'],
    [
      { ownerReferences: [{ uid: 1, name: 2 }] },
      'number into Go struct field OwnerReference.ownerReferences.name of type string',
    ],
  ])('tell of the first by name: %j', (metadata, text) => {
    const unread = `json: cannot unmarshal ${text}`;
    expect(failure(() => coerceRootMetadata({ metadata }, () => {}))).toBe(unread);
    const embedded = { embeddedResource: true } as const;
    expect(failure(() => coerceEmbedded({ metadata }, embedded, () => {}))).toContain(unread);
  });
});

it('metadata of a wrong type may contain unknown values that are nested as deep as one likes', () => {
  let other: JsonValue = {};
  for (let depth = 0; depth < 20_000; depth++) other = depth % 2 === 0 ? [other] : { other };
  expect(failure(() => coerceRootMetadata({ metadata: { other, labels: 1 } }, () => {}))).toBe(
    'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string',
  );
});

describe('nulls in embedded metadata', () => {
  const labels = { type: 'object', additionalProperties: { type: 'string' } } as const;
  const schema: Schema = {
    embeddedResource: true,
    properties: { metadata: { type: 'object', properties: { labels } } },
  };
  const metadata = { labels: { a: null, b: 'c' }, annotations: { a: null } };

  it('are dropped where the schema does not take them, and empty texts elsewhere', () => {
    expect(coerceEmbedded({ metadata }, schema, () => {})).toEqual({
      metadata: { labels: { b: 'c' }, annotations: { a: '' } },
    });
  });

  it('wait for validation where invalid parts are kept', () => {
    const kept = coerceEmbedded({ metadata }, schema, () => {}, { keepInvalid: true });
    expect(kept).toEqual({ metadata });
    const undeclared = coerceEmbedded({ metadata: { annotations: { a: null } } }, schema, () => {}, {
      keepInvalid: true,
    });
    expect(undeclared).toEqual({ metadata: { annotations: { a: '' } } });
  });
});
