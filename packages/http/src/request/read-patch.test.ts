import { type JsonObject, type JsonValue, runAtOnce, StatusError } from '@ashlar/core';
import type { FieldValidation } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { MERGE_PATCH, readPatchSteps, STRATEGIC_MERGE_PATCH } from './read-patch.ts';

/** What a merge patch makes of an object, or the text of its refusal. */
function merged(text: string, fieldValidation: FieldValidation): JsonValue {
  const object: JsonObject = { a: 1 };
  try {
    const steps = readPatchSteps(MERGE_PATCH, new TextEncoder().encode(text), fieldValidation, {});
    return runAtOnce(runAtOnce(steps).applySteps(object));
  } catch (error) {
    if (StatusError.is(error)) return `${error.code} ${error.message}`;
    throw error;
  }
}

/** The answers of the reference were recorded. */
describe('a merge patch', () => {
  it.each(['"x"', '5', 'null', 'true', ' ', '{'])('is none if it is %s and fields are ignored', (text) => {
    expect(merged(text, 'Ignore')).toBe('400 Invalid JSON Patch');
  });

  it('may be an array if fields are ignored, which takes the place of the object', () => {
    expect(merged('[1]', 'Ignore')).toEqual([1]);
    expect(JSON.stringify(merged('[{"kind":"K","b":[{"z":1,"a":null}]}]', 'Ignore'))).toBe(
      '[{"b":[{"z":1}],"kind":"K"}]',
    );
    expect(merged('{"b":2}', 'Ignore')).toEqual({ a: 1, b: 2 });
  });

  it.each([
    [
      '[]',
      '400 error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    [
      '5',
      '400 error decoding patch: json: cannot unmarshal number into Go value of type map[string]interface {}',
    ],
    ['null', '400 Invalid JSON Patch'],
    [' ', '400 error decoding patch: unexpected end of JSON input'],
  ])('is refused if it is %s and fields are checked', (text, refusal) => {
    expect(merged(text, 'Warn')).toBe(refusal);
  });
});

describe('a strategic merge patch', () => {
  it.each([{ kind: 'pod' }, { kind: '' }, { kind: null }, { apiVersion: 'a/b/c' }, { apiVersion: null }])(
    'does not change the kind: %j',
    (patch) => {
      const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
      const text = new TextEncoder().encode(JSON.stringify(patch));
      const { applySteps } = runAtOnce(readPatchSteps(STRATEGIC_MERGE_PATCH, text, 'Warn', {}));
      expect(runAtOnce(applySteps(object))).toEqual(object);
    },
  );
});
