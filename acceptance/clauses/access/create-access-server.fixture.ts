import type { Vocabulary } from '@ashlar/core';
import type { ApiServerOptions } from '@ashlar/server';
import { createTestServer } from '@ashlar/testing';
import { prepare } from '../clause-server.fixture.ts';
import { type AccessServer, accessOptions, toAccessServer } from './access-server.fixture.ts';

/**
 * A server of one test, with namespaces `a` and `b`.
 * @param more options in addition to {@link accessOptions}, or instead
 */
export async function createAccessServer(
  vocabulary: Vocabulary,
  more: ApiServerOptions,
): Promise<AccessServer & AsyncDisposable> {
  const api = await createTestServer({ ...accessOptions(vocabulary), ...more });
  await prepare(api);
  return { ...toAccessServer(api), [Symbol.asyncDispose]: () => api.close() };
}
