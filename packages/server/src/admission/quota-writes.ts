import type { AdmissionRequest } from '@ashlar/admission';
import { CountedQuota, type QuotaChange } from '@ashlar/apis';
import { type ApiObject, groupResourceText, StatusError } from '@ashlar/core';
import type { Change, ObjectRecord, ObjectStore } from '@ashlar/storage';

interface Waiting {
  readonly change: QuotaChange;
  readonly settle: (error: unknown) => void;
}

/**
 * Writes the usage of quotas by compare-and-swap. Requests that arrive while a quota is written share the next write, so that many of them
 * cost few writes.
 */
export class QuotaWrites {
  readonly #store: ObjectStore;
  readonly #waiting: Map<string, Waiting[]> = new Map();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** @throws what the change throws for the newest state of the quota */
  async change({ metadata }: ApiObject, change: QuotaChange, dryRun: boolean): Promise<void> {
    const key = `/resourcequotas/${metadata.namespace}/${metadata.name}`;
    if (!dryRun) return this.#enqueue(key, change);
    const current = await this.#store.get(key);
    if (current) change(new CountedQuota(current.object));
  }

  /** @throws StatusError 409 if the object that a request creates is there already */
  async requireAbsent({ resource, namespace, name }: AdmissionRequest): Promise<void> {
    const key = `/${groupResourceText(resource)}/${namespace}/${name}`;
    // the cached state is read first; its objects may have been deleted
    const isThere = (await this.#store.get(key, { notOlderThan: 0 })) && (await this.#store.get(key));
    if (!isThere) return;
    const { code, reason, message, details } = StatusError.alreadyExists(resource, name);
    const isMarked = isThere.object.metadata.deletionTimestamp !== undefined;
    const text = isMarked ? `object is being deleted: ${message}` : message;
    throw new StatusError({ code, reason, message: text, ...(details && { details }) });
  }

  #enqueue(key: string, change: QuotaChange): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error: unknown): void => (error === undefined ? resolve() : reject(error));
      const waiting = this.#waiting.get(key);
      if (waiting) waiting.push({ change, settle });
      else {
        this.#waiting.set(key, [{ change, settle }]);
        void this.#work(key);
      }
    });
  }

  async #work(key: string): Promise<void> {
    for (;;) {
      const waiting = this.#waiting.get(key) ?? [];
      if (waiting.length === 0) break;
      this.#waiting.set(key, []);
      await this.#write(key, waiting);
    }
    this.#waiting.delete(key);
  }

  async #write(key: string, waiting: readonly Waiting[]): Promise<void> {
    let errors: unknown[] = [];
    try {
      await this.#store.update(key, (record) => {
        errors = [];
        return changed(record, waiting, errors);
      });
      for (const [i, { settle }] of waiting.entries()) settle(errors[i]);
    } catch (error) {
      for (const { settle } of waiting) settle(error);
    }
  }
}

/** Applies changes one after another; those that throw do nothing, and their errors are kept at their index. */
function changed(record: ObjectRecord | undefined, waiting: readonly Waiting[], errors: unknown[]): Change {
  if (!record) return { action: 'keep' };
  const counted = new CountedQuota(record.object);
  for (const [i, { change }] of waiting.entries()) {
    try {
      change(counted);
    } catch (error) {
      errors[i] = error;
    }
  }
  const { result } = counted;
  return result === record.object ? { action: 'keep' } : { action: 'write', object: result };
}
