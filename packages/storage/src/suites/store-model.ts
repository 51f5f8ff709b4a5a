import { isBelow } from '../memory/entry-tree.ts';

/** One state: the value's text and revision per key. */
type State = ReadonlyMap<string, { readonly text: string; readonly revision: number }>;

/** The expected event, as `viewEvent` prints it. */
interface ModelEvent {
  readonly key: string;
  readonly revision: number;
  readonly view: string;
}

/** The simplest correct store: a copy of everything for every revision. */
export class StoreModel {
  readonly #states: Map<number, State>;
  readonly #events: ModelEvent[] = [];
  #newest: number;
  #oldest: number;

  constructor(revision: number) {
    this.#states = new Map([[revision, new Map()]]);
    this.#newest = revision;
    this.#oldest = revision;
  }

  get newest(): number {
    return this.#newest;
  }

  get oldest(): number {
    return this.#oldest;
  }

  /** The state that many revisions before the newest, or the oldest one. */
  back(revisions: number): number {
    return Math.max(Math.min(...this.#states.keys()), this.#newest - revisions);
  }

  revisionOf(key: string): number {
    return this.#state(this.#newest).get(key)?.revision ?? 0;
  }

  view(key: string, state: State = this.#state(this.#newest)): string | undefined {
    const value = state.get(key);
    return value && `${key}=${value.text}@${value.revision}`;
  }

  /** Writes, or deletes if `text` is undefined, unless the condition or the absence of the key forbids it. */
  write(
    key: string,
    text: string | undefined,
    ifRevision: number | undefined,
  ): { readonly ok: boolean; readonly current: string | undefined } {
    const current = this.revisionOf(key);
    const refused = ifRevision !== undefined && ifRevision !== current;
    if (refused || (text === undefined && current === 0)) return { ok: false, current: this.view(key) };
    const before = this.view(key) ?? 'nothing';
    const state = new Map(this.#state(this.#newest));
    const revision = ++this.#newest;
    if (text === undefined) state.delete(key);
    else state.set(key, { text, revision });
    this.#states.set(revision, state);
    const now = text === undefined ? `delete ${key}@${revision}` : `put ${key}=${text}@${revision}`;
    this.#events.push({ key, revision, view: `${now} before: ${before}` });
    return { ok: true, current: undefined };
  }

  page(
    prefix: string,
    revision: number,
    after: string = '',
    limit: number = Number.POSITIVE_INFINITY,
  ): { readonly entries: (string | undefined)[]; readonly remaining: number } {
    const state = this.#state(revision);
    const keys = [...state.keys()].filter((key) => isBelow(prefix, key) && key > after).sort();
    const entries = keys.slice(0, limit).map((key) => this.view(key, state));
    return { entries, remaining: keys.length - entries.length };
  }

  events(prefix: string, after: number): ModelEvent[] {
    return this.#events.filter((event) => event.revision > after && isBelow(prefix, event.key));
  }

  compact(revision: number): void {
    this.#oldest = Math.max(this.#oldest, revision);
  }

  fork(): StoreModel {
    const fork = new StoreModel(this.#newest);
    for (const [revision, state] of this.#states) fork.#states.set(revision, state);
    fork.#events.push(...this.#events);
    fork.#oldest = this.#oldest;
    return fork;
  }

  #state(revision: number): State {
    return this.#states.get(revision) as State;
  }
}
