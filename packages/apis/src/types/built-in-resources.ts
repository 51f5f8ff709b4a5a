import type { Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { configMaps } from '../core/configmaps.ts';
import { namespaces } from '../core/namespaces.ts';
import { secrets } from '../core/secrets.ts';
import { serviceAccounts } from '../core/serviceaccounts.ts';
import type { TokenRequestOptions } from '../core/token-request.ts';
import { type EventOptions, events } from '../events/events.ts';
import { newEvents } from '../events/events-events.ts';
import { leases } from '../leases/leases.ts';
import { clusterRoleBindings, roleBindings } from '../rbac/role-bindings.ts';
import { clusterRoles, roles } from '../rbac/roles.ts';

/** Options of the built-in types. */
export interface BuiltInResourcesOptions extends EventOptions {
  /** Options of the TokenRequest subresource; without it the subresource is not served. */
  readonly tokens?: TokenRequestOptions;
}

/**
 * Every stored built-in type, in the order of registration: the core group, then the others by name.
 * @example
 * for (const definition of builtInResources(ambient.vocabulary)) register(definition);
 */
export function builtInResources(
  vocabulary: Vocabulary,
  options: BuiltInResourcesOptions = {},
): readonly ResourceDefinition[] {
  return [
    namespaces(vocabulary),
    configMaps(vocabulary),
    secrets(vocabulary),
    serviceAccounts(vocabulary, options.tokens),
    events(vocabulary, options),
    leases(vocabulary),
    newEvents(vocabulary, options),
    clusterRoleBindings(vocabulary),
    clusterRoles(vocabulary),
    roleBindings(vocabulary),
    roles(vocabulary),
  ];
}
