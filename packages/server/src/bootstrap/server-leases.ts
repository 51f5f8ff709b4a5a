import type { ApiObject } from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';
import { OWN_KEYS } from '../assembly/store-vocabulary.ts';

const PREFIX = `${OWN_KEYS}servers/`;
/** How long the address of a server that has crashed is still among the others. */
const LEASE_SECONDS = 15;

/** The addresses of the servers over a store; each keeps its own as long as it renews it. */
export class ServerLeases {
  readonly #store: ObjectStore;
  readonly #key: string;
  readonly #address: string;
  #generation = 0;

  constructor(store: ObjectStore, address: string) {
    this.#store = store;
    this.#address = address;
    this.#key = PREFIX + address;
  }

  async renew(): Promise<void> {
    const stored = await this.#store.get(this.#key);
    // an entry that does not change is not written, and so not renewed
    this.#generation = Math.max(this.#generation, stored?.object.metadata.generation ?? 0) + 1;
    const object: ApiObject = {
      ...{ apiVersion: 'v1', kind: 'Endpoints' },
      metadata: { name: this.#address, generation: this.#generation },
      subsets: [{ addresses: [{ ip: this.#address }] }],
    };
    await this.#store.update(this.#key, () => ({ action: 'write', object, leaseSeconds: LEASE_SECONDS }));
  }

  async remove(): Promise<void> {
    await this.#store.update(this.#key, (current) => ({ action: current ? 'remove' : 'keep' }));
  }

  /** Returns the addresses of all servers, sorted. */
  async addresses(): Promise<readonly string[]> {
    const { records } = await this.#store.list(PREFIX);
    return records.map(({ key }) => key.slice(PREFIX.length)).sort();
  }
}
