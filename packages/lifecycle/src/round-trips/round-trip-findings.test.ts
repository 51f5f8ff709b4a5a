import type { ApiObject, Schema } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { ReleasedDefinition, ReleasedVersion } from '../history/api-release.ts';
import { roundTripFindings } from './round-trip-findings.ts';

const withSpec = (properties: Readonly<Record<string, Schema>>, more: Partial<Schema> = {}): Schema => ({
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    metadata: { type: 'object' },
    spec: { type: 'object', properties, ...more },
  },
});
const text: Schema = { type: 'string' };

const version = (name: string, schema: Schema, more: Partial<ReleasedVersion> = {}): ReleasedVersion => ({
  ...{ name, served: true, storage: name === 'v1', schema },
  ...more,
});

const lost = (versions: readonly ReleasedVersion[], more: Partial<ReleasedDefinition> = {}) =>
  roundTripFindings({
    name: '1.0',
    definitions: [
      {
        group: 'example.com',
        names: { plural: 'widgets', kind: 'Widget' },
        scope: 'Namespaced',
        versions,
        ...more,
      },
    ],
  }).map(({ rule, version: of, message }) => `${rule} ${of}: ${message.split(':')[0]}`);

describe('roundTripFindings', () => {
  it('accepts versions of the same members, in any order and with other defaults', () => {
    const list: Schema = { type: 'array', items: { type: 'object', properties: { a: text, b: text } } };
    expect(
      lost([
        version('v1', withSpec({ a: text, list, port: { intOrString: true } })),
        version('v2', withSpec({ port: { intOrString: true }, list, a: { ...text, default: 'x' } })),
      ]),
    ).toEqual([]);
  });

  it('finds members that another version does not have, at any depth', () => {
    const inner = (names: Readonly<Record<string, Schema>>): Schema => ({
      type: 'array',
      items: { type: 'object', additionalProperties: { type: 'object', properties: names } },
    });
    expect(
      lost([
        version('v1', withSpec({ a: text, deep: inner({ b: text, c: text }) })),
        version('v2', withSpec({ deep: inner({ b: text }), d: text })),
      ]),
    ).toEqual([
      '2 v1: spec.a is lost in v2',
      '2 v1: spec.deep[].generated.c is lost in v2',
      '2 v2: spec.d is lost in v1',
    ]);
  });

  it('finds values that another version cannot have: of another type, or of an enumeration', () => {
    const level = (...values: readonly string[]): Schema => ({ type: 'string', enum: values });
    expect(
      lost([
        version('v1', withSpec({ size: { type: 'integer' }, level: level('a', 'b', 'c') })),
        version('v2', withSpec({ size: text, level: level('a', 'b', 'c', 'd') })),
      ]),
    ).toEqual([
      '2 v1: spec.size is lost in v2',
      '2 v2: spec.size is lost in v1',
      '2 v2: spec.level is lost in v1',
    ]);
  });

  it('keeps unknown members where a version does', () => {
    const open = withSpec({}, { preserveUnknownFields: true });
    expect(lost([version('v1', open), version('v2', withSpec({ a: text }))])).toEqual([
      '2 v1: spec.generated is lost in v2',
    ]);
    expect(lost([version('v1', open), version('v2', open)])).toEqual([]);
  });

  it('converts by the functions of a type', () => {
    const move =
      (from: string, to: string) =>
      (object: ApiObject): ApiObject => {
        const { [from]: moved, ...spec } = (object.spec ?? {}) as Record<string, unknown>;
        return { ...object, spec: { ...spec, ...(moved !== undefined && { [to]: moved }) } } as ApiObject;
      };
    const stored = version('v1', withSpec({ now: text }));
    const old = version('v1beta1', withSpec({ before: text }));
    const functions = { toStorage: move('before', 'now'), fromStorage: move('now', 'before') };
    expect(lost([stored, { ...old, ...functions }])).toEqual([]);
    expect(lost([stored, old])).toHaveLength(2);
    const { toStorage } = functions;
    expect(lost([stored, { ...old, toStorage }])).toEqual([
      '2 v1: spec.now is lost in v1beta1',
      '2 v1beta1: spec.before is lost in v1',
    ]);
  });

  it('checks only versions that are served or stored, and no types that are converted elsewhere', () => {
    const versions = [version('v1', withSpec({ a: text })), version('v2', withSpec({ b: text }))];
    expect(lost(versions)).toHaveLength(2);
    expect(lost(versions, { convertedElsewhere: true })).toEqual([]);
    const gone = versions.map((each) => (each.name === 'v2' ? { ...each, served: false } : each));
    expect(lost(gone)).toEqual([]);
  });

  it('ends for schemas that contain themselves', () => {
    const node: { type: 'object'; properties: Record<string, Schema> } = { type: 'object', properties: {} };
    node.properties.left = node;
    node.properties.right = node;
    expect(lost([version('v1', withSpec({ node })), version('v2', withSpec({ node }))])).toEqual([]);
  });
});
