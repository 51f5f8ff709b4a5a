/** A write that a server has answered. */
export interface AnsweredWrite {
  readonly client: number;
  readonly name: string;
  readonly resourceVersion: string;
}

/** An event of a watch. */
export interface SeenChange {
  readonly type: string;
  readonly name: string;
  readonly resourceVersion: string;
}

/**
 * Checks that writes of several clients and the events of one watch tell the same history: each version is given once and grows with every
 * write of a client, and the watch sends each change once, in order. Returns what is wrong.
 */
export function historyFaults(
  writes: readonly AnsweredWrite[],
  events: readonly SeenChange[],
): readonly string[] {
  return [
    ...repeated(writes.map(({ resourceVersion }) => resourceVersion)).map(
      (version) => `two writes were answered with version ${version}`,
    ),
    ...clientFaults(writes),
    ...orderFaults(events),
    ...missing(writes, events).map(
      ({ name, resourceVersion }) => `no event has version ${resourceVersion} of ${name}`,
    ),
    ...missing(events, writes).map(
      ({ name, resourceVersion }) => `no write has version ${resourceVersion} of ${name}`,
    ),
  ];
}

function repeated(texts: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return texts.filter((text) => seen.size === seen.add(text).size);
}

/** Versions grow from answer to answer of each client, which writes one after another. */
function clientFaults(writes: readonly AnsweredWrite[]): readonly string[] {
  const last = new Map<number, bigint>();
  return writes.flatMap(({ client, resourceVersion }) => {
    const version = BigInt(resourceVersion);
    const before = last.get(client);
    last.set(client, version);
    return before !== undefined && version <= before
      ? [`client ${client} was answered ${version} after ${before}`]
      : [];
  });
}

function orderFaults(events: readonly SeenChange[]): readonly string[] {
  return events.slice(1).flatMap(({ resourceVersion }, i) => {
    const before = events[i]?.resourceVersion ?? '';
    return BigInt(resourceVersion) <= BigInt(before)
      ? [`the event of version ${resourceVersion} came after that of ${before}`]
      : [];
  });
}

type Version = Omit<AnsweredWrite, 'client'>;

const missing = (versions: readonly Version[], among: readonly Version[]): readonly Version[] => {
  const known = new Set(among.map(({ name, resourceVersion }) => `${name} ${resourceVersion}`));
  return versions.filter(({ name, resourceVersion }) => !known.has(`${name} ${resourceVersion}`));
};
