import { workloadResources } from '@ashlar/apis/workloads';
import { type ApiObject, type JsonObject, StatusError, type Vocabulary } from '@ashlar/core';
import { type ApiServer, createApiServer } from '@ashlar/server';
import type { KeyValueStore } from '@ashlar/storage';

/** What random requests against a quota did. */
export interface QuotaRace {
  readonly created: number;
  readonly refused: number;
  readonly deleted: number;
  /** Requests that the storage did not answer in time, as on a busy machine: whether they were done is unknown. */
  readonly unanswered: number;
  /** The largest number of objects that existed at any revision. */
  readonly most: number;
  /** How many exist at the end. */
  readonly left: number;
}

/** Starts a server that counts quotas. */
export async function startCounting(vocabulary: Vocabulary, storage: KeyValueStore): Promise<ApiServer> {
  const resources = workloadResources(vocabulary);
  // servers over one memory close it under each other
  const server = createApiServer({ vocabulary, storage, resources, onError: () => {} });
  await server.ready;
  return server;
}

const MAPS = '/api/v1/namespaces/default/configmaps';

/** Creates a quota, and waits until every server counts with it. */
async function createQuota(servers: readonly ApiServer[], limit: number): Promise<void> {
  const [first] = servers as readonly [ApiServer];
  const path = '/api/v1/namespaces/default/resourcequotas';
  const quota = { metadata: { name: 'q' }, spec: { hard: { configmaps: String(limit) } } };
  await first.client.request({ method: 'POST', path, body: quota });
  for (const server of servers) {
    for (let isCounted = false; !isCounted; ) {
      const { status } = (await server.client.request({ method: 'GET', path: `${path}/q` })) as ApiObject & {
        status?: { used?: JsonObject };
      };
      isCounted = status?.used?.configmaps !== undefined;
    }
  }
}

/**
 * Sends random creations and deletions of config maps to several servers over one store, `parallel` at a time, against a quota.
 * @param random a number from 0 to 1
 */
export async function raceAgainstQuota(
  servers: readonly ApiServer[],
  {
    limit,
    requests,
    parallel,
    random,
  }: {
    readonly limit: number;
    readonly requests: number;
    readonly parallel: number;
    readonly random: () => number;
  },
): Promise<QuotaRace> {
  await createQuota(servers, limit);
  const race = { created: 0, refused: 0, deleted: 0, unanswered: 0, most: 0, left: 0 };
  const { store } = servers[0] as ApiServer;
  const { records, revision } = await store.list('/configmaps/default/');
  race.left = records.length;
  const ended = new Promise<void>((resolve, reject) => {
    store.watch(
      '/configmaps/default/',
      { afterRevision: revision },
      {
        events(batch) {
          for (const { type, record } of batch) {
            if (record.object.metadata.name === 'the-end') return resolve();
            if (type !== 'updated') race.left += type === 'created' ? 1 : -1;
            race.most = Math.max(race.most, race.left);
          }
        },
        error: reject,
      },
    );
  });
  await Promise.all(Array.from({ length: parallel }, (_, worker) => work(worker)));
  await store.update('/configmaps/default/the-end', () => ({ action: 'write', object: named('the-end') }));
  await ended;
  return race;

  async function work(worker: number): Promise<void> {
    const mine: string[] = [];
    for (let i = worker; i < requests; i += parallel) {
      const { client } = servers[Math.floor(random() * servers.length)] as ApiServer;
      const doomed = random() < 0.5 ? mine.shift() : undefined;
      const name = doomed ?? `m-${i}`;
      const outcome = await (doomed ? remove(client, name) : create(client, name)).catch(unlessUnanswered);
      race[outcome]++;
      // what may exist is deleted later, so that it does not fill the quota for ever
      if (outcome === 'created' || outcome === 'unanswered') mine.push(name);
    }
  }
}

type Outcome = 'created' | 'refused' | 'deleted' | 'unanswered';

async function create(client: ApiServer['client'], name: string): Promise<Outcome> {
  return (await isCreated(client, name)) ? 'created' : 'refused';
}

/** An object whose creation was not answered may not exist. */
async function remove(client: ApiServer['client'], name: string): Promise<Outcome> {
  try {
    await client.request({ method: 'DELETE', path: `${MAPS}/${name}` });
  } catch (error) {
    if (!StatusError.is(error, 'NotFound')) throw error;
  }
  return 'deleted';
}

function unlessUnanswered(error: unknown): Outcome {
  if (StatusError.is(error, 'Timeout')) return 'unanswered';
  throw error;
}

/** Creates config maps until the quota refuses one; returns how many. */
export async function createUntilRefused({ client }: ApiServer): Promise<number> {
  let created = 0;
  while (await isCreated(client, `last-${created}`)) created++;
  return created;
}

async function isCreated(client: ApiServer['client'], name: string): Promise<boolean> {
  try {
    await client.request({ method: 'POST', path: MAPS, body: { metadata: { name } } });
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('exceeded quota')) return false;
    throw error;
  }
}

const named = (name: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
});

/** The same numbers in every run, between 0 and 1. */
export function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
