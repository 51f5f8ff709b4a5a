import type { KeyValueEvent } from '@ashlar/storage';
import type { Observation, Snapshot, Write } from './register-history.fixture.ts';
import { type Answer, configMap, MAPS, type Send, versionOf } from './replica.fixture.ts';

/** A write whose effect is unknown so far. */
interface Attempt {
  readonly key: string;
  readonly start: number;
  /** Infinite without a response. */
  readonly end: number;
  /** Its value, which is unique. Undefined for a deletion. */
  readonly text: string | undefined;
  readonly ifVersion?: number;
  /** The response. */
  readonly version?: number;
}

/** Clients that read and write a few objects based on what they have read, and their recorded results. */
export class RecordedRun {
  readonly observations: Observation[] = [];
  readonly snapshots: Snapshot[] = [];
  /** Status codes that ask for a retry; any other unexpected one is a failure. */
  readonly refusals: number[] = [];
  readonly faults: string[] = [];
  operations: number = 0;
  readonly #attempts: Attempt[] = [];
  readonly #keys: readonly string[];
  #moment: number = 0;

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  /** This many operations of one client, at alternating servers. */
  async work(
    client: number,
    servers: readonly Send[],
    operations: number,
    random: () => number,
  ): Promise<void> {
    const seen = new Map<string, number>();
    for (let i = 0; i < operations; i++) {
      const send = servers[Math.floor(random() * servers.length)] as Send;
      const key = this.#keys[Math.floor(random() * this.#keys.length)] as string;
      const dice = random();
      if (dice < 0.15) await this.#list(send);
      else if (dice < 0.5 || !seen.has(key)) await this.#get(send, key, seen);
      else await this.#write(send, key, `${client}.${i}`, seen, random());
      this.operations++;
    }
  }

  /**
   * The effective writes, according to the store: each must have been requested, and acknowledged ones must
   * be among them.
   */
  writes(events: readonly KeyValueEvent[]): Write[] {
    const left = new Set(this.#attempts.toSorted((a, b) => a.end - b.end));
    const writes = events.flatMap((event) => {
      const attempt = [...left].find((one) => isOf(one, event));
      if (!attempt) {
        this.faults.push(`${event.type} of ${event.key} at ${event.revision} is nobody's`);
        return [];
      }
      left.delete(attempt);
      const { key, start, end, ifVersion } = attempt;
      const condition = ifVersion === undefined ? {} : { ifVersion };
      return [{ key, start, end, version: event.revision, deletes: event.type === 'delete', ...condition }];
    });
    for (const { key, text, end } of left)
      if (Number.isFinite(end))
        this.faults.push(`${text ?? 'the deletion'} of ${key} was acknowledged, and is lost`);
    return writes;
  }

  async #list(send: Send): Promise<void> {
    const asked = await this.#ask(send, 'GET', MAPS);
    if (!asked) return;
    const { start, end, answer } = asked;
    if (answer.status !== 200) return this.#strange('a list', answer);
    const versions = new Map(answer.body.items.map((item) => [item.metadata.name, versionOf(item)]));
    this.snapshots.push({ start, end, version: versionOf(answer.body), versions });
  }

  async #get(send: Send, key: string, seen: Map<string, number>): Promise<void> {
    const asked = await this.#ask(send, 'GET', `${MAPS}/${key}`);
    if (!asked) return;
    const { answer, ...when } = asked;
    if (answer.status !== 200 && answer.status !== 404) return this.#strange('a read', answer);
    const version = answer.status === 200 ? versionOf(answer.body) : 0;
    seen.set(key, version);
    this.observations.push({
      key,
      ...when,
      what: `a read of ${version}`,
      fits: (state) => state === version,
    });
  }

  /** A creation, an update with or without condition, or a deletion on the condition of a version. */
  async #write(
    send: Send,
    key: string,
    text: string,
    seen: Map<string, number>,
    dice: number,
  ): Promise<void> {
    const version = seen.get(key) ?? 0;
    const path = `${MAPS}/${key}`;
    if (version === 0)
      return this.#attempt(send, 'POST', MAPS, configMap(key, text), { key, text, ifVersion: 0 }, seen);
    if (dice < 0.15) return this.#attempt(send, 'PUT', path, configMap(key, text), { key, text }, seen);
    const condition = { key, ifVersion: version };
    if (dice > 0.8) {
      const body = { preconditions: { resourceVersion: `${version}` } };
      return this.#attempt(send, 'DELETE', path, body, { ...condition, text: undefined }, seen);
    }
    return this.#attempt(send, 'PUT', path, configMap(key, text, `${version}`), { ...condition, text }, seen);
  }

  async #attempt(
    send: Send,
    method: string,
    path: string,
    body: object,
    attempt: Omit<Attempt, 'start' | 'end'>,
    seen: Map<string, number>,
  ): Promise<void> {
    const { key, ifVersion, text } = attempt;
    const start = this.#moment + 1;
    const asked = await this.#ask(send, method, path, body);
    seen.delete(key);
    if (!asked) return void this.#attempts.push({ ...attempt, start, end: Number.POSITIVE_INFINITY });
    const { answer, ...when } = asked;
    if (answer.status === 200 || answer.status === 201) {
      const version = text === undefined ? {} : { version: versionOf(answer.body) };
      this.#attempts.push({ ...attempt, ...when, ...version });
      seen.set(key, version.version ?? 0);
    } else if (answer.status === 409 && ifVersion !== undefined) {
      const fits = (state: number): boolean => state !== 0 && state !== ifVersion;
      this.observations.push({ key, ...when, what: `a conflict with ${ifVersion}`, fits });
    } else if (answer.status === 404 && ifVersion !== 0) {
      this.observations.push({ key, ...when, what: 'an absence', fits: (state) => state === 0 });
    } else this.#strange(method, answer);
  }

  /** Undefined if the result of a request is unknown. */
  async #ask(
    send: Send,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ start: number; end: number; answer: Answer } | undefined> {
    const start = ++this.#moment;
    const answer = await send(method, path, body);
    const end = ++this.#moment;
    if (![429, 503, 504].includes(answer.status)) return { start, end, answer };
    this.refusals.push(answer.status);
    if (!(Number(answer.headers['retry-after']) > 0)) this.#strange(`${method} without Retry-After`, answer);
    return undefined;
  }

  #strange(what: string, { status, body }: Answer): void {
    this.faults.push(`${what} was answered with ${status}: ${JSON.stringify(body)}`);
  }
}

/** Texts are unique; a version is deleted once. */
function isOf({ key, text, ifVersion, version }: Attempt, event: KeyValueEvent): boolean {
  if (!event.key.endsWith(`/${key}`)) return false;
  if (text === undefined) return event.type === 'delete' && event.previous?.revision === ifVersion;
  if (version !== undefined) return event.revision === version && textOf(event) === text;
  return textOf(event) === text;
}

function textOf({ entry }: KeyValueEvent): string | undefined {
  return entry && (JSON.parse(new TextDecoder().decode(entry.value)) as { data: { text: string } }).data.text;
}
