import {
  compareUtf8,
  goFloat,
  type JsonValue,
  runAtOnce,
  type Steps,
  setMember,
  sortSteps,
} from '@ashlar/core';
import { DecodeError } from '../serializers/decode-error.ts';
import {
  type DocumentLimits,
  MAXIMUM_DOCUMENT_VALUES,
  MAXIMUM_YAML_VALUES,
  maximumMembers,
} from '../serializers/document-limits.ts';
import { YamlBuilder } from './yaml-builder.ts';
import { composeYaml, type YamlLimits, type YamlNode } from './yaml-composer.ts';
import { YamlFault } from './yaml-cursor.ts';
import { yamlGoSyntax } from './yaml-go-syntax.ts';
import type { YamlScalar } from './yaml-resolve.ts';
import { readYamlText } from './yaml-text.ts';
import type { YamlMapping, YamlValue } from './yaml-value.ts';

/** Result of decoding a YAML text. */
export interface DecodedYaml {
  readonly value: JsonValue;
  /**
   * Repeated keys, the first 100, as strict decoding reports them: `line 5: key "name" already set in map`
   * (semantics/schemas#strictness).
   */
  readonly duplicates: readonly string[];
}

/** Options of decoding YAML. */
export interface YamlDecodeOptions extends DocumentLimits {
  /**
   * Preserves the digits of unsigned integers of 64 bits and the sign of `-0.0`, for conversions that print
   * the input.
   */
  readonly exactNumbers?: boolean;
}

/**
 * Decodes the first document of a YAML 1.1 text as JSON (semantics/encodings#yaml): keys become strings and
 * are sorted, `1.0` becomes the integer 1, timestamps stay strings, merge keys and aliases are expanded
 * within limits. It is a separate implementation, because the result must be that of the reference server's
 * parser, down to the message and line of an error.
 *
 * @throws DecodeError `yaml: line 2: did not find expected key`; of the kind `too-large` beyond the limits of
 * {@link DocumentLimits}
 * @example decodeYaml(new TextEncoder().encode('a: yes')); // { value: { a: true }, duplicates: [] }
 */
export function decodeYaml(bytes: Uint8Array, options: YamlDecodeOptions = {}): DecodedYaml {
  return runAtOnce(decodeYamlSteps(bytes, options));
}

/** As {@link decodeYaml}, with pauses. */
export function* decodeYamlSteps(bytes: Uint8Array, options: YamlDecodeOptions = {}): Steps<DecodedYaml> {
  const limits = limitsOf(options);
  const builder = new YamlBuilder(limits);
  const root = yield* readNodes(bytes, limits);
  const read = root ? yield* builder.build(root) : KEPT.nothing;
  const value = yield* new JsonConverter(options.exactNumbers === true).convert(read);
  if (builder.hasNonFinite) refuseNonFinite(value);
  return { value, duplicates: builder.duplicates };
}

/** An object of YAML may have as many members as one of other encodings. */
const limitsOf = ({ maximumValues }: DocumentLimits): YamlLimits => ({
  values: maximumValues ?? MAXIMUM_YAML_VALUES,
  members: maximumMembers(maximumValues ?? MAXIMUM_DOCUMENT_VALUES),
});

function* readNodes(bytes: Uint8Array, limits: YamlLimits): Steps<YamlNode | undefined> {
  const text = readYamlText(bytes);
  if (bytes.length > LARGE_BYTES) yield;
  try {
    return yield* composeYaml(text, limits, { isNarrow: text.length === bytes.length });
  } catch (error) {
    throw error instanceof YamlFault ? new DecodeError(error.text) : error;
  }
}

/** Bytes from which on it takes a millisecond to make a text of them. */
const LARGE_BYTES = 524_288;
/** Values between pauses. */
const STRIDE = 512;

/** Converts values to JSON: keys become strings and are sorted. */
class JsonConverter {
  readonly #exact: boolean;
  #count = 0;

  constructor(exact: boolean) {
    this.#exact = exact;
  }

  *convert(value: YamlValue): Steps<JsonValue> {
    if (value.type === 'sequence') return yield* this.#list(value.items);
    return value.type === 'mapping' ? yield* this.#object(value) : this.#scalar(value);
  }

  /** A scalar or an empty collection. */
  #leaf(value: YamlValue): JsonValue {
    if (value.type === 'sequence') return [];
    return value.type === 'mapping' ? {} : this.#scalar(value);
  }

  #scalar(value: YamlScalar): JsonValue {
    if (value.type === 'int') return jsonInteger(value.value, this.#exact);
    return value.type === 'float' ? jsonFloat(value.value, this.#exact) : value.value;
  }

  *#list(items: readonly YamlValue[]): Steps<JsonValue> {
    const list: JsonValue[] = [];
    for (const item of items) {
      list.push(hasParts(item) ? yield* this.convert(item) : this.#leaf(item));
      if (++this.#count % STRIDE === 0) yield;
    }
    return list;
  }

  *#object({ entries }: YamlMapping): Steps<JsonValue> {
    const members: [string, JsonValue][] = [];
    for (const { key, value } of entries.values()) {
      const name = keyText(key, value);
      members.push([name, hasParts(value) ? yield* this.convert(value) : this.#leaf(value)]);
      if (++this.#count % STRIDE === 0) yield;
    }
    yield* sortSteps(members, members.some(hasSurrogate) ? byBytes : byUnits);
    const object: Record<string, JsonValue> = {};
    for (const [name, member] of members) {
      setMember(object, name, member);
      if (++this.#count % STRIDE === 0) yield;
    }
    return object;
  }
}

const hasSurrogate = ([name]: readonly [string, JsonValue]): boolean =>
  /\p{Surrogate}|[\u{10000}-\u{10ffff}]/u.test(name);

/** The same order as that of bytes if no character takes two units, and much faster. */
const byUnits = ([a]: readonly [string, JsonValue], [b]: readonly [string, JsonValue]): number =>
  a === b ? 0 : a < b ? -1 : 1;

const byBytes = ([a]: readonly [string, JsonValue], [b]: readonly [string, JsonValue]): number =>
  compareUtf8(a, b);

/** Only such values pay for pauses. */
const hasParts = (value: YamlValue): boolean =>
  value.type === 'sequence' ? value.items.length > 0 : value.type === 'mapping' && value.entries.size > 0;

function jsonInteger(value: bigint, exact: boolean): number | bigint {
  const asNumber = Number(value);
  if (Number.isSafeInteger(asNumber)) return asNumber;
  return exact || BigInt.asIntN(64, value) === value ? value : asNumber;
}

/** Floats with integer values are printed without a fraction, so that they are read again as integers. */
function jsonFloat(value: number, exact: boolean): number | bigint {
  if (!Number.isInteger(value) || Math.abs(value) >= 1e21) return value;
  if (exact && Object.is(value, -0)) return value;
  return jsonInteger(BigInt(String(value)), false);
}

/** JSON has no infinities. They are rejected after all keys were read, as by the reference server. */
function refuseNonFinite(value: JsonValue): void {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) refuseNonFinite(member as JsonValue);
  } else if (typeof value === 'number' && !Number.isFinite(value)) {
    const text = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
    throw new DecodeError(`json: unsupported value: ${text}`);
  }
}

function keyText(key: YamlScalar, value: YamlValue): string {
  if (key.type === 'float') return floatKey(key.value);
  if (key.type === 'null' || (key.type === 'int' && BigInt.asIntN(64, key.value) !== key.value)) {
    const type = key.type === 'null' ? '%!s(<nil>)' : 'uint64';
    const text = key.type === 'null' ? '<nil>' : `0x${key.value.toString(16)}`;
    throw new DecodeError(
      `unsupported map key of type: ${type}, key: ${text}, value: ${yamlGoSyntax(value)}`,
    );
  }
  return String(key.value);
}

function floatKey(value: number): string {
  if (Number.isFinite(value)) return goFloat(value, true);
  return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
}

/**
 * A document of every shape, and all that was made of it. The engine discards the code that it has optimized
 * for objects of a shape when a collection finds none of them: the first documents after it would cost ten
 * times as much.
 */
const KEPT: { readonly nothing: YamlScalar; readonly shapes: readonly unknown[] } = {
  nothing: { type: 'null', value: null },
  shapes: decodedShapes(
    '%YAML 1.1\n---\na: &a {b: c, <<: {d: e}}\n? f\n"g":\n  <<: [*a]\nh: [*a, 1, 1.5, !!str x]\ni:\n- j: {}\n- []\n',
  ),
};

function decodedShapes(text: string): readonly unknown[] {
  const limits = limitsOf({});
  const nodes = composeYaml(text, limits);
  const root = runAtOnce(nodes) as YamlNode;
  const builder = new YamlBuilder(limits);
  const value = runAtOnce(builder.build(root));
  const converter = new JsonConverter(false);
  return [nodes, root, builder, value, converter, runAtOnce(converter.convert(value))];
}
