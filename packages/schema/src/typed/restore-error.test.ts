import type { JsonValue, Schema } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { compileTyped } from './typed-decode.ts';
import { TypedDecodeError } from './typed-decode-error.ts';

const schema: Schema = {
  type: 'object',
  typeName: 'io.books.v1.Page',
  properties: {
    text: { type: 'string' },
    policy: { type: 'string', typeName: 'io.books.v1.Policy' },
    done: { type: 'boolean' },
    size: { type: 'integer', format: 'int32' },
    share: { type: 'number' },
    bytes: { type: 'string', format: 'byte' },
    at: { type: 'string', format: 'date-time' },
    port: { intOrString: true },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    names: { type: 'array', items: { type: 'string' } },
    author: { type: 'object', typeName: 'io.books.v1.Author', properties: { name: { type: 'string' } } },
  },
};
const codec = compileTyped(schema);

/** The error of a value of a map. */
function errorOfMap(value: JsonValue): string {
  try {
    codec.decode(value, () => {});
    return 'none';
  } catch (error) {
    return TypedDecodeError.is(error) ? error.ofMap : String(error);
  }
}

describe('the error of a value of a map', () => {
  it.each<[string, JsonValue, string]>([
    ['labels', 'a', 'cannot restore map from string'],
    ['labels', ['a'], 'cannot restore map from slice'],
    ['names', { a: 1 }, 'cannot restore slice from map'],
    ['names', 1.5, 'cannot restore slice from float64'],
    ['bytes', true, 'cannot restore slice from bool'],
    ['author', 1, 'cannot restore struct from: int64'],
    ['text', 1, 'cannot convert int64 to string'],
    ['policy', 1, 'cannot convert int64 to v1.Policy'],
    ['policy', true, 'unrecognized type: string'],
    ['text', 1.5, 'unrecognized type: string'],
    ['text', {}, 'unrecognized type: string'],
    ['done', 'true', 'unrecognized type: bool'],
    ['size', '1', 'unrecognized type: int32'],
    ['size', 1.5, 'cannot convert float64 to int32'],
    ['share', 'all', 'unrecognized type: float64'],
    ['at', 1, 'json: cannot unmarshal number into Go value of type string'],
    ['port', 1.5, 'json: cannot unmarshal number 1.5 into Go value of type int32'],
    ['port', {}, 'json: cannot unmarshal object into Go value of type int32'],
    ['at', 'today', 'parsing time "today" as "2006-01-02T15:04:05Z07:00": cannot parse "today" as "2006"'],
  ])('of %s %j', (name, value, error) => {
    expect(errorOfMap({ author: { name: 'a' }, [name]: value })).toBe(error);
    expect(errorOfMap({ text: 'a' })).toBe('none');
  });
});
