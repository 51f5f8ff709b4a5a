import { setTimeout as pause } from 'node:timers/promises';
import type { KeyValueEvent, KeyValueStore } from '@ashlar/storage';
import type { Operation } from '@ashlar/storage/testing';
import { expect } from 'vitest';
import { retried } from '../../storage/src/suites/retried.fixture.ts';

/** Key of the last write; it is no part of the run. */
const END = '/end';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (value: Uint8Array | undefined): string | undefined =>
  value && new TextDecoder().decode(value);

/** A write without a response: it may have been made, then or later. */
interface Unanswered {
  readonly key: string;
  readonly start: number;
  readonly ifRevision?: number;
  readonly text: string | undefined;
}

/** Workers whose calls may fail, and the known results. */
export class FaultyRun {
  readonly operations: Operation[] = [];
  readonly events: KeyValueEvent[] = [];
  answered: number = 0;
  readonly #unanswered: Unanswered[] = [];
  #moment: number = 0;

  constructor(revision: number, store: KeyValueStore) {
    const observer = {
      events: (batch: readonly KeyValueEvent[]) => void this.events.push(...batch),
      error: () => {},
    };
    store.watch('', { afterRevision: revision }, observer);
  }

  /** This many reads, each followed by a write based on it. */
  async work(store: KeyValueStore, worker: number, rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      const key = `/k/${(worker * 7 + round * 3) % 5}`;
      const seen = await this.#read(store, key);
      const isDelete = round % 6 === 5 && seen !== undefined && seen > 0;
      const text = isDelete ? undefined : `${worker}.${round}`;
      const condition = round % 3 === 0 || seen === undefined ? {} : { ifRevision: seen };
      await this.#write(store, key, text, condition);
    }
  }

  /** Waits for the last event, and finds the events of writes without a response. */
  async settle(store: KeyValueStore): Promise<void> {
    const { revision } = await retried(() => store.put(END, bytes('end')));
    while ((this.events.at(-1)?.revision ?? 0) < revision) await new Promise((next) => setTimeout(next, 10));
    const known = new Set(this.operations.map((operation) => operation.write?.revision));
    const before = this.events.splice(0).filter(({ key }) => key !== END);
    this.events.push(...before);
    for (const event of before) {
      const { type, key, revision } = event;
      if (known.has(revision)) continue;
      const at = this.#unanswered.findIndex((write) => couldBe(write, event));
      expect(at, `${type} of ${key} at ${revision} is nobody's`).toBeGreaterThanOrEqual(0);
      const [{ text, ...write }] = this.#unanswered.splice(at, 1) as [Unanswered];
      this.operations.push({ ...write, end: Number.POSITIVE_INFINITY, write: { revision, text } });
    }
  }

  async #read(store: KeyValueStore, key: string): Promise<number | undefined> {
    const start = ++this.#moment;
    try {
      const seen = (await store.get(key))?.revision ?? 0;
      this.operations.push({ key, start, end: ++this.#moment, seen });
      this.answered++;
      return seen;
    } catch {
      return undefined;
    }
  }

  async #write(
    store: KeyValueStore,
    key: string,
    text: string | undefined,
    condition: { readonly ifRevision?: number },
  ): Promise<void> {
    const start = ++this.#moment;
    try {
      const result =
        text === undefined
          ? await store.delete(key, condition)
          : await store.put(key, bytes(text), condition);
      const operation = { key, start, end: ++this.#moment, ...condition };
      this.operations.push(
        result.ok
          ? { ...operation, write: { revision: result.revision, text } }
          : { ...operation, seen: result.current?.revision ?? 0 },
      );
      this.answered++;
    } catch {
      this.#unanswered.push({ key, start, ...condition, text });
      // as clients that are refused wait: else all that is done during a restart is to be refused
      await pause(5);
    }
  }
}

/** Texts are unique; deletions of one key differ in their condition. */
function couldBe({ key, text, ifRevision }: Unanswered, event: KeyValueEvent): boolean {
  if (event.key !== key || textOf(event.entry?.value) !== text) return false;
  return text !== undefined || (ifRevision ?? event.previous?.revision) === event.previous?.revision;
}
