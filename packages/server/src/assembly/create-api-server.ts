import { builtInResources } from '@ashlar/apis';
import { orchVocabulary, printErrors } from '@ashlar/core';
import { apiServices, customResourceDefinitions } from '@ashlar/extensions';
import { nodeAmbient } from '@ashlar/http-node';
import { defaultFeatureGates } from '@ashlar/lifecycle';
import { createMemoryStore } from '@ashlar/storage';
import type { ApiServer, ApiServerOptions } from './api-server.ts';
import { AssembledServer } from './assembled-server.ts';
import { checkServerOptions } from './check-server-options.ts';
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
  const vocabulary = options.vocabulary ?? options.ambient?.vocabulary ?? orchVocabulary;
  const ambient = options.ambient ?? nodeAmbient(vocabulary);
  const { eventTtlSeconds, featureGates = defaultFeatureGates } = options;
  const { onError = printErrors('server') } = options;
  const settings = { ...options, onError, featureGates, ambient: { ...ambient, vocabulary } };
  const { serviceAccounts } = options;
  const audiences = audiencesOf(options.apiAudiences, serviceAccounts);
  const builtIn = builtInResources(vocabulary, {
    ...(eventTtlSeconds !== undefined && { eventTtlSeconds }),
    ...(serviceAccounts && { tokens: tokenRequestOptions(serviceAccounts, audiences, settings.ambient) }),
  });
  return new AssembledServer(
    settings,
    [
      ...builtIn,
      customResourceDefinitions(vocabulary),
      apiServices(vocabulary),
      ...(options.resources ?? []),
    ],
    options.storage ?? createMemoryStore(ambient),
  );
}
