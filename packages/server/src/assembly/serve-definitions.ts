import type { AdmissionChain, ServiceResolver } from '@ashlar/admission';
import type { Ambient, Metrics, Transport } from '@ashlar/core';
import {
  ConversionMetrics,
  type ConvertObjects,
  createConverter,
  createDefinitionController,
  createDefinitionInstaller,
  type DefinitionController,
  type DefinitionInstaller,
  extensionsGroup,
  fromCustomResourceDefinition,
  type InstalledDefinition,
} from '@ashlar/extensions';
import type { ApiCatalog } from '@ashlar/http';
import { createStoredResource } from '@ashlar/registry';
import type { ObjectStore } from '@ashlar/storage';
import { ITSELF } from './loopback-identity.ts';

/** The installer and the controller of custom resource definitions. */
export interface ServedDefinitions {
  readonly installer: DefinitionInstaller;
  readonly controller: DefinitionController;
}

export interface ServedDefinitionsOptions {
  readonly store: ObjectStore;
  readonly ambient: Ambient;
  readonly admission: AdmissionChain;
  readonly catalog: ApiCatalog;
  /** Sends requests to conversion webhooks. */
  readonly transport?: Transport | undefined;
  /** Where webhooks that are services are reached. */
  readonly resolveService: ServiceResolver;
  /** Converts objects in this process instead of webhooks. */
  readonly convert?: ConvertObjects | undefined;
  /** Definitions that the original server of a fork had installed. */
  readonly installed?: ReadonlyMap<string, InstalledDefinition> | undefined;
  /** Whether a generated name that is taken is generated anew. */
  readonly retriesNames: boolean;
  readonly onError: (error: unknown) => void;
  readonly metrics: Metrics;
}

/** Serves the custom resources that stored definitions describe, and maintains the status of these definitions. */
export function serveDefinitions(options: ServedDefinitionsOptions): ServedDefinitions {
  const { store, ambient, admission, catalog, transport, resolveService, convert, installed, onError } =
    options;
  const { vocabulary } = ambient;
  const conversion = { ambient, transport, resolveService, convert };
  const metrics = new ConversionMetrics(options.metrics, ambient.clock);
  const environment = { store, ambient, admission, retriesNames: options.retriesNames };
  const installer = createDefinitionInstaller({
    store,
    catalog,
    ambient,
    storageOf: (definition, converter) => createStoredResource(definition, { ...environment, converter }),
    converterOf: (definition) => createConverter(definition, { ...conversion, metrics }),
    ...(installed && { installed }),
    onError,
  });
  const served = catalog.find(extensionsGroup(vocabulary), 'v1', 'customresourcedefinitions');
  if (!served) throw new TypeError('definitions are not served');
  const controller = createDefinitionController({
    definitions: served.storage,
    instancesOf(definition) {
      const type = fromCustomResourceDefinition(definition, vocabulary);
      const isOwn = installer.installed.has(definition.metadata.name ?? '');
      const served = type.versions.some(({ name }) => catalog.find(type.group, name, type.names.plural));
      // objects of a type that is served without the definition do not belong to the definition
      return served && !isOwn ? undefined : createStoredResource(type, environment);
    },
    ambient,
    user: ITSELF,
    onError,
  });
  return { installer, controller };
}
