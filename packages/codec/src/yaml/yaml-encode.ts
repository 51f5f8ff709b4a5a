import { goFloat, isJsonObject, type JsonValue } from '@ashlar/core';
import { encodeUtf8 } from '../serializers/utf8.ts';
import { YamlEmitter } from './yaml-emitter.ts';
import { compareYamlKeys } from './yaml-sort.ts';

/**
 * Writes a value as YAML as the reference server does (semantics/encodings#yaml): block style, two spaces, lists at the indentation of their key,
 * keys sorted, no `---`; long lines are folded at 80 columns, texts that would read as something else are quoted.
 *
 * @throws TypeError for what JSON cannot hold, and for values nested deeper than 1000
 * @example encodeYamlText({ b: ['x'], a: 'yes' }) // a: "yes"⏎b:⏎- x⏎
 */
export function encodeYaml(value: unknown): Uint8Array<ArrayBuffer> {
  return encodeUtf8(encodeYamlText(value));
}

/** As {@link encodeYaml}, as text. */
export function encodeYamlText(value: unknown): string {
  const emitter = new YamlEmitter();
  write(emitter, value as JsonValue, 'root');
  return emitter.finish();
}

const MAXIMUM_DEPTH = 1000;

type Place = 'root' | 'item' | 'value';

function write(emitter: YamlEmitter, value: JsonValue, place: Place): void {
  if (emitter.depth > MAXIMUM_DEPTH) throw new TypeError(`YAML is not written deeper than ${MAXIMUM_DEPTH}`);
  if (typeof value === 'string') emitter.text(value);
  else if (Array.isArray(value)) writeList(emitter, value, place);
  else if (isJsonObject(value)) writeObject(emitter, value);
  else emitter.plain(scalarText(value));
}

function writeList(emitter: YamlEmitter, list: readonly JsonValue[], place: Place): void {
  if (list.length === 0) {
    emitter.plain('[]');
    return;
  }
  emitter.open(place === 'value');
  for (const item of list) {
    emitter.item();
    write(emitter, item, 'item');
  }
  emitter.close();
}

function writeObject(emitter: YamlEmitter, object: Readonly<Record<string, JsonValue | undefined>>): void {
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  if (keys.length === 0) {
    emitter.plain('{}');
    return;
  }
  emitter.open(false);
  for (const key of keys.sort(compareYamlKeys)) {
    emitter.key(key);
    write(emitter, object[key] as JsonValue, 'value');
  }
  emitter.close();
}

const MAXIMUM_UINT64 = 2 ** 64;

function scalarText(value: JsonValue): string {
  if (typeof value === 'number') return numberText(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw new TypeError(`YAML has no ${typeof value}`);
}

/** Whole numbers as integers as far as 64 bits reach; `-0` is one too. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  const isInteger = Number.isInteger(value) && value >= -(2 ** 63) && value < MAXIMUM_UINT64;
  return isInteger ? String(value) : goFloat(value);
}
