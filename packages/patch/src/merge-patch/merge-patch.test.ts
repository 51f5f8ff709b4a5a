import { deepFreeze, type JsonObject, type JsonValue } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { applyMergePatch, decodeMergePatch } from './merge-patch.ts';

describe('applyMergePatch', () => {
  it.each<[JsonValue, JsonValue, JsonValue]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ a: 'b' }, { a: [{ x: null }, null] }, { a: [{}, null] }],
    [['a'], { a: 'c' }, { a: 'c' }],
    [{ a: 1 }, ['c', { d: null }], ['c', {}]],
  ])('%j with %j is %j', (document, patch, result) => {
    expect(applyMergePatch(deepFreeze(document), deepFreeze(patch))).toEqual(result);
  });

  it('returns the document itself if nothing changes, and shares unchanged parts', () => {
    const document = deepFreeze({ a: { b: 1 }, c: { d: 1 } });
    expect(applyMergePatch(document, { a: { b: 1, x: null } })).toBe(document);
    expect((applyMergePatch(document, { a: { b: 2 } }) as JsonObject).c).toBe(document.c);
  });

  it('treats prototype names as ordinary members', () => {
    const patch = JSON.parse('{"__proto__":{"polluted":true},"constructor":null}') as JsonValue;
    const result = applyMergePatch({}, patch) as object;
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":true}}');
    expect('polluted' in result).toBe(false);
  });

  it.each<[JsonValue, JsonValue, string]>([
    [null, {}, 'Invalid JSON Document'],
    [{}, null, 'Invalid JSON Patch'],
    [{}, 'x', 'Invalid JSON Patch'],
    [{}, 1, 'Invalid JSON Patch'],
  ])('%j with %j: %s', (document, patch, message) => {
    expect(() => applyMergePatch(document, patch)).toThrow(
      expect.objectContaining({ kind: 'decode', message }),
    );
  });
});

describe('the order of members', () => {
  it('is that of their names in objects that change, and in new ones', () => {
    const document = { z: { d: 1, c: 1 }, y: { b: 1, a: 1 } };
    expect(JSON.stringify(applyMergePatch(document, { z: { d: 2 }, x: { f: 1, e: 1 } }))).toBe(
      '{"x":{"e":1,"f":1},"y":{"b":1,"a":1},"z":{"c":1,"d":2}}',
    );
  });
});

describe('decodeMergePatch', () => {
  it('accepts objects only', () => {
    expect(decodeMergePatch({ a: 1 })).toEqual({ a: 1 });
    expect(() => decodeMergePatch(null)).toThrow('Invalid JSON Patch');
    expect(() => decodeMergePatch([])).toThrow(
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    );
  });
});
