import { apiServices } from '@ashlar/aggregation';
import { builtInResources } from '@ashlar/apis';
import { customResourceDefinitions } from '@ashlar/extensions';
import type { ResourceDefinition } from '@ashlar/registry';
import { createMemoryStore } from '@ashlar/storage';
import type { ApiServer, ApiServerOptions } from './api-server.ts';
import { assembleServer } from './assembled-server.ts';
import { checkServerOptions } from './check-server-options.ts';
import { type ApiServerSettings, serverSettings } from './server-settings.ts';
import { audiencesOf, tokenRequestOptions } from './service-accounts.ts';

/**
 * Creates an API server that serves the built-in types and those of `resources`.
 * @throws RuntimeConfigError if `runtimeConfig` names an unknown version or resource
 * @example
 * const server = createApiServer();
 * await server.ready;
 * const response = await server.fetch(new Request('http://server/api/v1/namespaces'));
 */
export function createApiServer(options: ApiServerOptions = {}): ApiServer {
  checkServerOptions(options);
  const settings = serverSettings(options);
  const { ambient, storage = createMemoryStore(ambient), resources = [] } = settings;
  const { vocabulary } = ambient;
  return assembleServer(
    settings,
    [...ownResources(settings), customResourceDefinitions(vocabulary), apiServices(vocabulary), ...resources],
    storage,
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
