import { apiServices } from '@ashlar/aggregation';
import { builtInResources } from '@ashlar/apis';
import { customResourceDefinitions } from '@ashlar/extensions';
import type { ResourceDefinition } from '@ashlar/registry';
import { createMemoryStore } from '@ashlar/storage';
import { emulatedResources } from '../emulation/emulated-resources.ts';
import { ServerEncryption } from '../encryption/server-encryption.ts';
import { readOnlyStore } from '../snapshot/read-only-store.ts';
import type { ApiServer } from './api-server.ts';
import type { ApiServerOptions } from './api-server-options.ts';
import { assembleServer } from './assembled-server.ts';
import { checkServerOptions } from './check-server-options.ts';
import { type ApiServerSettings, createServerMetrics, serverSettings } from './server-settings.ts';
import { audiencesOf, tokenRequestOptions } from './service-accounts.ts';

/**
 * Creates an API server that serves the built-in types and those of `resources`.
 * @throws EncryptionConfigurationError if the entries of `encryption` mask each other, or a provider is not supported
 * @throws RuntimeConfigError if `runtimeConfig` names an unknown version or resource
 * @example
 * const server = createApiServer();
 * await server.ready;
 * const response = await server.fetch(new Request('http://server/api/v1/namespaces'));
 */
export function createApiServer(options: ApiServerOptions = {}): ApiServer {
  return assembleApiServer(options, {});
}

/** Creates a server with settings that no host makes. */
export function assembleApiServer(
  options: ApiServerOptions,
  more: Pick<ApiServerSettings, 'publishedGroups' | 'namespaceOf'>,
): ApiServer {
  checkServerOptions(options);
  const settings = { ...serverSettings(options), ...more };
  const {
    ambient,
    storage: configuredStorage = createMemoryStore(ambient),
    resources = [],
    readOnly,
  } = settings;
  const storage = readOnly ? readOnlyStore(configuredStorage) : configuredStorage;
  const { vocabulary } = ambient;
  const metrics = createServerMetrics(settings);
  const encryption =
    settings.encryption &&
    new ServerEncryption(settings.encryption, { ambient, metrics, onError: settings.onError });
  const all = [
    ...ownResources(settings),
    customResourceDefinitions(vocabulary),
    apiServices(vocabulary),
    ...resources,
  ];
  return assembleServer(
    settings,
    emulatedResources(settings.emulation, all, vocabulary),
    encryption?.wrap(storage) ?? storage,
    { metrics, encryption },
  );
}

function ownResources(settings: ApiServerSettings): readonly ResourceDefinition[] {
  const { ambient, eventTtlSeconds, serviceAccounts, apiAudiences } = settings;
  const audiences = audiencesOf(apiAudiences, serviceAccounts);
  return builtInResources(ambient.vocabulary, {
    ...(eventTtlSeconds !== undefined && { eventTtlSeconds }),
    ...(serviceAccounts && { tokens: tokenRequestOptions(serviceAccounts, audiences, ambient) }),
  });
}
