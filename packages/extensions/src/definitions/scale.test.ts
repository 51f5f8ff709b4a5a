import type { ApiObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { scaleSubresource } from './scale.ts';

const view = scaleSubresource({
  specReplicasPath: '.spec.deep.wanted',
  statusReplicasPath: '.status.there',
  labelSelectorPath: '.status.selector',
});
const object = (spec: object, status: object = {}): ApiObject =>
  ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '7' },
    spec,
    status,
  }) as ApiObject;

describe('the scale of a custom kind', () => {
  it('shows the values of its paths', () => {
    expect(view.view(object({ deep: { wanted: 3 } }, { there: 2, selector: 'a=b' }))).toEqual({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '7', creationTimestamp: null },
      spec: { replicas: 3 },
      status: { replicas: 2, selector: 'a=b' },
    });
  });

  it('is an error where values of its paths are of other types', () => {
    const refused = (spec: object, status?: object): unknown => {
      try {
        return view.view(object(spec, status));
      } catch (error) {
        return error;
      }
    };
    expect(refused({ deep: { wanted: 1 } }, { there: [] })).toMatchObject({
      code: 500,
      message: '.status.there accessor error: [] is of the type []interface {}, expected int64',
    });
    expect(refused({ deep: { wanted: 'x' } })).toMatchObject({ code: 500, reason: '' });
    expect(refused({ deep: { wanted: 1 } }, { selector: 5 })).toMatchObject({ code: 500 });
    expect(refused({}, { selector: 5 })).toMatchObject({
      message: '.status.selector accessor error: 5 is of the type int64, expected string',
    });
  });

  it('is absent without replicas, but can be set', () => {
    expect(() => view.view(object({}))).toThrow('the spec replicas field ".spec.deep.wanted" does not exist');
    const before = view.viewForUpdate?.(object({})) as ApiObject;
    expect(() => view.merge(before, object({}))).toThrow(
      'the spec replicas field ".spec.deep.wanted" cannot be empty',
    );
    const merged = view.merge({ ...before, spec: { replicas: 4 } } as ApiObject, object({ other: 1 }));
    expect(merged).toMatchObject({ spec: { other: 1, deep: { wanted: 4 } } });
    expect(() => view.merge(merged, object({ deep: null }))).toThrow(
      'value cannot be set because .spec.deep is not a map[string]interface{}',
    );
  });

  it('rejects replicas of another type', () => {
    expect(() => view.view(object({ deep: { wanted: 'x' } }))).toThrow(
      '.spec.deep.wanted accessor error: x is of the type string, expected int64',
    );
    expect(() => view.view(object({ deep: { wanted: 1e30 } }))).toThrow(
      '.spec.deep.wanted accessor error: 1e+30 is of the type float64, expected int64',
    );
    expect(() => view.view(object({ deep: [{ b: [1, null], a: 'x' }] }))).toThrow(
      '.spec.deep.wanted accessor error: [map[a:x b:[1 <nil>]]] is of the type []interface {}, expected map[string]interface{}',
    );
  });
});
