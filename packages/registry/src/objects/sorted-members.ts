import {
  compareUtf8,
  isEmptyObject,
  type JsonObject,
  type JsonValue,
  MANY_MEMBERS,
  memberNames,
  type Steps,
  setMember,
} from '@ashlar/core';

/** Values between two pauses. */
const STRIDE = 1024;

/** Names that are whole numbers: JavaScript has them before all others, in their own order. */
const WHOLE_NUMBER = /^(?:0|[1-9]\d*)$/;

/** Large lists and objects that are known to be in order, with all inside: most of a write are passed from step to step as they are. */
const inOrder: WeakSet<object> = new WeakSet();

/**
 * Returns a value whose objects have their members in the order of their names, as custom objects are stored and printed
 * (semantics/metadata#fields); the value itself if they have it already. Names that are whole numbers come first.
 */
export function* sortedMembersSteps(value: JsonValue): Steps<JsonValue> {
  if (!isComposite(value)) return value;
  const open = [new Sorting(value)];
  for (let visited = 1, last = open.at(-1); last; visited++, last = open.at(-1)) {
    if (visited % STRIDE === 0) yield;
    if (last.isDone) {
      open.pop();
      if (last.isLarge) inOrder.add(last.result);
      const around = open.at(-1);
      if (!around) return last.result;
      around.take(last.result);
    } else if (isSortedAndFlat(last.part)) last.take(last.part);
    else open.push(new Sorting(last.part as Composite));
  }
  return value;
}

type Composite = JsonObject | JsonValue[];

/** A list or object in progress: the same one as long as neither it nor a part changes, which most do not. */
class Sorting {
  readonly #from: Composite;
  /** Undefined for lists. */
  readonly #names: readonly string[] | undefined;
  readonly #length: number;
  #at = 0;
  #to: JsonValue[] | Record<string, JsonValue> | undefined;

  constructor(from: Composite) {
    this.#from = from;
    const names = Array.isArray(from) ? undefined : memberNames(from);
    const isSorted = !names || areInOrder(names);
    if (!isSorted) this.#to = {};
    this.#names = isSorted ? names : names.toSorted(compareUtf8);
    this.#length = names?.length ?? (from as JsonValue[]).length;
  }

  get isDone(): boolean {
    return this.#at === this.#length;
  }

  get part(): JsonValue | undefined {
    return this.#partAt(this.#at);
  }

  get isLarge(): boolean {
    return this.#length >= MANY_MEMBERS;
  }

  get result(): Composite {
    return this.#to ?? this.#from;
  }

  /** Goes on to the next part. @param part what takes the place of this one */
  take(part: JsonValue | undefined): void {
    if (!this.#to && part !== this.part) {
      this.#to = this.#names ? {} : [];
      for (let i = 0; i < this.#at; i++) this.#put(i, this.#partAt(i));
    }
    this.#put(this.#at++, part);
  }

  #partAt(index: number): JsonValue | undefined {
    return (this.#from as Record<string | number, JsonValue>)[this.#names?.[index] ?? index];
  }

  #put(index: number, part: JsonValue | undefined): void {
    if (!this.#to || part === undefined) return;
    if (this.#names) setMember(this.#to as Record<string, JsonValue>, this.#names[index] as string, part);
    else (this.#to as JsonValue[]).push(part);
  }
}

function areInOrder(names: readonly string[]): boolean {
  for (let i = 1; i < names.length; i++)
    if (!isAfter(names[i] as string, names[i - 1] as string)) return false;
  return true;
}

const isAfter = (name: string, previous: string): boolean =>
  compareUtf8(name, previous) >= 0 || WHOLE_NUMBER.test(previous);

/** Whether nothing of a value needs to be opened, as of most items of long lists, and of what is known. */
function isSortedAndFlat(value: JsonValue | undefined): boolean {
  if (!isComposite(value) || inOrder.has(value)) return true;
  if (Array.isArray(value)) return value.length < STRIDE && value.every(isEmptyOrKnown);
  let previous = '';
  for (const name of memberNames(value)) {
    if (!isAfter(name, previous) || !isEmptyOrKnown(value[name])) return false;
    previous = name;
  }
  return true;
}

function isEmptyOrKnown(value: JsonValue | undefined): boolean {
  return !isComposite(value) || inOrder.has(value) || isEmptyObject(value);
}

const isComposite = (value: JsonValue | undefined): value is Composite =>
  typeof value === 'object' && value !== null;
