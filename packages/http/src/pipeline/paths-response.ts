import { encodeJson } from '@ashlar/codec';
import type { ServerResponse } from '@ashlar/core';
import { ListedGroups } from '../discovery/listed-groups.ts';
import { V3_PATH } from '../openapi/openapi-documents.ts';
import { V2_PATH } from '../openapi/openapi-handler.ts';
import type { ApiHandlerOptions } from './api-handler-options.ts';

/** Lists the paths that a server serves, in order, as `/` does for any method (semantics/discovery#discovery). */
export function pathsResponse(options: ApiHandlerOptions): ServerResponse {
  const { health, documents = [], metrics } = options;
  const paths = [
    ...apiPaths(options),
    ...health.paths,
    ...documents.map(({ path }) => path),
    ...(metrics ? ['/metrics', '/metrics/slis'] : []),
    ...[V2_PATH, V3_PATH, `${V3_PATH}/`, '/version'],
  ];
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: encodeJson({ paths: paths.sort() }, { pretty: true }),
  };
}

function apiPaths({ catalog, aggregated }: ApiHandlerOptions): readonly string[] {
  const groups = new ListedGroups(catalog, aggregated);
  const paths = ['/api', '/apis', '/apis/', ...catalog.versions('').map(({ version }) => `/api/${version}`)];
  for (const group of groups.names()) {
    const root = `/apis/${group}`;
    paths.push(root);
    for (const version of groups.versions(group)) paths.push(`${root}/${version}`);
  }
  return paths;
}
