import { nodeClock } from '@ashlar/http-node';
import type { KeyValueStore } from '@ashlar/storage';
import { createEtcdStore } from '@ashlar/storage-etcd';
import { createPostgresStore } from '@ashlar/storage-postgres';
import { withWatchCache } from '@ashlar/watch-cache';
import {
  type EtcdProcess,
  etcdProgram,
  NO_ETCD,
  startCluster,
} from '../../packages/storage-etcd/src/client/etcd-process.fixture.ts';
import { callMember, leadershipMethod } from '../../packages/storage-etcd/src/client/raw-call.fixture.ts';
import {
  NO_POSTGRES,
  type PostgresProcess,
  startPostgres,
} from '../../packages/storage-postgres/src/postgres-process.fixture.ts';

/** How a store reaches a database. Times are milliseconds. */
interface Reach {
  /** A proxy in front of it. */
  readonly through?: string;
  readonly requestMilliseconds?: number;
  readonly connectMilliseconds?: number;
  readonly openMilliseconds?: number;
}

/** A running database that several servers share. */
export interface SharedDatabase extends AsyncDisposable {
  /** Value of the flag `--storage`. */
  readonly flag: string;
  /** URL of what accepts writes, for proxies. */
  address(): Promise<string>;
  /** Opens a store of its own for each caller; those of one name share their state. */
  open(name: string, reach?: Reach): Promise<KeyValueStore>;
  /** Ends all processes at once, as a crash does. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops all processes without ending them. */
  pause(): void;
  resume(): void;
  /** Ends the member that accepts writes, and calls back before it is started again; absent if there is one member only. */
  loseLeader?(meanwhile: () => Promise<void>): Promise<void>;
}

/** A database that servers can share. */
export interface Engine {
  readonly name: string;
  /** Why it is not tested here. */
  readonly missing: string | undefined;
  readonly start: (members?: number) => Promise<SharedDatabase>;
}

export const ENGINES: readonly Engine[] = [
  { name: 'etcd', missing: etcdProgram ? undefined : NO_ETCD, start: async (size = 1) => startEtcd(size) },
  { name: 'PostgreSQL', missing: NO_POSTGRES, start: async () => overPostgres(await startPostgres()) },
];

/** The store of a server, as the command opens it. */
export const cached = async (store: Promise<KeyValueStore>): Promise<KeyValueStore> =>
  withWatchCache(await store, { clock: nodeClock });

async function startEtcd(size: number): Promise<SharedDatabase> {
  const members = await startCluster(size);
  const all = (act: (member: EtcdProcess) => unknown): Promise<unknown> => Promise.all(members.map(act));
  let opened = 0;
  return {
    flag: `etcd:${members[0]?.url}`,
    address: async () => (await leaderOf(members)).url,
    open: (name, { through, ...reach } = {}) => {
      // stores prefer different members
      const first = opened++ % members.length;
      const urls = [...members.slice(first), ...members.slice(0, first)].map(({ url }) => url);
      return createEtcdStore({ endpoints: through ? [through] : urls, prefix: `/${name}`, ...reach });
    },
    stop: async () => void (await all((member) => member.stop())),
    start: async () => void (await all((member) => member.start())),
    pause: () => void all((member) => member.pause()),
    resume: () => void all((member) => member.resume()),
    ...(size > 1 && {
      loseLeader: async (meanwhile: () => Promise<void>) => {
        const lost = await leaderOf(members);
        await lost.stop();
        await meanwhile();
        await lost.start();
      },
    }),
    [Symbol.asyncDispose]: async () => void (await all((member) => member[Symbol.asyncDispose]())),
  };
}

async function leaderOf(members: readonly EtcdProcess[]): Promise<EtcdProcess> {
  for (;;) {
    for (const member of members) {
      const answer = await callMember(member.url, leadershipMethod, {}).catch(() => undefined);
      if (answer && answer.leader !== 0n && answer.leader === answer.header?.member) return member;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function overPostgres(postgres: PostgresProcess): SharedDatabase {
  return {
    flag: postgres.url,
    address: async () => `http://${new URL(postgres.url).host}`,
    open: (name, { through, ...reach } = {}) => {
      const url = new URL(postgres.url);
      if (through) url.host = new URL(through).host;
      const schema = name.replaceAll('-', '_');
      return createPostgresStore({
        ...{ connectionString: url.href, schema, clock: nodeClock, maximumConnections: 4 },
        ...reach,
      });
    },
    stop: () => postgres.stop(),
    start: () => postgres.start(),
    pause: () => postgres.pause(),
    resume: () => postgres.resume(),
    [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
  };
}
