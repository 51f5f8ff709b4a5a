import { encodeUtf8 } from '@ashlar/codec';
import type { ApiObject } from '@ashlar/core';
import type { ApiServer } from '../../../assembly/api-server.ts';

/** An object, or a status that says why there is none. */
export type Answer = ApiObject & { readonly reason?: string; readonly message?: string };

/**
 * Sends a manifest to a server in this process.
 * @param query by default that of a dry run with strict field validation
 */
export const send = (
  server: ApiServer,
  method: 'POST' | 'PUT',
  path: string,
  body: string,
  query = '?dryRun=All&fieldValidation=Strict',
): Promise<Response> =>
  server.fetch(
    new Request(`http://in-process${path}${query}`, {
      method,
      headers: { 'content-type': 'application/yaml', accept: 'application/json' },
      body: encodeUtf8(body),
    }),
  );
