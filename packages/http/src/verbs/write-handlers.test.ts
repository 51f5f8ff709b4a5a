import { type ApiObject, StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { ServedResource } from '../catalog/served-resource.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import { inNamespace } from './write-handlers.ts';

const submitted = (metadata: object, namespaced = true): ApiObject =>
  inNamespace(
    { info: { namespace: 'x' } } as RequestScope,
    { namespaced } as ServedResource,
    { apiVersion: 'v1', kind: 'Note', metadata } as ApiObject,
  );

describe('inNamespace', () => {
  it('gives an object that names none the namespace of its path, for admission to see', () => {
    expect(submitted({ name: 'a' }).metadata).toEqual({ name: 'a', namespace: 'x' });
    expect(submitted({ name: 'a', namespace: 'x' }).metadata).toEqual({ name: 'a', namespace: 'x' });
    expect(submitted({ name: 'a' }, false).metadata).toEqual({ name: 'a' });
  });

  it('refuses another namespace', () => {
    expect(() => submitted({ name: 'a', namespace: 'y' })).toThrow(StatusError);
  });
});
