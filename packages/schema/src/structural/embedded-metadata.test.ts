import type { JsonObject, JsonValue } from '@ashlar/core';
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
