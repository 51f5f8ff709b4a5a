import { encodeJson } from '@ashlar/codec';
import type { ServerResponse } from '@ashlar/core';

/** What `/version` tells (semantics L4). */
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

/** `/version`, always indented. */
export function versionResponse(version: ServerVersion): ServerResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: encodeJson({ ...version }, { pretty: true }),
  };
}
