import { type Ambient, optionError, orchVocabulary } from '@ashlar/core';
import { type ApiServer, type ApiServerOptions, createApiServer } from '@ashlar/server';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';

/** The options of a server, whose time and randomness are those of the test. */
export interface TestServerOptions extends Omit<ApiServerOptions, 'ambient'> {
  /** Makes uids and generated names the same in every run. Default 1. */
  readonly seed?: number;
}

/** A server whose time a test decides, and the `ambient` of the code under test. */
export interface TestServer extends ApiServer, Pick<Ambient, 'random'> {
  /**
   * Shared with forks: advancing it advances all of them. Before time passes, the server finishes what it is doing, so that no request
   * misses its deadline.
   */
  readonly clock: ManualClock;
  /** Randomness for the code under test: the same in every run, and apart from that of the server, whose uids do not depend on it. */
  readonly random: Ambient['random'];
  /** A fork continues with the time and the random numbers of this server. */
  fork(): TestServer;
  /**
   * Waits until the server and everything that follows it have nothing left to do without time passing: no request is made in many
   * turns of the event loop. What waits for a timer is started by `clock.advance`.
   */
  idle(): Promise<void>;
}

/**
 * A server in this process with everything of a real one and nothing by chance: time stands still until the test moves it, and
 * uids come from a seed. They depend on what was created before, not on what was read. Pods need no service accounts unless
 * `disabledAdmissionPlugins` says so: whoever waits for one would wait for the clock.
 * @example
 * const server = await createTestServer({ resources: [widgets] });
 * await server.client.resource({ group: '', version: 'v1', resource: 'configmaps' }).namespace('default').list();
 */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  checkSeed(options);
  const { seed = 1, disabledAdmissionPlugins = ['ServiceAccount'], ...rest } = options;
  const surroundings = new Surroundings(createManualClock(), createSeededRandom(seed));
  const ambient = surroundings.ambient(options.vocabulary);
  const server = createApiServer({ ...rest, disabledAdmissionPlugins, ambient });
  await server.ready;
  return testServer(server, surroundings);
}

/**
 * A server made once and forked for each test: what `prepare` stores is there in every fork, and no test sees another's writes. Every
 * fork begins with the same random numbers, and they share a clock. A fork takes less than a millisecond.
 * @example
 * const fixture = createServerFixture({}, (server) => seed(server.client));
 * test('…', async () => {
 *   await using server = await fixture();
 * });
 */
export function createServerFixture(
  options: TestServerOptions = {},
  prepare: (server: TestServer) => Promise<void> = async () => {},
): () => Promise<TestServer> {
  let prepared: Promise<TestServer> | undefined;
  const make = async (): Promise<TestServer> => {
    const server = await createTestServer(options);
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

function checkSeed({ seed }: TestServerOptions): void {
  if (seed !== undefined && !Number.isInteger(seed))
    throw optionError('createTestServer', 'seed', 'a whole number', seed);
}

/** Where the random numbers of the code under test begin. */
const SEED_OF_CALLERS = 0x5eed;

/** Turns of the event loop without a request after which nothing more is expected. */
const QUIET_TURNS = 30;
/** Turns of the event loop after which time passes although requests are still made. */
const MAXIMUM_TURNS = 3000;

/** Time and randomness of one server, and a count of what it was asked. */
class Surroundings {
  readonly clock: ManualClock;
  /** Numbers that name requests; how many were drawn says how much was asked. */
  drawn = 0;
  readonly #random: SeededRandom;

  constructor(clock: ManualClock, random: SeededRandom) {
    this.clock = clock;
    this.#random = random;
  }

  ambient(vocabulary: Ambient['vocabulary'] = orchVocabulary): Ambient {
    const transient = createSeededRandom(0);
    const transientRandom: Ambient['random'] = {
      bytes: (into) => {
        this.drawn++;
        return transient.bytes(into);
      },
    };
    return { clock: this.clock, random: this.#random, transientRandom, vocabulary };
  }

  /** Waits until no request is made in many turns of the event loop, for at most so many turns. */
  async quiet(maximumTurns: number): Promise<void> {
    let seen = this.drawn;
    for (let turn = 0, quiet = 0; quiet < QUIET_TURNS && turn < maximumTurns; turn++, quiet++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.drawn === seen) continue;
      seen = this.drawn;
      quiet = 0;
    }
  }

  fork(): Surroundings {
    return new Surroundings(this.clock, this.#random.clone());
  }
}

function testServer(server: ApiServer, surroundings: Surroundings): TestServer {
  const fork = server.fork.bind(server);
  const { clock } = surroundings;
  return Object.assign(server, {
    clock: {
      ...clock,
      // a request that is in progress would be beyond its deadline when a minute passes at once
      async advance(milliseconds: number): Promise<void> {
        await surroundings.quiet(MAXIMUM_TURNS);
        await clock.advance(milliseconds);
      },
    },
    random: createSeededRandom(SEED_OF_CALLERS),
    fork: (): TestServer => {
      const own = surroundings.fork();
      return testServer(fork({ ambient: own.ambient(server.vocabulary) }), own);
    },
    idle: (): Promise<void> => surroundings.quiet(Number.POSITIVE_INFINITY),
  });
}
