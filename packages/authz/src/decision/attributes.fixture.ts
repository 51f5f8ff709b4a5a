import type { AuthorizationAttributes } from '@ashlar/core';

/** A request for config maps, with overrides. */
export function attributesOf(changes: Partial<AuthorizationAttributes> = {}): AuthorizationAttributes {
  return {
    user: { name: 'anna', groups: ['system:authenticated'] },
    verb: 'list',
    isResourceRequest: true,
    apiGroup: '',
    apiVersion: 'v1',
    resource: 'configmaps',
    subresource: '',
    namespace: 'ns',
    name: '',
    path: '/api/v1/namespaces/ns/configmaps',
    ...changes,
  };
}
