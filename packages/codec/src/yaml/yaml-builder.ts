import { decodeBase64, type Steps } from '@ashlar/core';
import { DecodeError } from '../serializers/decode-error.ts';
import { MAXIMUM_REPORTED, tooManyValues } from '../serializers/document-limits.ts';
import { decodeUtf8 } from '../serializers/utf8.ts';
import { MAXIMUM_ALIASED, MAXIMUM_YAML_DEPTH, type YamlLimits, type YamlNode } from './yaml-composer.ts';
import { yamlGoSyntax } from './yaml-go-syntax.ts';
import { resolveScalar, resolveScalarSteps, type YamlScalar } from './yaml-resolve.ts';
import type { YamlMapping, YamlSequence, YamlValue } from './yaml-value.ts';

const BINARY = 'tag:yaml.org,2002:binary';
const MERGE = 'tag:yaml.org,2002:merge';
/** Values between pauses. */
const STRIDE = 512;
/** Characters from which on a scalar is read with pauses. */
const LONG = 65_536;
/** Their maximum share of all that a document has, unless it is small. */
const MAXIMUM_ALIASED_SHARE = 0.99;
/** Of empty mappings, which share it. */
const NO_ENTRIES: YamlMapping['entries'] = new Map();

/** Builds values from nodes and expands aliases. */
export class YamlBuilder {
  /** Messages about repeated keys. */
  readonly duplicates: string[] = [];
  /** Whether there are infinities or NaN. */
  hasNonFinite = false;
  readonly #limits: YamlLimits;
  readonly #following = new Set<YamlNode>();
  /** Scalars that aliases lead to, which may be met again and again, and their identity as keys. */
  readonly #built = new Map<YamlNode, YamlScalar>();
  readonly #ids = new Map<YamlScalar, string>();
  /** Aliases may nest values deeper than their text. */
  #depth = 0;
  #count = 0;
  #aliasedCount = 0;
  /** Items and pairs, including those of aliases. */
  #values = 0;

  constructor(limits: YamlLimits) {
    this.#limits = limits;
  }

  /** @throws DecodeError */
  *build(node: YamlNode): Steps<YamlValue> {
    return this.#leaf(node) ?? (yield* this.#collection(node));
  }

  /** The value of a scalar or of an empty collection: only others pay for pauses. */
  #leaf(node: YamlNode): YamlValue | undefined {
    if (node.kind === 'scalar') return node.value.length > LONG ? undefined : this.#scalar(node);
    if (node.kind === 'alias' || (node.kind === 'mapping' ? node.pairs : node.items).length > 0)
      return undefined;
    this.#checkExpansion();
    if (this.#depth >= MAXIMUM_YAML_DEPTH) throw tooDeep();
    return node.kind === 'mapping'
      ? { type: 'mapping', entries: NO_ENTRIES }
      : { type: 'sequence', items: [] };
  }

  /** The value of a scalar node. */
  #scalar(node: YamlNode & { kind: 'scalar' }): YamlScalar {
    this.#checkScalar();
    return this.#noted(this.#following.size > 0 ? this.#builtOnce(node) : buildScalar(node));
  }

  #checkScalar(): void {
    this.#checkExpansion();
    if (this.#depth >= MAXIMUM_YAML_DEPTH) throw tooDeep();
  }

  #noted(scalar: YamlScalar): YamlScalar {
    if (scalar.type === 'float' && !Number.isFinite(scalar.value)) this.hasNonFinite = true;
    return scalar;
  }

  /** The value of a long scalar node. */
  *#longScalar(node: YamlNode & { kind: 'scalar' }): Steps<YamlScalar> {
    this.#checkScalar();
    const scalar = this.#built.get(node) ?? (yield* buildScalarSteps(node));
    if (this.#following.size > 0) this.#built.set(node, scalar);
    return this.#noted(scalar);
  }

  #builtOnce(node: YamlNode & { kind: 'scalar' }): YamlScalar {
    const existing = this.#built.get(node);
    if (existing) return existing;
    const scalar = buildScalar(node);
    this.#built.set(node, scalar);
    return scalar;
  }

  #idOf(key: YamlScalar): string {
    const cached = this.#following.size > 0 ? this.#ids.get(key) : undefined;
    if (cached !== undefined) return cached;
    const id = `${key.type} ${key.value}`;
    if (this.#following.size > 0) this.#ids.set(key, id);
    return id;
  }

  /** The value of a collection, an alias or a long scalar. */
  *#collection(node: YamlNode): Steps<YamlValue> {
    if (node.kind === 'scalar') return yield* this.#longScalar(node);
    this.#checkExpansion();
    if (this.#depth >= MAXIMUM_YAML_DEPTH) throw tooDeep();
    this.#depth++;
    const value = yield* this.#inside(node);
    this.#depth--;
    return value;
  }

  *#inside(node: YamlNode): Steps<YamlValue> {
    if (node.kind === 'alias') {
      this.#follow(node);
      const value = yield* this.build(node.target);
      this.#following.delete(node);
      return value;
    }
    if (node.kind === 'sequence') return yield* this.#sequence(node);
    const mapping: YamlMapping = { type: 'mapping', entries: new Map() };
    yield* this.#fill(mapping, node as YamlNode & { kind: 'mapping' });
    return mapping;
  }

  *#sequence(node: YamlNode & { kind: 'sequence' }): Steps<YamlSequence> {
    const items: YamlValue[] = [];
    for (const item of node.items) {
      items.push(this.#leaf(item) ?? (yield* this.#collection(item)));
      if (this.#counts()) yield;
    }
    return { type: 'sequence', items };
  }

  /** Counts an item or pair; returns whether it is time for a pause. */
  #counts(): boolean {
    if (++this.#values > this.#limits.values) throw tooManyValues(this.#limits.values);
    return this.#values % STRIDE === 0;
  }

  #follow(alias: YamlNode & { kind: 'alias' }): void {
    if (this.#following.has(alias))
      throw new DecodeError(`yaml: anchor '${alias.name}' value contains itself`);
    this.#following.add(alias);
  }

  /** Rejects texts that consist of aliases nearly alone, or of many: few lines could fill any memory. */
  #checkExpansion(): void {
    this.#count++;
    if (this.#following.size > 0) this.#aliasedCount++;
    if (this.#aliasedCount > MAXIMUM_ALIASED) throw tooManyValues(MAXIMUM_ALIASED, 'values of aliases');
    const isLarge = this.#aliasedCount > 100 && this.#count > 1000;
    if (isLarge && this.#aliasedCount > MAXIMUM_ALIASED_SHARE * this.#count)
      throw new DecodeError('yaml: document contains excessive aliasing');
  }

  *#fill(mapping: YamlMapping, node: YamlNode & { kind: 'mapping' }): Steps<void> {
    for (const [keyNode, valueNode] of node.pairs) {
      if (this.#counts()) yield;
      if (isMergeKey(keyNode)) {
        yield* this.#merge(mapping, valueNode);
        continue;
      }
      const key = this.#leaf(keyNode) ?? (yield* this.#collection(keyNode));
      if (key.type === 'mapping' || key.type === 'sequence')
        throw new DecodeError(`yaml: invalid map key: ${yamlGoSyntax(key)}`);
      const value = this.#leaf(valueNode) ?? (yield* this.#collection(valueNode));
      this.#set(mapping, key, value, valueNode.line);
    }
  }

  #set({ entries }: YamlMapping, key: YamlScalar, value: YamlValue, line: number): void {
    const id = this.#idOf(key);
    if (this.duplicates.length < MAXIMUM_REPORTED && entries.has(id))
      this.duplicates.push(`line ${line}: key ${yamlGoSyntax(key)} already set in map`);
    entries.set(id, { key, value });
    if (entries.size > this.#limits.members)
      throw tooManyValues(this.#limits.members, 'members in one object');
  }

  *#merge(mapping: YamlMapping, node: YamlNode): Steps<void> {
    if (node.kind !== 'sequence') yield* this.#mergeOne(mapping, node);
    // earlier ones win, so they come last
    else
      for (const item of node.items.toReversed()) {
        if (this.#counts()) yield;
        yield* this.#mergeOne(mapping, item);
      }
  }

  *#mergeOne(mapping: YamlMapping, node: YamlNode): Steps<void> {
    const target = node.kind === 'alias' ? node.target : node;
    if (target.kind !== 'mapping')
      throw new DecodeError('yaml: map merge requires map or sequence of maps as the value');
    this.#checkExpansion();
    if (node.kind === 'alias') this.#follow(node);
    yield* this.#fill(mapping, target);
    this.#following.delete(node);
  }
}

function tooDeep(): DecodeError {
  return new DecodeError(`yaml: exceeded max depth of ${MAXIMUM_YAML_DEPTH}`);
}

function isMergeKey(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === '<<' && (node.plain || node.tag === MERGE);
}

function buildScalar(node: YamlNode & { kind: 'scalar' }): YamlScalar {
  return textOf(node) ?? resolveScalar(node.tag, node.value);
}

function* buildScalarSteps(node: YamlNode & { kind: 'scalar' }): Steps<YamlScalar> {
  return textOf(node) ?? (yield* resolveScalarSteps(node.tag, node.value));
}

/** The value of a scalar that is certainly a text. */
function textOf({ tag, value, plain }: YamlNode & { kind: 'scalar' }): YamlScalar | undefined {
  if (tag === '' && !plain) return { type: 'str', value };
  if (tag !== BINARY) return undefined;
  try {
    return { type: 'str', value: decodeUtf8(decodeBase64(value)) };
  } catch (error) {
    throw new DecodeError('yaml: !!binary value contains invalid base64 data', error);
  }
}
