import { compareUtf8, decodeBase64, goFloat, goQuote, type JsonValue } from '@ashlar/core';
import { DecodeError } from './decode-error.ts';
import { decodeUtf8, decodeUtf8Strictly } from './utf8.ts';
import { composeYaml, MAXIMUM_YAML_DEPTH, type YamlNode } from './yaml-composer.ts';
import { YamlFault } from './yaml-cursor.ts';
import { yamlReaderFault } from './yaml-reader.ts';
import { resolveScalar, type YamlScalar } from './yaml-resolve.ts';

/** What a YAML text says. */
export interface DecodedYaml {
  readonly value: JsonValue;
  /** Keys that were set again, as strict decoding tells them: `line 5: key "name" already set in map` (semantics H8). */
  readonly duplicates: readonly string[];
}

/** How YAML is read. */
export interface YamlDecodeOptions {
  /** Keep the digits of unsigned integers of 64 bits and the sign of `-0.0`, for conversions that print what they read. */
  readonly exactNumbers?: boolean;
}

/**
 * Reads the first document of a YAML 1.1 text as JSON (semantics I5): keys become text and are sorted, `1.0` becomes the integer 1,
 * timestamps stay text, merge keys and aliases are followed within limits. It is a reader of its own, because what counts is what the
 * upstream reader makes of a text, to the message and line of a fault.
 *
 * @throws DecodeError `yaml: line 2: did not find expected key`
 * @example decodeYaml(new TextEncoder().encode('a: yes')); // { value: { a: true }, duplicates: [] }
 */
export function decodeYaml(bytes: Uint8Array, options: YamlDecodeOptions = {}): DecodedYaml {
  const { value: read, duplicates } = readYaml(bytes);
  const value = toJsonValue(read, options.exactNumbers === true);
  refuseNonFinite(value);
  return { value, duplicates };
}

/** A value with keys of any scalar type. */
type YamlValue = YamlScalar | YamlSequence | YamlMapping;
interface YamlSequence {
  readonly type: 'sequence';
  readonly items: readonly YamlValue[];
}
interface YamlMapping {
  readonly type: 'mapping';
  /** By the key's type and text: `1` and `"1"` are two keys. */
  readonly entries: Map<string, { readonly key: YamlValue; readonly value: YamlValue }>;
}

function readYaml(bytes: Uint8Array): { value: YamlValue; duplicates: readonly string[] } {
  const text = decodeUtf8Strictly(bytes);
  const fault = yamlReaderFault(bytes, text);
  if (fault !== undefined || text === undefined) throw new DecodeError(`yaml: ${fault}`);
  try {
    const root = composeYaml(text);
    const builder = new YamlBuilder();
    const value = root ? builder.build(root) : NULL;
    return { value, duplicates: builder.duplicates };
  } catch (error) {
    throw error instanceof YamlFault ? new DecodeError(error.text) : error;
  }
}

const NULL: YamlScalar = { type: 'null', value: null };
const BINARY = 'tag:yaml.org,2002:binary';
const MERGE = 'tag:yaml.org,2002:merge';

/** Makes values of nodes, aliases replaced by what they stand for. */
class YamlBuilder {
  readonly duplicates: string[] = [];
  readonly #following = new Set<YamlNode>();
  /** Aliases may nest what is no deeper than allowed by itself. */
  #depth = 0;
  #count = 0;
  #aliasedCount = 0;

  build(node: YamlNode): YamlValue {
    this.#checkExpansion();
    if (this.#depth >= MAXIMUM_YAML_DEPTH)
      throw new DecodeError(`yaml: exceeded max depth of ${MAXIMUM_YAML_DEPTH}`);
    this.#depth++;
    const value = this.#value(node);
    this.#depth--;
    return value;
  }

  #value(node: YamlNode): YamlValue {
    if (node.kind === 'alias') return this.#follow(node, (target) => this.build(target));
    if (node.kind === 'scalar') return buildScalar(node);
    if (node.kind === 'sequence')
      return { type: 'sequence', items: node.items.map((item) => this.build(item)) };
    const mapping: YamlMapping = { type: 'mapping', entries: new Map() };
    this.#fill(mapping, node);
    return mapping;
  }

  #follow<T>(alias: YamlNode & { kind: 'alias' }, use: (target: YamlNode) => T): T {
    if (this.#following.has(alias))
      throw new DecodeError(`yaml: anchor '${alias.name}' value contains itself`);
    this.#following.add(alias);
    const result = use(alias.target);
    this.#following.delete(alias);
    return result;
  }

  /** Refuses texts of which most is repeated by aliases: few lines could fill any memory. */
  #checkExpansion(): void {
    this.#count++;
    if (this.#following.size > 0) this.#aliasedCount++;
    const isLarge = this.#aliasedCount > 100 && this.#count > 1000;
    if (isLarge && this.#aliasedCount / this.#count > allowedAliasRatio(this.#count))
      throw new DecodeError('yaml: document contains excessive aliasing');
  }

  #fill(mapping: YamlMapping, node: YamlNode & { kind: 'mapping' }): void {
    for (const [keyNode, valueNode] of node.pairs) {
      if (isMergeKey(keyNode)) this.#merge(mapping, valueNode);
      else {
        const key = this.build(keyNode);
        if (key.type === 'mapping' || key.type === 'sequence')
          throw new DecodeError(`yaml: invalid map key: ${goSyntax(key)}`);
        this.#set(mapping, key, this.build(valueNode), valueNode.line);
      }
    }
  }

  #set({ entries }: YamlMapping, key: YamlScalar, value: YamlValue, line: number): void {
    const id = `${key.type} ${key.value}`;
    if (entries.has(id)) this.duplicates.push(`line ${line}: key ${goSyntax(key)} already set in map`);
    entries.set(id, { key, value });
  }

  #merge(mapping: YamlMapping, node: YamlNode): void {
    if (node.kind !== 'sequence') this.#mergeOne(mapping, node);
    // earlier ones win, so they come last
    else for (const item of node.items.toReversed()) this.#mergeOne(mapping, item);
  }

  #mergeOne(mapping: YamlMapping, node: YamlNode): void {
    const target = node.kind === 'alias' ? node.target : node;
    if (target.kind !== 'mapping')
      throw new DecodeError('yaml: map merge requires map or sequence of maps as the value');
    this.#checkExpansion();
    if (node.kind !== 'alias') this.#fill(mapping, target);
    else this.#follow(node, () => this.#fill(mapping, target));
  }
}

/** All but a little of a small text may come from aliases, and little of a large one. */
function allowedAliasRatio(count: number): number {
  const few = 400_000;
  const many = 4_000_000;
  return 0.99 - 0.89 * Math.min(Math.max((count - few) / (many - few), 0), 1);
}

function isMergeKey(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === '<<' && (node.plain || node.tag === MERGE);
}

function buildScalar({ tag, value, plain }: YamlNode & { kind: 'scalar' }): YamlScalar {
  if (tag === '' && !plain) return { type: 'str', value };
  if (tag !== BINARY) return resolveScalar(tag, value);
  try {
    return { type: 'str', value: decodeUtf8(decodeBase64(value)) };
  } catch (error) {
    throw new DecodeError('yaml: !!binary value contains invalid base64 data', error);
  }
}

function toJsonValue(value: YamlValue, exact: boolean): JsonValue {
  if (value.type === 'sequence') return value.items.map((item) => toJsonValue(item, exact));
  if (value.type === 'int') return jsonInteger(value.value, exact);
  if (value.type === 'float') return jsonFloat(value.value, exact);
  if (value.type !== 'mapping') return value.value;
  const members: [string, JsonValue][] = [];
  for (const { key, value: member } of value.entries.values())
    members.push([keyText(key as YamlScalar, member), toJsonValue(member, exact)]);
  return Object.fromEntries(members.sort(([a], [b]) => compareUtf8(a, b)));
}

function jsonInteger(value: bigint, exact: boolean): number | bigint {
  const asNumber = Number(value);
  if (Number.isSafeInteger(asNumber)) return asNumber;
  return exact || BigInt.asIntN(64, value) === value ? value : asNumber;
}

/** Whole floats are printed without a fraction, so whoever reads them again finds integers. */
function jsonFloat(value: number, exact: boolean): number | bigint {
  if (!Number.isInteger(value) || Math.abs(value) >= 1e21) return value;
  if (exact && Object.is(value, -0)) return value;
  return jsonInteger(BigInt(String(value)), false);
}

/** JSON has no infinities. They are refused after all keys were seen, as upstream does. */
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
    throw new DecodeError(`unsupported map key of type: ${type}, key: ${text}, value: ${goSyntax(value)}`);
  }
  return String(key.value);
}

function floatKey(value: number): string {
  if (Number.isFinite(value)) return goFloat(value, true);
  return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
}

/** A value as Go's `%#v` prints it, which some messages quote. */
function goSyntax(value: YamlValue): string {
  if (value.type === 'sequence') return `[]interface {}{${value.items.map(goElement).join(', ')}}`;
  if (value.type === 'mapping') {
    const pairs = [...value.entries.values()].map(
      ({ key, value: member }) => `${goElement(key)}:${goElement(member)}`,
    );
    return `map[interface {}]interface {}{${pairs.join(', ')}}`;
  }
  if (value.type === 'null') return '<nil>';
  if (value.type === 'float') return goFloat(value.value);
  return typeof value.value === 'string' ? goQuote(value.value) : String(value.value);
}

function goElement(value: YamlValue): string {
  return value.type === 'null' ? 'interface {}(nil)' : goSyntax(value);
}
