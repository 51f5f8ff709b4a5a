import { type ApiObject, fieldErrorText, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { established, v1, widgets } from './definition.fixture.ts';
import { fromCustomResourceDefinition } from './from-custom-resource-definition.ts';

const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' };
const user = { name: 'somebody', groups: [] };
const object = (spec: object, status?: object, version = 'v1'): ApiObject =>
  ({
    apiVersion: `example.com/${version}`,
    kind: 'Widget',
    metadata: { name: 'a' },
    spec,
    ...(status && { status }),
  }) as ApiObject;

describe('fromCustomResourceDefinition', () => {
  it('has the accepted names', () => {
    const definition = fromCustomResourceDefinition(
      established(widgets({ names: { shortNames: ['wd'], categories: ['all'] } })),
      orchVocabulary,
    );
    expect(definition).toMatchObject({
      group: 'example.com',
      names: {
        plural: 'widgets',
        singular: 'widget',
        kind: 'Widget',
        listKind: 'WidgetList',
        shortNames: ['wd'],
        categories: ['all'],
      },
      scope: 'Namespaced',
      dialect: 'custom',
      terminating: false,
    });
  });

  it('sorts the versions by priority', () => {
    const versions = ['v1beta1', 'v2', 'v1'].map((name, index) => ({ ...v1, name, storage: index === 0 }));
    const { versions: sorted } = fromCustomResourceDefinition(
      established(widgets({ versions })),
      orchVocabulary,
    );
    expect(sorted.map(({ name }) => name)).toEqual(['v2', 'v1', 'v1beta1']);
  });

  it('compiles a schema on first use, and once', () => {
    const broken = {
      ...v1,
      schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'string', pattern: '(' } } } },
    };
    const {
      versions: [version],
    } = fromCustomResourceDefinition(established(widgets({ versions: [broken] })), orchVocabulary);
    expect(version?.schema).toBe(version?.schema);
    expect(version?.structure).toBe(version?.structure);
    expect(() => version?.validator?.validate({})).toThrow(TypeError);
  });

  it("warns about deprecated versions in the definition's words or default ones", () => {
    const versions = [
      { ...v1, name: 'v1alpha1', storage: false, deprecated: true },
      { ...v1, deprecated: true, deprecationWarning: 'leave' },
      { ...v1, name: 'v2', storage: false },
      { ...v1, name: 'v3', storage: false, served: false },
    ];
    const definition = fromCustomResourceDefinition(established(widgets({ versions })), orchVocabulary);
    const warnings = Object.fromEntries(definition.versions.map(({ name, warning }) => [name, warning]));
    expect(warnings).toEqual({
      v1alpha1: 'example.com/v1alpha1 Widget is deprecated; use example.com/v2 Widget',
      v1: 'leave',
      v2: '',
      v3: '',
    });
  });

  it('has a status subresource in versions that declare it', () => {
    const versions = [
      { ...v1, subresources: { status: {} } },
      { ...v1, name: 'v2', storage: false },
    ];
    const { strategy, versions: made } = fromCustomResourceDefinition(
      established(widgets({ versions })),
      orchVocabulary,
    );
    expect(made.map(({ name, subresources }) => [name, subresources?.length])).toEqual([
      ['v2', 0],
      ['v1', 1],
    ]);
    expect(strategy.prepareForCreate?.(object({}, { ready: 1 }), user)).not.toHaveProperty('status');
    expect(strategy.prepareForCreate?.(object({}, { ready: 1 }, 'v2'), user)).toHaveProperty('status');
  });

  it('validates replicas', () => {
    const { strategy } = fromCustomResourceDefinition(
      established(widgets({ versions: [{ ...v1, subresources: { scale } }] })),
      orchVocabulary,
    );
    expect(strategy.validate?.(object({ size: -1 }, { ready: 3_000_000_000 })).map(fieldErrorText)).toEqual([
      '.spec.size: Invalid value: -1: should be a non-negative integer',
      '.status.ready: Invalid value: 3000000000: should be less than or equal to 2147483647',
    ]);
    expect(strategy.validate?.(object({}))).toEqual([]);
  });
});
