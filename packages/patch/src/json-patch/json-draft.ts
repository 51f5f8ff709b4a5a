import { isJsonArray, type JsonObject, type JsonValue, ownMember, type Steps, setMember } from '@ashlar/core';
import { DraftChanges } from './draft-changes.ts';
import { type CopiedDraft, copyWithin, type MeasuredMembers, type SizedCopy } from './draft-copy.ts';
import { DraftList } from './draft-list.ts';
import {
  ContainerError,
  copyContainer,
  existingIndex,
  insertionIndex,
  isContainer,
  type JsonContainer,
  type OwnContainer,
} from './json-container.ts';
import { JsonPointerReader } from './json-pointer-reader.ts';

/** The target of a JSON pointer: the container that contains, or would contain, the value of the token. */
export interface Place<Container extends JsonContainer> {
  readonly container: Container;
  readonly token: string;
}

/** Containers that pointers led through, with the names of members that may be such containers; all items may be. */
export type WalkedContainers = ReadonlyMap<JsonContainer, ReadonlySet<string>>;

/** Lists up to this length are changed in place. */
const SHORT_LIST = 2048;

/**
 * A copy-on-write document during a patch: a level is copied when it is first written, and written in place
 * afterwards, so that many operations on one long list do not copy it each. Long lists with insertions are
 * stored in chunks until the patch is done.
 */
export class JsonDraft implements CopiedDraft {
  #root: JsonContainer;
  readonly #own: Set<JsonContainer> = new Set();
  readonly #lists: Map<JsonContainer, DraftList> = new Map();
  /** Number of members of the compared objects. */
  readonly #sizes: Map<JsonContainer, number> = new Map();
  /** What large objects take as JSON, until they are changed: copies of copies are measured again and again. */
  readonly #measures: Map<JsonContainer, MeasuredMembers> = new Map();
  /** Containers that a pointer led through, with the tokens of those in them that may be walked, too. */
  readonly #walked: Map<JsonContainer, Set<string>> = new Map();
  readonly #changes: DraftChanges = new DraftChanges();

  constructor(document: JsonContainer) {
    this.#root = document;
  }

  get root(): JsonContainer {
    return this.#root;
  }

  replaceRoot(document: JsonContainer): void {
    this.#root = document;
  }

  /** Containers that pointers led through. */
  get walked(): WalkedContainers {
    return this.#walked;
  }

  /** Replaces a part of a container by the same in order: in place if this patch has made the container. */
  putInOrder<C extends JsonContainer>(container: C, name: string | number, part: JsonValue): C {
    const own = (this.#own.has(container) ? container : copyContainer(container).copy) as OwnContainer;
    this.#own.add(own);
    this.#changes.set(own, name);
    this.#measures.delete(own);
    if (isJsonArray(own)) own[Number(name)] = part;
    else setMember(own, String(name), part);
    return own as unknown as C;
  }

  /** The current document. */
  *finish(): Steps<JsonContainer> {
    for (const [list, draft] of this.#lists) {
      draft.writeTo(list as JsonValue[]);
      yield;
    }
    this.#lists.clear();
    this.#changes.note();
    return this.#root;
  }

  /**
   * The target of a pointer; undefined if its parent is not a container, for the root and for an invalid
   * pointer.
   */
  find(pointer: string): Place<JsonContainer> | undefined {
    if (!pointer.startsWith('/')) return undefined;
    const reader = new JsonPointerReader(pointer);
    let container = this.#root;
    this.#walk(container);
    while (!reader.isLast) {
      const token = reader.next();
      const next = this.readOrNothing(container, token);
      if (!isContainer(next)) return undefined;
      this.#walk(container, token);
      container = next;
      this.#walk(container);
    }
    return { container, token: reader.next() };
  }

  /** The same target, made writable. */
  edit(pointer: string): Place<OwnContainer> | undefined {
    const found = this.find(pointer);
    if (!found) return undefined;
    const reader = new JsonPointerReader(pointer);
    let container = this.#ownOf(this.#root);
    this.#root = container;
    while (!reader.isLast) {
      const token = reader.next();
      const before = this.read(container, token) as JsonContainer;
      const next = this.#ownOf(before);
      if (next !== before) this.replace({ container, token }, next);
      container = next;
    }
    return { container, token: found.token };
  }

  /**
   * The value at a key or index; undefined for an absent key. Throws ContainerError for an index that is
   * invalid or outside.
   */
  read(container: JsonContainer, token: string): JsonValue | undefined {
    if (!isJsonArray(container)) return ownMember(container, token);
    const list = this.#lists.get(container);
    const index = existingIndex((list ?? container).length, token);
    return list ? list.at(index) : container[index];
  }

  /** The same; also undefined for an index that is invalid or outside. */
  readOrNothing(container: JsonContainer, token: string): JsonValue | undefined {
    try {
      return this.read(container, token);
    } catch (error) {
      if (error instanceof ContainerError) return undefined;
      throw error;
    }
  }

  /** Adds a member, or inserts an item before the index; `-` appends. */
  add({ container, token }: Place<OwnContainer>, value: JsonValue): void {
    if (Array.isArray(container)) {
      const list = this.#longList(container);
      const index = insertionIndex((list ?? container).length, token);
      this.#changes.moved(container);
      if (list) list.insert(index, value);
      else container.splice(index, 0, value);
      return;
    }
    if (ownMember(container, token) === undefined) this.#count(container, 1);
    this.#setMember(container, token, value);
  }

  /** Replaces an existing value. */
  replace({ container, token }: Place<OwnContainer>, value: JsonValue): void {
    if (!Array.isArray(container)) {
      this.#setMember(container, token, value);
      return;
    }
    const list = this.#lists.get(container);
    const index = existingIndex((list ?? container).length, token);
    this.#changes.set(container, index);
    if (list) list.replace(index, value);
    else container[index] = value;
  }

  /** Removes an existing member or item. */
  remove({ container, token }: Place<OwnContainer>): void {
    if (Array.isArray(container)) {
      const list = this.#longList(container);
      const index = existingIndex((list ?? container).length, token);
      this.#changes.moved(container);
      if (list) list.remove(index);
      else container.splice(index, 1);
      return;
    }
    if (ownMember(container, token) === undefined)
      throw new ContainerError(`Unable to remove nonexistent key: ${token}: missing value`);
    this.#count(container, -1);
    this.#measures.delete(container);
    this.#changes.removed(container, token);
    delete container[token];
  }

  #setMember(object: Record<string, JsonValue | undefined>, name: string, value: JsonValue): void {
    this.#changes.set(object, name);
    this.#measures.delete(object);
    // what was walked elsewhere may have been moved here
    if (isContainer(value)) this.#walked.get(object)?.add(name);
    setMember(object, name, value);
  }

  #walk(container: JsonContainer, token?: string): void {
    const tokens = this.#walked.get(container) ?? new Set();
    this.#walked.set(container, token === undefined ? tokens : tokens.add(token));
  }

  /**
   * Whether a value of the document equals one of the patch. Takes time by the size of the latter, apart from
   * counting the members of each object of the document once.
   */
  equals(value: JsonValue, expected: JsonValue): boolean {
    const pending: JsonValue[] = [value, expected];
    while (pending.length > 0) {
      const right = pending.pop() as JsonValue;
      const left = pending.pop() as JsonValue;
      if (left === right) continue;
      if (!isContainer(left) || !isContainer(right)) return false;
      if (!this.#levelEquals(left, right, pending)) return false;
    }
    return true;
  }

  #levelEquals(value: JsonContainer, expected: JsonContainer, pending: JsonValue[]): boolean {
    if (isJsonArray(value) !== isJsonArray(expected)) return false;
    const list = this.#lists.get(value) ?? value;
    if (isJsonArray(expected)) {
      if (list.length !== expected.length) return false;
      this.settle(value);
      for (let i = 0; i < expected.length; i++)
        pending.push((value as readonly JsonValue[])[i] as JsonValue, expected[i] as JsonValue);
      return true;
    }
    let count = 0;
    for (const key in expected) {
      const expectedMember = expected[key];
      if (expectedMember === undefined) continue;
      const member = ownMember(value as JsonObject, key);
      if (member === undefined) return false;
      count++;
      pending.push(member, expectedMember);
    }
    return this.#sizeOf(value as JsonObject) === count;
  }

  /**
   * A copy of a value for another place of the document. No object stands at two places: what is noted of
   * one would hold for the other.
   * @param limit maximum size in bytes of JSON
   */
  copy(value: JsonValue, limit: number): Steps<SizedCopy> {
    return copyWithin(value, limit, this);
  }

  #ownOf(container: JsonContainer): OwnContainer {
    if (this.#own.has(container)) return container as OwnContainer;
    const { copy, size } = copyContainer(container);
    this.noteCopy(copy, container);
    this.#changes.copied(copy, container, size);
    return copy;
  }

  /** Notes that this patch has made a container as a copy: what is known of the original holds for it. */
  noteCopy(copy: OwnContainer, original: JsonContainer): void {
    this.#own.add(copy);
    const walked = this.#walked.get(original);
    if (walked) this.#walked.set(copy, new Set(walked));
    const size = this.#sizes.get(original);
    if (size !== undefined) this.#sizes.set(copy, size);
    const measured = this.#measures.get(original);
    if (measured) this.#measures.set(copy, measured);
  }

  measured(object: JsonObject): MeasuredMembers | undefined {
    return this.#measures.get(object);
  }

  noteMeasure(object: JsonObject, members: MeasuredMembers): void {
    this.#measures.set(object, members);
  }

  /** Notes that a list stands at two places: it is copied before it is written. */
  share(list: JsonContainer): void {
    this.#own.delete(list);
  }

  /** The chunks of a long list; undefined for others. */
  #longList(list: JsonValue[]): DraftList | undefined {
    const cached = this.#lists.get(list);
    if (cached || list.length <= SHORT_LIST) return cached;
    const draft = new DraftList(list);
    this.#lists.set(list, draft);
    return draft;
  }

  /** Joins the chunks of a list, if it has any. */
  settle(container: JsonContainer): void {
    this.#lists.get(container)?.writeTo(container as JsonValue[]);
    this.#lists.delete(container);
  }

  #count(object: JsonContainer, change: 1 | -1): void {
    const size = this.#sizes.get(object);
    if (size !== undefined) this.#sizes.set(object, size + change);
  }

  #sizeOf(object: JsonObject): number {
    let size = this.#sizes.get(object);
    if (size === undefined) {
      size = 0;
      for (const key in object) if (object[key] !== undefined) size++;
      this.#sizes.set(object, size);
    }
    return size;
  }
}
