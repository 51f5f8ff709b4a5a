import { type ApiObject, deepFreeze, deepFreezeSteps, type Steps } from '@ashlar/core';
import {
  findSeams,
  listItemLength,
  readLabels,
  type Seams,
  toListItem,
  toMetadata,
  withResourceVersion,
} from './stored-json.ts';

/** Objects to bytes and back, without `metadata.resourceVersion`. Deterministic: equal objects give equal bytes. */
export interface ObjectCodec {
  encode(object: ApiObject): Uint8Array;
  decode(bytes: Uint8Array): ApiObject;
  /** As `encode`, with pauses, for large objects; without it they are encoded at once. */
  encodeSteps?(object: ApiObject): Steps<Uint8Array>;
  /** As `decode`, with pauses, for large objects; without it they are decoded at once. */
  decodeSteps?(bytes: Uint8Array): Steps<ApiObject>;
}

const NO_LABELS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * One object as it is stored. `stored` is its JSON in the storage version, without `metadata.resourceVersion`: the revision
 * is known only after the write. They are the one copy that a record keeps: the object is decoded when somebody looks at it, and what
 * goes over the wire is cut from the bytes.
 */
export class ObjectRecord {
  readonly key: string;
  readonly revision: number;
  readonly stored: Uint8Array;
  /** Decodes `stored`. */
  readonly codec: ObjectCodec;
  #object: ApiObject | undefined;
  #seams: Seams | undefined;
  #labels: Readonly<Record<string, string>> | undefined;
  #memo: Map<unknown, unknown> | undefined;
  #inTurn: Map<unknown, unknown> | undefined;

  constructor(key: string, revision: number, stored: Uint8Array, codec: ObjectCodec) {
    this.key = key;
    this.revision = revision;
    this.stored = stored;
    this.codec = codec;
  }

  /** The object, frozen, with its resource version behind its uid, or first in its metadata where it has none. */
  get object(): ApiObject {
    this.#object ??= deepFreeze(withRevision(this.codec.decode(this.stored), this.revision));
    return this.#object;
  }

  /** Makes `object` with pauses, so that looking at it costs nothing: for large ones, before somebody looks. */
  *loadSteps(): Steps<void> {
    if (this.#object) return;
    const decoded = yield* this.decodeSteps();
    yield;
    const object = yield* deepFreezeSteps(decoded);
    // others may have looked at it meanwhile
    this.#object ??= object;
  }

  /** As `decode`, with pauses. */
  *decodeSteps(): Steps<ApiObject> {
    if (this.#object) return this.#object;
    const { codec, stored, revision } = this;
    return withRevision(
      codec.decodeSteps ? yield* codec.decodeSteps(stored) : codec.decode(stored),
      revision,
    );
  }

  /** Its labels, read without decoding the rest. */
  get labels(): Readonly<Record<string, string>> {
    if (this.#object) return this.#object.metadata.labels ?? NO_LABELS;
    this.#labels ??= readLabels(this.stored) ?? NO_LABELS;
    return this.#labels;
  }

  /** The object; where nobody has looked at it yet it is decoded for this one look, is not kept and not frozen. */
  decode(): ApiObject {
    return this.#object ?? withRevision(this.codec.decode(this.stored), this.revision);
  }

  /**
   * The object as JSON in the storage version with its resource version in it, in the same place as in `object`; put together anew
   * each time, without decoding (ADR 8).
   *
   * @throws TypeError where the stored bytes are no JSON object with metadata
   */
  get json(): Uint8Array {
    return withResourceVersion(this.stored, this.#cut(), this.revision);
  }

  /**
   * The object as an item of a list in JSON, behind a comma; put together anew each time.
   * @param named whether it says its kind and version, which items of typed lists do not (semantics/list-and-watch#list)
   */
  listItem(named: boolean): Uint8Array {
    return toListItem(this.stored, this.#cut(), this.revision, named);
  }

  /** Bytes of `listItem`, known without making it. */
  listItemLength(named: boolean): number {
    return listItemLength(this.stored, this.#cut(), this.revision, named);
  }

  /** Its metadata alone as JSON, as in `json`; put together anew each time. */
  get metadataJson(): Uint8Array {
    return toMetadata(this.stored, this.#cut(), this.revision);
  }

  /** What `make` gives for this record, made at most once per `name`. */
  memo<T>(name: unknown, make: (record: this) => T): T {
    this.#memo ??= new Map();
    let value = this.#memo.get(name) as T | undefined;
    if (value === undefined) {
      value = make(this);
      this.#memo.set(name, value);
    }
    return value;
  }

  /**
   * As `memo`, but let go of before the next turn of the event loop: for what everybody needs who is told of an event, and nobody later.
   */
  memoInTurn<T>(name: unknown, make: (record: this) => T): T {
    if (!this.#inTurn) {
      this.#inTurn = new Map();
      if (inTurn.push(this) === 1) queueMicrotask(forgetTurn);
    }
    let value = this.#inTurn.get(name) as T | undefined;
    if (value === undefined) {
      value = make(this);
      this.#inTurn.set(name, value);
    }
    return value;
  }

  /** Lets go of what was made in this turn. */
  static forgetTurn(record: ObjectRecord): void {
    record.#inTurn = undefined;
  }

  /**
   * Another state has taken its place: what was made of its bytes is let go of once those who are told of the change have looked at it.
   * Histories hold many such records, and hardly anybody asks for them again.
   */
  supersede(): void {
    if (superseded.push(this) === 1) queueMicrotask(forgetSuperseded);
  }

  /** Lets go of all that was made of the bytes. */
  static forgetAll(record: ObjectRecord): void {
    record.#object = undefined;
    record.#memo = undefined;
    record.#seams = undefined;
  }

  /** The same content under another revision: the last state of an object in the event of its deletion. */
  at(revision: number): ObjectRecord {
    return revision === this.revision ? this : new ObjectRecord(this.key, revision, this.stored, this.codec);
  }

  #cut(): Seams {
    this.#seams ??= findSeams(this.stored);
    return this.#seams;
  }
}

/** Records that something was made of in this turn of the event loop. */
const inTurn: ObjectRecord[] = [];

const superseded: ObjectRecord[] = [];

function forgetSuperseded(): void {
  for (const record of superseded.splice(0)) ObjectRecord.forgetAll(record);
}

function forgetTurn(): void {
  for (const record of inTurn.splice(0)) ObjectRecord.forgetTurn(record);
}

function withRevision(object: ApiObject, revision: number): ApiObject {
  const resourceVersion = String(revision);
  if (object.metadata.uid === undefined) {
    return { ...object, metadata: { resourceVersion, ...object.metadata } };
  }
  const metadata: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object.metadata)) {
    metadata[name] = value;
    if (name === 'uid') metadata.resourceVersion = resourceVersion;
  }
  return { ...object, metadata };
}
