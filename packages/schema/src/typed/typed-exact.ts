import { endOfStringSteps, parseJsonSteps, type Steps, setMember } from '@ashlar/core';
import { SpelledNumber } from '../formats/spelled-number.ts';
import type { TypedContext } from './typed-context.ts';
import type { TypedFieldShape, TypedInput, TypedNode } from './typed-node.ts';

/**
 * Decodes a JSON text along a type: numbers keep their spelling, repeated and unknown keys are reported in
 * the order of the text, and the values of repeated keys are merged as by Go's decoder, which fills the
 * earlier value: fields of structs and entries of maps add up, lists do so element by element, scalars are
 * replaced, and their wrong types saved in the context (semantics/schemas#strictness). Unknown fields are dropped. The text must be valid JSON.
 * With pauses.
 */
export function readExactly(root: TypedNode, text: string, context: TypedContext): Steps<TypedInput> {
  return new ExactReader(text, context).read(root, undefined);
}

const PLAIN_INTEGER = /^-?\d{1,15}$/;
const INTEGER = /^-?\d+$/;
/** Integers of more characters fit into no type. */
const MAXIMUM_INTEGER_LENGTH = 20;
const WORD = /[\w.+-]*/y;
/** Values between pauses. */
const STRIDE = 1024;

class ExactReader {
  readonly #text: string;
  readonly #context: TypedContext;
  #at = 0;
  #values = 0;

  constructor(text: string, context: TypedContext) {
    this.#text = text;
    this.#context = context;
  }

  /** Decodes the next value into that of an earlier occurrence of its key. */
  *read(node: TypedNode, before: TypedInput | undefined): Steps<TypedInput> {
    const { shape } = node;
    const next = this.#peek();
    if (++this.#values % STRIDE === 0) yield;
    if (next === '{' && shape.kind === 'struct') return yield* this.#struct(shape.fields, before);
    if (next === '{' && shape.kind === 'map') return yield* this.#map(shape.inside, before);
    if (next === '[' && shape.kind === 'list') return yield* this.#list(shape.inside, before);
    if (next === '[' && shape.kind === 'leaf' && shape.inside)
      return yield* this.#list(shape.inside, undefined);
    return yield* this.#leaf();
  }

  *#struct(fields: ReadonlyMap<string, TypedFieldShape>, before: TypedInput | undefined): Steps<TypedInput> {
    const object = objectOf(before);
    const seen = new Set<string>();
    for (let name = yield* this.#firstName(); name !== undefined; name = yield* this.#nextName()) {
      const field = fields.get(name);
      if (!field) {
        this.#context.reportField('unknown', name);
        yield* this.#skip();
        continue;
      }
      this.#noteName(seen, name);
      const earlier = Object.hasOwn(object, name) ? (object[name] as TypedInput) : undefined;
      const value = yield* this.#inside(name, field.node, earlier, field.owner);
      if (value === null && earlier !== undefined && !field.nullResets) continue;
      if (!isMerged(field.node, earlier, value)) this.#supersede(name, field.node, earlier, field.owner);
      setMember(object, name, value);
    }
    return object as TypedInput;
  }

  *#map(values: TypedNode, before: TypedInput | undefined): Steps<TypedInput> {
    const map = objectOf(before);
    const seen = new Set<string>();
    for (let key = yield* this.#firstName(); key !== undefined; key = yield* this.#nextName()) {
      this.#noteName(seen, key);
      const value = yield* this.#inside(key, values, undefined);
      this.#supersede(key, values, Object.hasOwn(map, key) ? (map[key] as TypedInput) : undefined);
      setMember(map, key, value);
    }
    return map as TypedInput;
  }

  *#list(items: TypedNode, before: TypedInput | undefined): Steps<TypedInput> {
    const earlier: readonly TypedInput[] = Array.isArray(before) ? before : [];
    const list: TypedInput[] = [];
    this.#at++;
    while (this.#peek() !== ']') {
      const old = earlier[list.length];
      const value = yield* this.#inside(list.length, items, old);
      list.push(value === null && old !== undefined && !items.nullResets ? old : value);
      if (this.#peek() === ',') this.#at++;
    }
    this.#at++;
    return list as unknown as TypedInput;
  }

  /** At `{`: the name of the first member. */
  *#firstName(): Steps<string | undefined> {
    this.#at++;
    return yield* this.#name();
  }

  /** Behind a member: the name of the next. */
  *#nextName(): Steps<string | undefined> {
    if (this.#peek() === ',') this.#at++;
    return yield* this.#name();
  }

  /** The name of a member, up to its value; undefined at the end of the object. */
  *#name(): Steps<string | undefined> {
    if (this.#peek() === '}') {
      this.#at++;
      return undefined;
    }
    const name = JSON.parse(yield* this.#string()) as string;
    this.#peek();
    this.#at++;
    return name;
  }

  *#inside(
    step: string | number,
    node: TypedNode,
    before: TypedInput | undefined,
    owner?: string,
  ): Steps<TypedInput> {
    this.#context.enter(step, owner);
    const value = yield* this.read(node, before);
    this.#context.leave();
    return value;
  }

  /** An earlier value is replaced, but must have been of its type. @throws TypedDecodeError for a wrong format */
  #supersede(name: string, node: TypedNode, earlier: TypedInput | undefined, owner?: string): void {
    if (earlier === undefined || earlier === null) return;
    this.#context.enter(name, owner);
    node.decode(earlier, this.#context);
    this.#context.leave();
  }

  #noteName(seen: Set<string>, name: string): void {
    if (seen.has(name)) this.#context.reportField('duplicate', name);
    seen.add(name);
  }

  *#leaf(): Steps<TypedInput> {
    const start = this.#at;
    yield* this.#skip();
    const text = this.#text.slice(start, this.#at);
    const first = text.charCodeAt(0);
    const isNumber = first === 45 || (first >= 48 && first <= 57);
    return isNumber ? numberOf(text) : yield* parseJsonSteps(text);
  }

  /** Skips the next value. */
  *#skip(): Steps<void> {
    let depth = 0;
    do {
      const next = this.#peek();
      if (++this.#values % STRIDE === 0) yield;
      if (next === '"') yield* this.#string();
      else if (next === '{' || next === '[') depth++;
      else if (next === '}' || next === ']') depth--;
      else if (next !== ',' && next !== ':') this.#word();
      if (next !== '"' && isPunctuation(next)) this.#at++;
    } while (depth > 0);
  }

  *#string(): Steps<string> {
    const start = this.#at;
    this.#at = (yield* endOfStringSteps(this.#text, start)) + 1;
    return this.#text.slice(start, this.#at);
  }

  #word(): void {
    WORD.lastIndex = this.#at;
    WORD.test(this.#text);
    this.#at = WORD.lastIndex;
  }

  #peek(): string {
    const text = this.#text;
    let at = this.#at;
    for (; ; at++) {
      const code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    }
    this.#at = at;
    return text.charAt(at);
  }
}

const isPunctuation = (character: string): boolean => '{}[],:'.includes(character);

const objectOf = (before: TypedInput | undefined): Record<string, unknown> =>
  typeof before === 'object' && before !== null && !Array.isArray(before)
    ? (before as unknown as Record<string, unknown>)
    : {};

/** Whether a later value was read into an earlier one; otherwise it replaces it. */
function isMerged({ shape }: TypedNode, earlier: TypedInput | undefined, value: TypedInput): boolean {
  if (shape.kind === 'leaf') return false;
  return [earlier, value].every((each) =>
    shape.kind === 'list' ? Array.isArray(each) : isObject(each) && !Array.isArray(each),
  );
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

function numberOf(text: string): TypedInput {
  if (PLAIN_INTEGER.test(text)) return Number(text);
  if (text.length > MAXIMUM_INTEGER_LENGTH || !INTEGER.test(text)) return new SpelledNumber(text);
  const whole = BigInt(text);
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
}
