import { type Ambient, orchVocabulary } from '@ashlar/core';
import { type ApiServer, type ApiServerOptions, createApiServer } from '@ashlar/server';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createSeededRandom } from './seeded-random.ts';

export interface TestServerOptions extends Omit<ApiServerOptions, 'ambient'> {
  /** Seed of uids and generated names, which are the same in every run. Default 1. */
  readonly seed?: number;
}

/** A server whose time a test controls. */
export interface TestServer extends ApiServer {
  readonly clock: ManualClock;
}

/**
 * A complete, deterministic server in this process: time stands still until the test advances it, and uids
 * come from a seed.
 * @example
 * const server = await createTestServer({ resources: [widgets] });
 * await server.client.resource({ group: '', version: 'v1', resource: 'configmaps'
 * }).namespace('default').list();
 */
export async function createTestServer({
  seed = 1,
  ...options
}: TestServerOptions = {}): Promise<TestServer> {
  const clock = createManualClock();
  const ambient: Ambient = {
    clock,
    random: createSeededRandom(seed),
    vocabulary: options.vocabulary ?? orchVocabulary,
  };
  const server = createApiServer({ ...options, ambient });
  await server.ready;
  return Object.assign(server, { clock });
}

/**
 * A server created once and forked for each test: what `prepare` stores exists in every fork, and no test
 * sees another's writes. A fork takes less than a millisecond.
 * @example
 * const fixture = createServerFixture({}, (server) => seed(server.client));
 * test('…', async () => {
 *   await using server = await fixture();
 * });
 */
export function createServerFixture(
  options: ApiServerOptions = {},
  prepare: (server: ApiServer) => Promise<void> = async () => {},
): () => Promise<ApiServer> {
  let prepared: Promise<ApiServer> | undefined;
  const make = async (): Promise<ApiServer> => {
    const server = createApiServer(options);
    await server.ready;
    await prepare(server);
    return server;
  };
  return async () => {
    prepared ??= make();
    const fork = (await prepared).fork();
    await fork.ready;
    return fork;
  };
}
