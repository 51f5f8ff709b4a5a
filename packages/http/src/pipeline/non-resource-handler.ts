import { createDiscoveryHandler } from '../discovery/discovery-handler.ts';
import { versionResponse } from '../discovery/version-handler.ts';
import { compressedResponse } from '../encoding/compressed-response.ts';
import { flowDumpResponse } from '../health/flow-dumps.ts';
import { metricsResponse } from '../health/metrics-handler.ts';
import { fixedDocumentResponse } from '../openapi/fixed-documents.ts';
import { createOpenApiHandler, V2_PATH } from '../openapi/openapi-handler.ts';
import { createProfileHandler } from '../profiling/profile-handler.ts';
import { requireGet } from '../request/require-get.ts';
import { type ApiHandlerOptions, requestTimeoutOf } from './api-handler-options.ts';
import type { ScopeHandler } from './handler-chain.ts';
import { pathNotFound } from './path-not-found.ts';
import { pathsResponse } from './paths-response.ts';

/** Creates the handler of paths that are not resources: health, metrics, fixed documents, OpenAPI, discovery and the version. */
export function createNonResourceHandler(options: ApiHandlerOptions): ScopeHandler {
  const { catalog, aggregated, health, documents, metrics, version } = options;
  const discovery = createDiscoveryHandler(catalog, {
    apis: aggregated,
    serverAddress: options.serverAddress ?? (() => ''),
    formats: options.aggregatedDiscovery ?? ['v2', 'v2beta1'],
    ambient: options.ambient,
  });
  const openApi = createOpenApiHandler({
    ...{ catalog, aggregated, documents, ambient: options.ambient },
    release: `${version.major}.${version.minor}`,
    longestMilliseconds: requestTimeoutOf(options),
  });
  const profiles =
    options.profiler &&
    createProfileHandler({ ...options, profiler: options.profiler, clock: options.ambient.clock });
  const started = Math.floor(options.ambient.clock.now() / 1000);
  return async (scope) => {
    const { request, info } = scope;
    const own =
      health.handle(scope) ??
      fixedDocumentResponse(documents, scope) ??
      metricsResponse(metrics, health, scope, { ...options, started }) ??
      flowDumpResponse(options.flowControl, info, options.ambient.clock) ??
      profiles?.(scope);
    if (own) return own;
    const described = await openApi(scope);
    // what has no body, or only a part of it, is not compressed
    const isComplete = request.method !== 'HEAD' && described?.status === 200;
    if (described)
      return info.path === V2_PATH && isComplete
        ? compressedResponse(request, described, options)
        : described;
    const discovered = await discovery(scope);
    if (discovered) return compressedResponse(request, discovered, options);
    if (VERSION_PATHS.has(info.path)) {
      requireGet(request.method);
      return versionResponse(version, request.headers.get('accept'));
    }
    if (INDEX_PATHS.has(info.path)) return pathsResponse(options);
    throw pathNotFound(false);
  };
}

const INDEX_PATHS = new Set(['/', '/index.html']);
const VERSION_PATHS = new Set(['/version', '/version/']);
