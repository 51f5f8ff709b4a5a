import { deepFreeze, type JsonValue } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { PatchError } from '../errors/patch-error.ts';
import { applyJsonPatch } from './apply-json-patch.ts';
import { decodeJsonPatch } from './decode-json-patch.ts';

const apply = (document: JsonValue, ...operations: JsonValue[]): JsonValue =>
  applyJsonPatch(deepFreeze(document), decodeJsonPatch(deepFreeze(operations)));

function refusal(action: () => unknown): PatchError {
  try {
    action();
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the operations', () => {
  it('adds members and items; the dash appends', () => {
    expect(apply({ a: {} }, { op: 'add', path: '/a/b', value: 1 })).toEqual({ a: { b: 1 } });
    expect(apply({ l: [1, 3] }, { op: 'add', path: '/l/1', value: 2 })).toEqual({ l: [1, 2, 3] });
    expect(apply({ l: [1] }, { op: 'add', path: '/l/-', value: 2 })).toEqual({ l: [1, 2] });
  });

  it('counts negative indices from the end', () => {
    expect(apply({ l: [1, 2] }, { op: 'remove', path: '/l/-1' })).toEqual({ l: [1] });
    expect(apply({ l: [1, 2] }, { op: 'add', path: '/l/-1', value: 3 })).toEqual({ l: [1, 2, 3] });
    expect(apply({ l: [1, 2] }, { op: 'replace', path: '/l/-2', value: 3 })).toEqual({ l: [3, 2] });
  });

  it('moves an item below the index where it was into the item that is there then', () => {
    const patch = { op: 'move', from: '/l/0', path: '/l/0/a' };
    expect(apply({ l: [['x'], { a: 0 }, 'z'] }, patch)).toEqual({ l: [{ a: ['x'] }, 'z'] });
  });

  it('moves, copies, replaces and removes', () => {
    expect(apply({ a: { x: 1 } }, { op: 'move', from: '/a', path: '/b' })).toEqual({ b: { x: 1 } });
    expect(apply({ a: [1] }, { op: 'copy', from: '/a', path: '/b' })).toEqual({ a: [1], b: [1] });
    expect(apply({ a: 1 }, { op: 'replace', path: '', value: { b: 2 } })).toEqual({ b: 2 });
    expect(
      apply({ 'a/b': 1, 'm~n': 2 }, { op: 'remove', path: '/a~1b' }, { op: 'remove', path: '/m~0n' }),
    ).toEqual({});
  });

  it('copies a list into itself', () => {
    expect(
      apply(
        { l: [{ k: 1 }] },
        { op: 'add', path: '/l/0/n', value: 2 },
        { op: 'copy', from: '/l', path: '/l/0' },
      ),
    ).toEqual({
      l: [[{ k: 1, n: 2 }], { k: 1, n: 2 }],
    });
  });

  it('separates a copy from its source', () => {
    const edited = apply(
      { a: { x: 1 } },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'replace', path: '/b/x', value: 2 },
    );
    expect(edited).toEqual({ a: { x: 1 }, b: { x: 2 } });
  });

  it.each([1, 5_000])('separates a copied list of %d from its source, whichever is written', (length) => {
    const list = Array.from({ length }, (_, i) => i);
    const [first, ...rest] = list;
    const patch = (...paths: string[]): JsonValue[] => [
      { op: 'add', path: '/l/0', value: 'before' },
      { op: 'copy', from: '/l', path: '/copy' },
      ...paths.map((path) => ({ op: 'add', path, value: 'after' })),
      { op: 'remove', path: '/l/1' },
    ];
    const source = (...start: JsonValue[]): JsonValue[] => [...start, first as number, ...rest];
    expect(apply({ l: list }, ...patch('/copy/0'))).toEqual({
      l: source('before').toSpliced(1, 1),
      copy: source('after', 'before'),
    });
    expect(apply({ l: list }, ...patch('/l/0', '/copy/-'))).toEqual({
      l: source('after'),
      copy: [...source('before'), 'after'],
    });
  });

  it('compares numbers by value and treats an absent key as null', () => {
    expect(
      apply({ a: 1 }, { op: 'test', path: '/a', value: 1.0 }, { op: 'test', path: '/b', value: null }),
    ).toEqual({ a: 1 });
  });

  it('treats prototype names as ordinary members', () => {
    const result = apply({}, { op: 'add', path: '/__proto__', value: { polluted: true } }) as object;
    expect(Object.keys(result)).toEqual(['__proto__']);
    expect('polluted' in {}).toBe(false);
    expect(refusal(() => apply({}, { op: 'remove', path: '/constructor' })).message).toContain(
      'nonexistent key',
    );
  });
});

describe('sharing', () => {
  it('preserves what the patch does not change, and the document itself for an empty patch', () => {
    const document = { a: { deep: [1] }, b: {} };
    const result = apply(document, { op: 'add', path: '/b/c', value: 1 }) as typeof document;
    expect(result.a).toBe(document.a);
    expect(document).toEqual({ a: { deep: [1] }, b: {} });
    expect(apply(document)).toBe(document);
  });
});

describe('patches that do not apply', () => {
  it.each<[string, JsonValue]>([
    ['Unexpected kind: Add', { op: 'Add', path: '/a' }],
    ['Unexpected kind: unknown', { path: '/a' }],
    ['Unexpected kind: unknown', null],
    ['add operation failed to decode path: missing value', { op: 'add', value: 1 }],
    [
      'add operation does not apply: doc is missing path: "/z/y": missing value',
      { op: 'add', path: '/z/y', value: 1 },
    ],
    [
      'add operation does not apply: doc is missing path: "a/b": missing value',
      { op: 'add', path: 'a/b', value: 1 },
    ],
    [
      "error in add for path: '/l/5': Unable to access invalid index: 5: invalid index referenced",
      { op: 'add', path: '/l/5', value: 1 },
    ],
    [
      "error in add for path: '/l/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
      { op: 'add', path: '/l/x', value: 1 },
    ],
    [
      'error in remove for path: \'/l/-\': strconv.Atoi: parsing "-": invalid syntax',
      { op: 'remove', path: '/l/-' },
    ],
    ['remove operation does not apply: doc is missing path: "": missing value', { op: 'remove', path: '' }],
    [
      'replace operation does not apply: doc is missing key: /z: missing value',
      { op: 'replace', path: '/z', value: 1 },
    ],
    [
      "error in move for path: 'z': Unable to remove nonexistent key: z: missing value",
      { op: 'move', from: '/z', path: '/y' },
    ],
    [
      'move operation failed to decode from: operation, missing from field: missing value',
      { op: 'move', path: '/y' },
    ],
    [
      'move operation does not apply: doc is missing destination path: /o/p: missing value',
      { op: 'move', from: '/o', path: '/o/p' },
    ],
    ["error in copy for from: '/z': missing value", { op: 'copy', from: '/z', path: '/y' }],
    ['add operation, missing value field: missing value', { op: 'add', path: '/z' }],
    ['testing value /a failed: test failed', { op: 'test', path: '/a', value: 2 }],
    ['testing value /a failed: test failed', { op: 'test', path: '/a' }],
  ])('fail with %s', (message, operation) => {
    const error = refusal(() => apply({ a: 1, l: [1], o: {} }, operation));
    expect([error.kind, error.message]).toEqual(['apply', message]);
  });

  it('rejects documents that are neither objects nor arrays', () => {
    expect(refusal(() => apply('x')).message).toBe(
      'json: cannot unmarshal string into Go value of type jsonpatch.partialDoc',
    );
  });
});

describe('the order of members', () => {
  it('is that of their names in objects that a pointer leads through', () => {
    const document = { z: [{ d: 1, c: { f: 1, e: 2 } }], y: { b: 1, a: 2 } };
    expect(JSON.stringify(apply(document, { op: 'add', path: '/z/0/b', value: 3 }))).toBe(
      '{"y":{"b":1,"a":2},"z":[{"b":3,"c":{"f":1,"e":2},"d":1}]}',
    );
    expect(JSON.stringify(apply(document, { op: 'copy', from: '/y/b', path: '/x' }))).toBe(
      '{"x":1,"y":{"a":2,"b":1},"z":[{"d":1,"c":{"f":1,"e":2}}]}',
    );
  });
});

describe('limits', () => {
  it('count operations', () => {
    const patch = Array.from({ length: 3 }, () => ({ op: 'test', path: '/a', value: 1 }));
    const error = refusal(() => applyJsonPatch({ a: 1 }, patch, { maximumOperations: 2 }));
    expect([error.kind, error.message]).toEqual([
      'too-many-operations',
      'The allowed maximum operations in a JSON patch is 2, got 3',
    ]);
  });

  it('count the bytes that copies add', () => {
    const patch = [
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'copy', from: '/a', path: '/c' },
    ];
    const bytes = JSON.stringify({ x: 'ü' }).length + 1;
    const document = { a: { x: 'ü' } };
    expect(applyJsonPatch(document, patch, { maximumCopyBytes: 2 * bytes })).toHaveProperty('c');
    expect(refusal(() => applyJsonPatch(document, patch, { maximumCopyBytes: 2 * bytes - 1 })).kind).toBe(
      'copy-limit',
    );
  });

  it('count the bytes of large objects as they are when they are copied', () => {
    const copied = { op: 'copy', from: '/a', path: '/copy' };
    const changes = [
      { op: 'add', path: '/a/more', value: 'x' },
      { op: 'remove', path: '/a/k1' },
      { op: 'replace', path: '/a/k2', value: { list: [{}], text: 'long' } },
      { op: 'add', path: '/a/k2/list/0/x', value: 1 },
      { op: 'copy', from: '/a/k2', path: '/a/k3' },
      { op: 'remove', path: '/a/k3/text' },
      { op: 'move', from: '/a/k2', path: '/a/k4' },
    ];
    const document = { a: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, i])) };
    const patch = [copied, ...changes.flatMap((change) => [change, copied])];
    let bytes = JSON.stringify({ list: [{ x: 1 }], text: 'long' }).length;
    for (let i = 0; i <= changes.length; i++) {
      const { a } = applyJsonPatch(document, changes.slice(0, i)) as { a: JsonValue };
      bytes += JSON.stringify(a).length;
    }
    expect(applyJsonPatch(document, patch, { maximumCopyBytes: bytes })).toHaveProperty('copy');
    expect(refusal(() => applyJsonPatch(document, patch, { maximumCopyBytes: bytes - 1 })).kind).toBe(
      'copy-limit',
    );
  });

  it('stop copies that double a document each time', () => {
    const patch = Array.from({ length: 100 }, (_, index) => ({ op: 'copy', from: '', path: `/${index}` }));
    const doubling = patch.map(({ op, path }) => ({ op, from: '/a', path: `/a${path}` }));
    expect(refusal(() => applyJsonPatch({ a: { x: 'y'.repeat(100) } }, doubling)).kind).toBe('copy-limit');
  });

  it('reject results that are nested too deeply', () => {
    const deep = JSON.parse('['.repeat(900) + ']'.repeat(900)) as JsonValue;
    const path = `/a${'/0'.repeat(899)}/-`;
    const error = refusal(() => apply({ a: deep }, { op: 'add', path, value: deep }));
    expect([error.kind, error.message]).toEqual(['apply', 'exceeded max depth']);
  });
});
