import type { ApiHandlerOptions } from './api-handler-options.ts';
import { compressedResponse } from './compressed-response.ts';
import { createDiscoveryHandler } from './discovery-handler.ts';
import { answerFixed } from './fixed-documents.ts';
import type { Answer } from './handler-chain.ts';
import { answerMetrics } from './metrics-handler.ts';
import { createOpenApiHandler, V2_PATH } from './openapi-handler.ts';
import { unrouted } from './unrouted.ts';
import { versionResponse } from './version-handler.ts';

/** Answers requests for paths that are no resources: health, metrics, documents, descriptions and the version. */
export function createNonResourceHandler(options: ApiHandlerOptions): Answer {
  const { catalog, health, documents, metrics, version } = options;
  const discovery = createDiscoveryHandler(catalog, options.serverAddress ?? (() => ''));
  const openApi = createOpenApiHandler(catalog, version.gitVersion);
  return async (scope) => {
    const { request, info } = scope;
    const own =
      health.handle(scope) ?? answerFixed(documents, scope) ?? answerMetrics(metrics, health, scope);
    if (own) return own;
    const described = await openApi(scope);
    if (described) return info.path === V2_PATH ? compressedResponse(request, described, options) : described;
    const discovered = await discovery(scope);
    if (discovered) return compressedResponse(request, discovered, options);
    if (VERSION_PATHS.has(info.path)) return versionResponse(version, request.headers.get('accept'));
    throw unrouted(false);
  };
}

const VERSION_PATHS = new Set(['/version', '/version/']);
