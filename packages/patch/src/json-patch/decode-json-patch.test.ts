import type { JsonValue } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { decodeJsonPatch, strictJsonPatchFindings } from './decode-json-patch.ts';

describe('decodeJsonPatch', () => {
  it('treats null as the empty patch, and as an operation without members', () => {
    expect(decodeJsonPatch(null)).toEqual([]);
    expect(decodeJsonPatch([null, { op: 'test' }])).toEqual([null, { op: 'test' }]);
  });

  it.each<[JsonValue, string]>([
    [{}, 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
    ['x', 'json: cannot unmarshal string into Go value of type jsonpatch.Patch'],
    [[1], 'json: cannot unmarshal number into Go value of type jsonpatch.Operation'],
    [[[]], 'json: cannot unmarshal array into Go value of type jsonpatch.Operation'],
    [[true], 'json: cannot unmarshal bool into Go value of type jsonpatch.Operation'],
  ])('rejects %j', (value, message) => {
    expect(() => decodeJsonPatch(value)).toThrow(expect.objectContaining({ kind: 'decode', message }));
  });

  it('rejects values nested too deeply, without recursion', () => {
    let value: JsonValue = 1;
    for (let depth = 0; depth < 200_000; depth++) value = [value];
    expect(() => decodeJsonPatch([{ op: 'add', path: '/a', value }])).toThrow('exceeded max depth');
  });
});

describe('strictJsonPatchFindings', () => {
  it('lists unknown members of operations, whatever the value', () => {
    const patch = [
      { op: 'add', path: '/a', value: { foo: 1 }, foo: 1 },
      { Op: 'test', from: '/a' },
    ];
    expect(strictJsonPatchFindings(patch)).toEqual([
      'json patch unknown field "[0].foo"',
      'json patch unknown field "[1].Op"',
    ]);
    expect(strictJsonPatchFindings([null, {}])).toEqual([]);
  });

  it.each<[JsonValue, string]>([
    [{}, 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    [[1], 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
    [
      [{ op: 1 }],
      'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
    ],
    [
      [{ path: ['x'] }],
      'error decoding patch: json: cannot unmarshal array into Go struct field jsonPatchOp.path of type string',
    ],
  ])('rejects %j', (value, message) => {
    expect(() => strictJsonPatchFindings(value)).toThrow(
      expect.objectContaining({ kind: 'decode', message }),
    );
  });
});
