import { groupName, undefinedIfNotFound, type Vocabulary } from '@ashlar/core';
import { ApiCatalog } from '@ashlar/http';
import type { ConfiguredVersions } from '@ashlar/lifecycle';
import {
  createStoredResource,
  type ObjectAllocator,
  type ResourceDefinition,
  withAdmission,
} from '@ashlar/registry';
import { checkEmulation, emulatedResources } from '../emulation/emulated-resources.ts';
import { checkGateOf, checkIsNew } from './check-server-options.ts';
import { configuredVersions, withRuntimeConfig } from './runtime-config.ts';
import type { ServerFoundation } from './server-foundation.ts';
import type { ApiServerSettings } from './server-settings.ts';
import { OWN_KEYS } from './store-vocabulary.ts';
import { systemContext } from './system-context.ts';

/** The resource types of a server besides those that arrive as custom resource definitions. */
export class ServedResources {
  readonly catalog: ApiCatalog;
  /** What callers see: the catalog, or the part of it that is published. */
  readonly published: ApiCatalog;
  readonly #settings: ApiServerSettings;
  readonly #foundation: ServerFoundation;
  readonly #definitions: ResourceDefinition[] = [];
  readonly #allocators: ObjectAllocator[] = [];
  readonly #configured: ConfiguredVersions | undefined;

  /** @throws RuntimeConfigError if the runtime configuration does not fit to the definitions */
  constructor(
    settings: ApiServerSettings,
    foundation: ServerFoundation,
    definitions: readonly ResourceDefinition[],
  ) {
    const { ambient, runtimeConfig } = settings;
    const { access } = foundation;
    this.#settings = settings;
    this.#foundation = foundation;
    this.catalog = foundation.catalog;
    this.published = settings.publishedGroups
      ? new ApiCatalog(ambient.vocabulary, this.catalog.encodings, this.catalog.budget)
      : this.catalog;
    const needed = neededResources(ambient.vocabulary, {
      signing: settings.certificateSigning !== undefined,
      roles: access.usesRoles,
    });
    const reviews = emulatedResources(settings.emulation, access.resources, ambient.vocabulary);
    checkEmulation(settings.emulation, definitions, needed);
    this.#configured =
      runtimeConfig && configuredVersions(runtimeConfig, [...reviews, ...definitions], needed);
    for (const review of reviews) this.#serveReview(review);
    for (const definition of definitions) this.serve(definition);
  }

  /** Definitions that a fork serves, too: all but the reviews, which use the authorizer of their server. */
  get definitions(): readonly ResourceDefinition[] {
    return this.#definitions;
  }

  /** What gives objects addresses, and repairs its records. */
  get allocators(): readonly ObjectAllocator[] {
    return this.#allocators;
  }

  /** @throws TypeError if a resource of the group has the same plural or kind, or needs a feature gate that is off */
  serve(definition: ResourceDefinition): void {
    checkIsNew(definition, this.#definitions);
    const { ambient, featureGates } = this.#settings;
    const { admission } = this.#foundation;
    const store = definition.createStore?.(definition, ambient) ?? this.#foundation.store;
    const configured = withRuntimeConfig(definition, this.#configured);
    checkGateOf(configured, featureGates);
    const allocator = this.#allocatorOf(definition);
    const retriesNames = featureGates.isEnabled('RetryGenerateName');
    const storage =
      definition.storage ??
      createStoredResource(definition, { store, ambient, admission, allocator, retriesNames });
    this.catalog.add(configured, storage);
    if (this.#settings.publishedGroups?.has(definition.group)) this.published.add(configured, storage);
    this.#definitions.push(definition);
    if (allocator) this.#allocators.push(allocator);
  }

  #serveReview(review: ResourceDefinition): void {
    const { store, admission } = this.#foundation;
    const { ambient } = this.#settings;
    const storage = withAdmission(review, review.storage ?? {}, { store, ambient, admission });
    this.catalog.add(withRuntimeConfig(review, this.#configured), storage);
  }

  #allocatorOf(definition: ResourceDefinition): ObjectAllocator | undefined {
    const { ambient, serviceNetwork, onError } = this.#settings;
    return definition.createAllocator?.({
      ...{ store: this.#foundation.store, ambient, serviceNetwork, onError, recordPrefix: OWN_KEYS },
      deleteRelated: (plural, namespace, name) => this.#delete(plural, namespace, name),
    });
  }

  async #delete(plural: string, namespace: string, name: string): Promise<void> {
    const served = this.catalog.find('', 'v1', plural);
    try {
      await served?.storage.delete?.(systemContext(served, namespace), name, {});
    } catch (error) {
      undefinedIfNotFound(error);
    }
  }
}

/** Returns the resources that a server itself uses and that a runtime configuration must not disable. */
function neededResources(
  vocabulary: Vocabulary,
  uses: { readonly signing: boolean; readonly roles: boolean },
): readonly string[] {
  const of = (group: string, ...plurals: readonly string[]): readonly string[] =>
    plurals.map((plural) => `${groupName(vocabulary, group)}/v1/${plural}`);
  return [
    ...of('apiextensions.', 'customresourcedefinitions'),
    ...of('apiregistration.', 'apiservices'),
    ...(uses.signing ? of('certificates.', 'certificatesigningrequests') : []),
    ...(uses.roles
      ? of('rbac.authorization.', 'clusterroles', 'clusterrolebindings', 'roles', 'rolebindings')
      : []),
  ];
}
