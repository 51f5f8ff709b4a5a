import { encodeUtf8 } from '@ashlar/codec';
import {
  type Ambient,
  type ApiObject,
  apiVersionOf,
  type JsonValue,
  jsonEqual,
  MAXIMUM_OBJECT_BYTES,
  type MaybePromise,
  printErrors,
  sleep,
  timestampText,
  toHex,
} from '@ashlar/core';
import { type ResourceDefinition, storageVersion, storedKey, storedPrefix } from '@ashlar/registry';
import {
  type Change,
  type ChangeFunction,
  type ChangeResult,
  createObjectStore,
  LeaseQueue,
  type ListOptions,
  type ListResult,
  MvccCore,
  type ObjectObserver,
  type ObjectRecord,
  type ObjectStore,
  type ObjectWatchOptions,
  type ReadOptions,
  toMemoryStore,
  type Watch,
} from '@ashlar/storage';
import { objectCodec } from '../assembly/object-codec.ts';
import { checkRow, checkRows } from './check-rows.ts';
import type { Table, TableChange, TableRow } from './table.ts';
import { type WriteChange, WriteGroups } from './write-groups.ts';

/** Maximum number of changes that are written together: as many as the deletion of a collection makes side by side. */
const MAXIMUM_GROUP = 64;

/** Pauses between attempts to read what others wrote. */
const FIRST_PAUSE_MILLISECONDS = 500;
const LONGEST_PAUSE_MILLISECONDS = 30_000;

/**
 * The objects of one type over a table: reads are from memory, and writes go to the table first. Versions begin with the time, so that
 * they grow from one start to the next.
 */
export class TableStore implements ObjectStore {
  readonly #table: Table;
  readonly #definition: ResourceDefinition;
  readonly #ambient: Ambient;
  readonly #objects: ObjectStore;
  readonly #onError = printErrors('table');
  readonly #groups: WriteGroups<TableChange>;

  constructor(table: Table, rows: readonly TableRow[], definition: ResourceDefinition, ambient: Ambient) {
    const { clock } = ambient;
    this.#table = table;
    this.#definition = definition;
    this.#ambient = ambient;
    this.#groups = new WriteGroups((changes) => this.#writeAll(changes), table.write ? MAXIMUM_GROUP : 1);
    checkRows(rows, definition);
    const revision = Math.max(1, clock.now());
    const entries = rows.map((row) => ({
      key: storedKey(definition, row.namespace ?? '', row.name),
      value: objectCodec.encode(this.#toObject(row)),
      revision,
    }));
    const core = new MvccCore({ clock }, { entries, revision });
    const leases = new LeaseQueue({ clock, isCurrent: () => false, expire: () => {} });
    this.#objects = createObjectStore(toMemoryStore(core, leases, { clock }), {
      codec: objectCodec,
      clock,
      maxObjectBytes: MAXIMUM_OBJECT_BYTES,
    });
    table.changes?.((name, namespace = '') => {
      void this.#follow(() => (name === undefined ? this.#readAllAgain() : this.#readAgain(name, namespace)));
    });
  }

  get(key: string, options?: ReadOptions): MaybePromise<ObjectRecord | undefined> {
    return this.#objects.get(key, options);
  }

  list(prefix: string, options?: ListOptions): MaybePromise<ListResult> {
    return this.#objects.list(prefix, options);
  }

  watch(prefix: string, options: ObjectWatchOptions, observer: ObjectObserver): Watch {
    return this.#objects.watch(prefix, options, observer);
  }

  currentRevision(): MaybePromise<number> {
    return this.#objects.currentRevision();
  }

  update(
    key: string,
    change: ChangeFunction,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ChangeResult> {
    return this.#groups.run(key, (write) =>
      this.#objects.update(
        key,
        async (current) => {
          const decided = await change(current);
          await writeChange(decided, current, write);
          return decided;
        },
        options,
      ),
    );
  }

  async #writeAll(changes: readonly TableChange[]): Promise<void> {
    if (this.#table.write) return this.#table.write(changes);
    for (const change of changes) {
      if ('put' in change) await this.#table.put(change.put);
      else await this.#table.remove(change.remove.name, change.remove.namespace);
    }
  }

  /** Reads what others wrote until the table can be read; a row that is no object is reported once. */
  async #follow(read: () => Promise<unknown>): Promise<void> {
    for (let pause = FIRST_PAUSE_MILLISECONDS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MILLISECONDS)) {
      try {
        await read();
        return;
      } catch (error) {
        this.#onError(error);
        if (error instanceof TypeError) return;
        await sleep(this.#ambient.clock, pause);
      }
    }
  }

  /** Takes over what others wrote to the table. */
  #readAgain(name: string, namespace: string): Promise<unknown> {
    const key = storedKey(this.#definition, namespace, name);
    return this.#groups.run(key, async () => {
      const row = await this.#table.get(name, namespace);
      if (row) checkRow(row, this.#definition);
      await this.#objects.update(key, (current) => {
        if (!row) return { action: current ? 'remove' : 'keep' };
        const object = this.#toObject(row, current?.object);
        return isSame(toRow(object), current && toRow(current.object))
          ? { action: 'keep' }
          : { action: 'write', object };
      });
    });
  }

  /** Reads again each row that is not as it was: what the list says may be outdated when it is compared. */
  async #readAllAgain(): Promise<void> {
    const rows = await this.#table.list();
    checkRows(rows, this.#definition);
    const there = new Map(
      (await this.#objects.list(storedPrefix(this.#definition))).records.map(({ object }) => {
        const row = toRow(object);
        return [keyOf(row), { row, object }];
      }),
    );
    const outdated: Pick<TableRow, 'name' | 'namespace'>[] = [];
    for (const row of rows) {
      const existing = there.get(keyOf(row));
      there.delete(keyOf(row));
      if (!existing || !isSame(toRow(this.#toObject(row, existing.object)), existing.row)) outdated.push(row);
    }
    // those that are left are in the table no more
    for (const { row } of there.values()) outdated.push(row);
    await Promise.all(outdated.map(({ name, namespace = '' }) => this.#readAgain(name, namespace)));
  }

  /** An object with what the row has; metadata that the table leaves out is that of the object that is there. */
  #toObject({ name, namespace, spec, status, metadata }: TableRow, current?: ApiObject): ApiObject {
    const { group, names } = this.#definition;
    const version = storageVersion(this.#definition).name;
    const { generation = 1 } = current?.metadata ?? {};
    const isChanged = current !== undefined && !jsonEqual(current.spec as JsonValue, spec);
    return {
      apiVersion: apiVersionOf({ group, version }),
      kind: names.kind,
      metadata: {
        uid: uidOf(`${names.plural}.${group}/${namespace ?? ''}/${name}`),
        creationTimestamp: timestampText(this.#ambient.clock.now()),
        ...current?.metadata,
        ...metadata,
        generation: isChanged ? generation + 1 : (metadata?.generation ?? generation),
        name,
        ...(namespace && { namespace }),
      },
      spec,
      ...(status !== undefined && { status }),
    } as unknown as ApiObject;
  }
}

const keyOf = ({ name, namespace = '' }: TableRow): string => `${namespace}/${name}`;

async function writeChange(
  change: Change,
  current: ObjectRecord | undefined,
  write: WriteChange<TableChange>,
): Promise<void> {
  const before = current && toRow(current.object);
  if (change.action === 'remove' && before) {
    await write({ remove: { name: before.name, namespace: before.namespace ?? '' } });
  }
  if (change.action !== 'write') return;
  const row = toRow(change.object);
  if (!before || !isSame(row, before)) await write({ put: row });
}

function toRow({ metadata, spec, status }: ApiObject): TableRow {
  const { name = '', namespace, resourceVersion: _, ...more } = metadata;
  return {
    name,
    ...(namespace && { namespace }),
    spec: spec as JsonValue,
    ...(status !== undefined && { status: status as JsonValue }),
    metadata: more,
  };
}

const isSame = (a: TableRow, b: TableRow | undefined): boolean =>
  b !== undefined && jsonEqual(a as unknown as JsonValue, b as unknown as JsonValue);

/** A uid that is the same for the same text in every process: four hashes of 32 bits (FNV-1a). */
function uidOf(text: string): string {
  const bytes = encodeUtf8(text);
  const parts = [0, 1, 2, 3].map((seed) => {
    let hash = (0x811c9dc5 + seed * 0x9e3779b9) >>> 0;
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
    return hash;
  });
  const hex = toHex(new Uint8Array(Uint32Array.from(parts).buffer));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
