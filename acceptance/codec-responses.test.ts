import { compileProtobuf, encodeEnvelope } from '@ashlar/codec';
import { statusSchema } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { differenceOf } from '../conformance/codecs/compared-responses.ts';
import { documentDifferences } from '../conformance/codecs/documents.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const codec = compileProtobuf(statusSchema);
const codecs = (_: string, kind: string) => (kind === 'Status' ? codec : undefined);

const json = (value: object, status = 200, type = 'application/json') => ({
  ...{ status, type },
  body: Buffer.from(JSON.stringify(value)),
});
const protobuf = (value: object, more: readonly number[] = []) => ({
  ...{ status: 422, type: PROTOBUF },
  body: encodeEnvelope({
    ...{ apiVersion: 'v1', kind: 'Status' },
    raw: Uint8Array.from([...codec.encode(value as never), ...more]),
  }),
});
const pod = (uid: string, more: object = {}) => ({
  kind: 'Pod',
  metadata: { name: 'a', uid, resourceVersion: uid, creationTimestamp: `2024-01-02T03:04:0${uid}Z`, ...more },
});

describe('the comparison of answers', () => {
  it('leaves out what servers choose, and nothing else', () => {
    expect(differenceOf(json(pod('1')), json(pod('2')), codecs)).toBeUndefined();
    expect(differenceOf(json(pod('1')), json(pod('1', { labels: {} })), codecs)).toContain('labels');
    const { kind, metadata } = pod('1');
    expect(differenceOf(json({ kind, metadata }), json({ metadata, kind }), codecs)).toBeDefined();
    expect(differenceOf(json(pod('1'), 200), json(pod('1'), 201), codecs)).toMatch(/^200 .* ≠ 201 /);
    const yaml = json(pod('1'), 200, 'application/yaml');
    expect(differenceOf(json(pod('1')), yaml, codecs)).toContain('≠ 200 application/yaml');
  });

  it('compares the bytes of Protobuf, besides what is in them', () => {
    const status = { status: 'Failure', code: 422 };
    expect(differenceOf(protobuf(status), protobuf(status), codecs)).toBeUndefined();
    expect(differenceOf(protobuf(status), protobuf({ ...status, code: 409 }), codecs)).toContain('422');
    const unknown = protobuf(status, [0x82, 0xfa, 0x01, 0x01, 0x41]);
    expect(differenceOf(protobuf(status), unknown, codecs)).toMatch(/^bytes: /);
    const other = encodeEnvelope({ apiVersion: 'v1', kind: 'Other', raw: Uint8Array.of(8, 1) });
    const same = encodeEnvelope({ apiVersion: 'v1', kind: 'Other', raw: Uint8Array.of(8, 2) });
    const answer = (body: Uint8Array) => ({ status: 200, type: PROTOBUF, body });
    expect(differenceOf(answer(other), answer(same), codecs)).toMatch(/^bytes: /);
  });

  it('takes no part in how values of errors are printed, but in what is said of them', () => {
    const invalid = (value: string, why: string, field = 'spec') => ({
      kind: 'Status',
      message: `A "a" is invalid: ${field}: Invalid value: ${value}: ${why}`,
      details: {
        causes: [{ field, reason: 'FieldValueInvalid', message: `Invalid value: ${value}: ${why}` }],
      },
    });
    const ours = protobuf(invalid('{"a":1}', 'must be b'));
    const theirs = 'core.Spec{A:(*int)(0x1c32), B:map[string]string(nil)}';
    expect(differenceOf(ours, protobuf(invalid(theirs, 'must be b')), codecs)).toBeUndefined();
    expect(differenceOf(ours, protobuf(invalid(theirs, 'must be c')), codecs)).toContain('must be c');
    expect(differenceOf(ours, protobuf(invalid(theirs, 'must be b', 'status')), codecs)).toContain('status');
  });
});

describe('the comparison of documents', () => {
  it('names the paths that differ, but for what each server words itself', () => {
    const ours = { a: { description: 'x', type: 'string' }, list: [1, 2] };
    const theirs = { list: [1, 2, 3], a: { type: 'object', description: 'y' }, 'b/c': true };
    expect([...documentDifferences(ours, theirs)]).toEqual([
      '/a/type: "string" ≠ "object"',
      '/list/2: null ≠ 3',
      '/b~1c: absent ≠ true',
    ]);
    expect([...documentDifferences(ours, { ...ours })]).toEqual([]);
    // a property of that name is no text
    const property = { properties: { description: { type: 'string' } } };
    expect([...documentDifferences(property, { properties: {} })]).toHaveLength(1);
  });
});
