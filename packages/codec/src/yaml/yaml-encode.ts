import { goFloat, isJsonObject, type JsonValue, runAtOnce, type Steps, sortSteps } from '@ashlar/core';
import { encodeUtf8 } from '../serializers/utf8.ts';
import { encodeUtf8Steps } from '../serializers/utf8-steps.ts';
import { YamlEmitter } from './yaml-emitter.ts';
import { compareYamlKeys } from './yaml-sort.ts';

/**
 * Encodes a value as YAML as the reference server does (semantics/encodings#yaml): block style, two spaces,
 * lists at the indentation of their key, keys sorted, no `---`; long lines are folded at 80 columns,
 * ambiguous strings are quoted.
 *
 * @throws TypeError for what JSON cannot represent, and for values nested deeper than 1000
 * @example encodeYamlText({ b: ['x'], a: 'yes' }) // a: "yes"
 * b:
 * - x
 *
 */
export function encodeYaml(value: unknown): Uint8Array<ArrayBuffer> {
  return encodeUtf8(encodeYamlText(value));
}

/** As {@link encodeYaml}, with pauses. */
export function* encodeYamlSteps(value: unknown): Steps<Uint8Array<ArrayBuffer>> {
  const text = yield* textSteps(value);
  yield;
  return yield* encodeUtf8Steps(text);
}

/** As {@link encodeYaml}, as text. */
export function encodeYamlText(value: unknown): string {
  return runAtOnce(textSteps(value));
}

function* textSteps(value: unknown): Steps<string> {
  const emitter = new YamlEmitter();
  if (isContainer(value as JsonValue)) yield* writeContainer(emitter, value as Container, 'root');
  else writeScalar(emitter, value as JsonValue);
  return emitter.finish();
}

const MAXIMUM_DEPTH = 1000;
/** Maximum number of keys that are sorted without a pause. */
const FEW_KEYS = 1000;

type Place = 'root' | 'item' | 'value';
type Container = readonly JsonValue[] | Readonly<Record<string, JsonValue | undefined>>;

const isContainer = (value: JsonValue): value is Container => Array.isArray(value) || isJsonObject(value);

function writeScalar(emitter: YamlEmitter, value: JsonValue): void {
  if (emitter.depth > MAXIMUM_DEPTH) throw tooDeep();
  if (typeof value === 'string') emitter.text(value);
  else emitter.plain(scalarText(value));
}

const tooDeep = (): TypeError => new TypeError(`YAML is not written deeper than ${MAXIMUM_DEPTH}`);

function* writeContainer(emitter: YamlEmitter, value: Container, place: Place): Steps<void> {
  if (emitter.depth > MAXIMUM_DEPTH) throw tooDeep();
  if (Array.isArray(value)) yield* writeList(emitter, value, place);
  else yield* writeObject(emitter, value as Readonly<Record<string, JsonValue | undefined>>);
}

function* writeList(emitter: YamlEmitter, list: readonly JsonValue[], place: Place): Steps<void> {
  if (list.length === 0) {
    emitter.plain('[]');
    return;
  }
  emitter.open(place === 'value');
  for (const item of list) {
    if (emitter.isPauseDue()) yield;
    emitter.item();
    if (isContainer(item)) yield* writeContainer(emitter, item, 'item');
    else writeScalar(emitter, item);
  }
  emitter.close();
}

function* writeObject(
  emitter: YamlEmitter,
  object: Readonly<Record<string, JsonValue | undefined>>,
): Steps<void> {
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  if (keys.length === 0) {
    emitter.plain('{}');
    return;
  }
  emitter.open(false);
  if (keys.length > FEW_KEYS) yield* sortSteps(keys, compareYamlKeys);
  else keys.sort(compareYamlKeys);
  for (const key of keys) {
    if (emitter.isPauseDue()) yield;
    emitter.key(key);
    const value = object[key] as JsonValue;
    if (isContainer(value)) yield* writeContainer(emitter, value, 'value');
    else writeScalar(emitter, value);
  }
  emitter.close();
}

const MAXIMUM_UINT64 = 2 ** 64;

function scalarText(value: JsonValue): string {
  if (typeof value === 'number') return numberText(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw new TypeError(`YAML has no ${typeof value}`);
}

/** Floats with integer values as integers within 64 bits; including `-0`. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  const isInteger = Number.isInteger(value) && value >= -(2 ** 63) && value < MAXIMUM_UINT64;
  return isInteger ? String(value) : goFloat(value);
}
