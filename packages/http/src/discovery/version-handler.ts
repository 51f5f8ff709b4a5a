import { checkRouteAccept, encodeJson, JSON_MEDIA_TYPE } from '@ashlar/codec';
import type { ServerResponse } from '@ashlar/core';

/** The content of `/version` (semantics/discovery#version). */
export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

/** `/version`, always indented JSON. @throws StatusError 406 */
export function versionResponse(version: ServerVersion, accept: string | undefined): ServerResponse {
  const refused = checkRouteAccept(accept, [{ mediaType: JSON_MEDIA_TYPE }], false);
  if (refused) throw refused;
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: encodeJson({ ...version }, { pretty: true }),
  };
}
