import { type ApiObject, deepFreeze, deepFreezeSteps, type JsonObject, type Steps } from '@ashlar/core';
import { inMicrotask } from './in-microtask.ts';
import {
  findSeams,
  hasMetadata,
  listItemLength,
  readLabels,
  readPart,
  readType,
  type Seams,
  toListItem,
  toMetadata,
  withResourceVersion,
} from './stored-json.ts';
import { UnreadableObjectError } from './unreadable-object.ts';
import { readBack, withRevision } from './written-object.ts';

/** Encodes objects without `metadata.resourceVersion`, and decodes them. Deterministic: equal objects have equal bytes. */
export interface ObjectCodec {
  encode(object: ApiObject): Uint8Array;
  decode(bytes: Uint8Array): ApiObject;
  /** As `encode`, with pauses, for large objects; without it they are encoded at once. */
  encodeSteps?(object: ApiObject): Steps<Uint8Array>;
  /** As `decode`, with pauses, for large objects; without it they are decoded at once. */
  decodeSteps?(bytes: Uint8Array): Steps<ApiObject>;
}

/** Marks records, whichever copy of the package created them. */
const RECORD = Symbol.for('@ashlar/storage ObjectRecord');

const NO_LABELS: Readonly<Record<string, string>> = Object.freeze({});

const SPACE = 0x20;
/** The brace at the end of an object. */
const CLOSING = 0x7d;

/**
 * One stored object. `stored` is its JSON in the storage version, without `metadata.resourceVersion`, which is only known after the
 * write. These bytes are the only copy in memory: the object is decoded on first use, and responses are sliced from the bytes.
 */
export class ObjectRecord {
  readonly key: string;
  readonly revision: number;
  readonly stored: Uint8Array;
  /** Decodes `stored`. */
  readonly codec: ObjectCodec;
  #object: ApiObject | undefined;
  #written: WeakRef<ApiObject> | undefined;
  /** Whether encoding `#object` is known to give what is stored. */
  #isEncoded = false;
  #seams: Seams | undefined;
  #labels: Readonly<Record<string, string>> | undefined;
  #memo: Map<unknown, unknown> | undefined;
  #inTurn: Map<unknown, unknown> | undefined;

  /** Why the object cannot be read, if that is known: reading it throws this error. */
  readonly fault: UnreadableObjectError | undefined;
  /** Whether it should be written again even if it does not change. */
  readonly isStale: boolean;

  constructor(
    key: string,
    revision: number,
    stored: Uint8Array,
    codec: ObjectCodec,
    fault?: UnreadableObjectError,
    isStale: boolean = false,
  ) {
    this.fault = fault;
    this.isStale = isStale;
    this.key = key;
    this.revision = revision;
    this.stored = stored;
    this.codec = codec;
  }

  /**
   * Whether a value is a record. A package that is installed twice has its classes twice, and `instanceof` recognises the records of one copy only.
   */
  static is(value: unknown): value is ObjectRecord {
    return value instanceof ObjectRecord || (typeof value === 'object' && value !== null && RECORD in value);
  }

  /** The decoded object, frozen, with its resource version where `withRevision` puts it. Cached. */
  get object(): ApiObject {
    this.#object = this.#known() ?? deepFreeze(this.decode());
    return this.#object;
  }

  /** The decoded object, if it is in memory, where it stays no longer for that: that of a record which was just written. */
  get known(): ApiObject | undefined {
    return this.#object ?? this.#written?.deref();
  }

  #known(): ApiObject | undefined {
    this.#object ??= this.#written?.deref();
    return this.#object;
  }

  /**
   * Remembers the object that was written, which may then be frozen, as long as the garbage collector leaves it:
   * an object that was just written is often written again, and need not be decoded for that. A large one must have been
   * frozen before (`freezeWrittenSteps`).
   */
  remember(written: ApiObject): void {
    const object = readBack(written, this.stored.length, this.revision);
    if (object) this.#written = new WeakRef(object);
  }

  /** Remembers that encoding an object has given what is stored. */
  rememberEncoding(object: ApiObject): void {
    if (object === this.#object) this.#isEncoded = true;
  }

  /** Whether encoding an object is known to give what is stored: one that is written again and again, unchanged, is encoded once. */
  isEncodingOf(object: ApiObject): boolean {
    return this.#isEncoded && object === this.#object;
  }

  /** Decodes `object` ahead, in steps: for large objects. */
  *loadSteps(): Steps<void> {
    if (this.#known()) return;
    const decoded = yield* this.decodeSteps();
    yield;
    const object = yield* deepFreezeSteps(decoded);
    // it may have been decoded meanwhile
    this.#object ??= object;
  }

  /** Like `decode`, in steps. */
  *decodeSteps(): Steps<ApiObject> {
    const known = this.#known();
    if (known) return known;
    const { codec, stored, revision } = this;
    try {
      const decoded = codec.decodeSteps ? yield* codec.decodeSteps(stored) : codec.decode(stored);
      return withRevision(decoded, revision);
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  /** The labels, read without decoding the rest. */
  get labels(): Readonly<Record<string, string>> {
    const known = this.#known();
    if (known) return known.metadata.labels ?? NO_LABELS;
    this.#labels ??= this.#readLabels() ?? NO_LABELS;
    return this.#labels;
  }

  /** Returns the decoded object; if it is not cached, it is decoded for this call only and not frozen. */
  decode(): ApiObject {
    return this.#known() ?? withRevision(this.#decoded(), this.revision);
  }

  /**
   * The object as JSON in the storage version with its resource version, in the same place as in `object`; assembled on each call, without
   * decoding (ADR 8).
   *
   * @throws TypeError if the stored bytes are not a JSON object with metadata
   */
  get json(): Uint8Array {
    return withResourceVersion(this.#text, this.#cut(), this.revision);
  }

  /**
   * Returns the object as a list item in JSON, after a comma; assembled on each call.
   * @param named whether it has kind and version, which items of typed lists do not (semantics/list-and-watch#list)
   */
  listItem(named: boolean): Uint8Array {
    return toListItem(this.#text, this.#cut(), this.revision, named);
  }

  /** Returns the length of `listItem` without assembling it. */
  listItemLength(named: boolean): number {
    return listItemLength(this.#text, this.#cut(), this.revision, named);
  }

  /** What is stored without blanks behind it, which answers do not have. */
  get #text(): Uint8Array {
    let end = this.stored.length;
    while ((this.stored[end - 1] ?? CLOSING) <= SPACE) end--;
    return end === this.stored.length ? this.stored : this.stored.subarray(0, end);
  }

  /** The `apiVersion` and `kind` as stored, read without decoding the rest. */
  get type(): { readonly apiVersion: string; readonly kind: string } {
    return this.#object ?? readType(this.stored);
  }

  /**
   * Of the object only the members that lead to a value, as far as it has them, such as `{"spec":{"size":3}}`; read without decoding the
   * rest.
   * @param path names of members, in ASCII letters, digits, `-` and `_`
   */
  part(path: readonly string[]): JsonObject {
    try {
      return this.codec.decode(readPart(this.stored, path)) as unknown as JsonObject;
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  /** Whether the metadata has one of these members, given in UTF-8; read without decoding it. */
  hasMetadata(names: readonly Uint8Array[]): boolean {
    return hasMetadata(this.stored, names);
  }

  /** The metadata as JSON, as in `json`; assembled on each call. */
  get metadataJson(): Uint8Array {
    return toMetadata(this.stored, this.#cut(), this.revision);
  }

  /** Returns the cached result of `make`, which is called at most once per `name`. */
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
   * Like `memo`, but cached only for this turn of the event loop: for what all receivers of an event need, and nobody later.
   */
  memoInTurn<T>(name: unknown, make: (record: this) => T): T {
    if (!this.#inTurn) {
      this.#inTurn = new Map();
      if (inTurn.push(this) === 1) inMicrotask(forgetTurn);
    }
    let value = this.#inTurn.get(name) as T | undefined;
    if (value === undefined) {
      value = make(this);
      this.#inTurn.set(name, value);
    }
    return value;
  }

  /** Clears the cache of this turn. */
  static forgetTurn(record: ObjectRecord): void {
    record.#inTurn = undefined;
  }

  /**
   * Marks the record as superseded: its caches are cleared after the event has been delivered. Histories hold many such records, which
   * are rarely read again.
   */
  supersede(): void {
    if (superseded.push(this) === 1) inMicrotask(forgetSuperseded);
  }

  /** Clears all caches. */
  static forgetAll(record: ObjectRecord): void {
    record.#object = undefined;
    record.#written = undefined;
    record.#isEncoded = false;
    record.#memo = undefined;
    record.#seams = undefined;
  }

  /** Returns the same content with another revision: the last state of an object in the event of its deletion. */
  at(revision: number): ObjectRecord {
    if (revision === this.revision) return this;
    return new ObjectRecord(this.key, revision, this.stored, this.codec, this.fault, this.isStale);
  }

  #decoded(): ApiObject {
    try {
      return this.codec.decode(this.stored);
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  #readLabels(): Readonly<Record<string, string>> | undefined {
    try {
      return readLabels(this.stored);
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  #unreadable(error: unknown): UnreadableObjectError {
    return this.fault ?? new UnreadableObjectError(this.key, 'undecodable', error);
  }

  #cut(): Seams {
    this.#seams ??= findSeams(this.stored);
    return this.#seams;
  }
}

Object.defineProperty(ObjectRecord.prototype, RECORD, { value: true });

/** Records with a cache for this turn of the event loop. */
const inTurn: ObjectRecord[] = [];

const superseded: ObjectRecord[] = [];

function forgetSuperseded(): void {
  for (const record of superseded.splice(0)) ObjectRecord.forgetAll(record);
}

function forgetTurn(): void {
  for (const record of inTurn.splice(0)) ObjectRecord.forgetTurn(record);
}
