import type { Steps } from '@ashlar/core';
import { tooManyValues } from '../serializers/document-limits.ts';
import { structureFault, YamlFault, type YamlReading } from './yaml-cursor.ts';
import type { YamlToken, YamlTokenType } from './yaml-token.ts';
import { YamlTokens } from './yaml-tokens.ts';

/** A node of a document. Lines count from 1. */
export type YamlNode =
  | {
      readonly kind: 'scalar';
      readonly line: number;
      readonly value: string;
      /** The complete tag, `''` if there is none. */
      readonly tag: string;
      /** Written without quotes, so that its type is resolved from its text. */
      readonly plain: boolean;
    }
  | { readonly kind: 'sequence'; readonly line: number; readonly items: YamlNode[] }
  | { readonly kind: 'mapping'; readonly line: number; readonly pairs: [YamlNode, YamlNode][] }
  | { readonly kind: 'alias'; readonly line: number; readonly name: string; readonly target: YamlNode };

/** Limits of a document. */
export interface YamlLimits {
  /** Maximum number of items and pairs. */
  readonly values: number;
  /** Maximum number of pairs of one mapping, and of anchors. */
  readonly members: number;
}

/** Maximum nesting of lists and mappings. The reference server allows 10000, which no real document needs. */
export const MAXIMUM_YAML_DEPTH: number = 1000;
/** Maximum number of aliases, and of values and keys that a document gets from them (semantics/encodings#yaml, choice). */
export const MAXIMUM_ALIASED: number = 10_000;
/** Nodes between pauses. */
const STRIDE = 512;
const DEFAULT_HANDLES: readonly (readonly [string, string])[] = [
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
];

/**
 * Parses the first document of a text; undefined if there is none.
 * @throws YamlFault, and DecodeError beyond the maximum number of nodes, not counting keys, or of lines
 */
export function composeYaml(
  text: string,
  limits: YamlLimits,
  reading: Omit<YamlReading, 'maximumLines'> = {},
): Steps<YamlNode | undefined> {
  const tokens = new YamlTokens(text, { maximumLines: limits.values, ...reading });
  return new Composer(tokens, limits).document();
}

/** Open container nodes. */
type YamlCollection = YamlNode & { kind: 'sequence' | 'mapping' };

class Composer {
  readonly #tokens: YamlTokens;
  readonly #anchors = new Map<string, YamlNode>();
  readonly #handles = new Map<string, string>();
  readonly #limits: YamlLimits;
  #depth = 0;
  /** Items, pairs and directives so far. */
  #count = 0;
  #aliases = 0;
  /** The token that opens the innermost collection, if it is not consumed yet. */
  #opened: YamlTokenType | undefined;

  constructor(tokens: YamlTokens, limits: YamlLimits) {
    this.#tokens = tokens;
    this.#limits = limits;
  }

  *document(): Steps<YamlNode | undefined> {
    if (this.#tokens.isBehind) yield* this.#tokens.readAhead();
    const first = this.#tokens.peek();
    if (first.type === 'stream-end') return undefined;
    const isExplicit = first.type === 'directive' || first.type === 'document-start';
    yield* this.#directives();
    if (isExplicit) this.#expectDocumentStart();
    const { type, line } = this.#tokens.peek();
    const isEmpty = isExplicit && ENDS_DOCUMENT.has(type);
    const root = isEmpty ? emptyScalar(line) : this.#node(true, false);
    if (this.#opened) yield* this.#fill(root);
    // the text after the document is scanned, though not parsed
    if (this.#tokens.isBehind) yield* this.#tokens.readAhead();
    this.#tokens.peek();
    return root;
  }

  *#directives(): Steps<void> {
    let hasVersion = false;
    while (this.#is('directive')) {
      if (this.#counts()) yield;
      const { directive, line } = this.#tokens.next();
      if (this.#tokens.isBehind) yield* this.#tokens.readAhead();
      if (directive?.name === 'YAML') {
        if (hasVersion) throw structureFault('found duplicate %YAML directive', line);
        if (directive.version !== '1.1') throw structureFault('found incompatible YAML document', line);
        hasVersion = true;
      } else if (directive) {
        if (this.#handles.has(directive.handle)) throw structureFault('found duplicate %TAG directive', line);
        this.#handles.set(directive.handle, directive.prefix);
      }
    }
    for (const [handle, prefix] of DEFAULT_HANDLES)
      if (!this.#handles.has(handle)) this.#handles.set(handle, prefix);
  }

  #expectDocumentStart(): void {
    const token = this.#tokens.peek();
    if (token.type !== 'document-start')
      throw structureFault('did not find expected <document start>', token.line);
    this.#tokens.next();
  }

  /**
   * A node, of collections only their start: `#opened` says that `#fill` must follow. So only collections pay
   * for pauses.
   * @param indentless whether a list may begin at the indentation of the enclosing mapping
   */
  #node(inBlock: boolean, indentless: boolean): YamlNode {
    const first = this.#tokens.peek();
    if (first.type === 'alias') return this.#alias(this.#tokens.next());
    if (++this.#depth > MAXIMUM_YAML_DEPTH)
      throw new YamlFault(`exceeded max depth of ${MAXIMUM_YAML_DEPTH}`, 0);
    const { anchor, tag } = this.#properties();
    const node = this.#content(inBlock, indentless, first.line + 1, tag, anchor);
    if (!this.#opened) this.#depth--;
    return node;
  }

  /** Reads the content of the innermost collection. */
  *#fill(node: YamlNode): Steps<void> {
    const type = this.#opened as YamlTokenType;
    this.#opened = undefined;
    const collection = node as YamlCollection;
    if (collection.kind === 'sequence') yield* this.#sequence(type, collection.items);
    else if (type === 'flow-mapping') yield* this.#flowMapping(collection.pairs);
    else yield* this.#blockMapping(collection.pairs);
    this.#depth--;
  }

  /** Counts an item or pair; returns whether it is time for a pause. */
  #counts(): boolean {
    if (++this.#count > this.#limits.values) throw tooManyValues(this.#limits.values);
    return this.#count % STRIDE === 0;
  }

  /** A mapping with too many pairs is rejected before the rest of it is read. */
  #add(pairs: [YamlNode, YamlNode][], key: YamlNode, value: YamlNode): void {
    pairs.push([key, value]);
    if (pairs.length > this.#limits.members)
      throw tooManyValues(this.#limits.members, 'members in one object');
  }

  #alias(token: YamlToken): YamlNode {
    if (++this.#aliases > MAXIMUM_ALIASED) throw tooManyValues(MAXIMUM_ALIASED, 'values of aliases');
    const name = token.value;
    const target = this.#anchors.get(name);
    if (!target) throw new YamlFault(`unknown anchor '${name}' referenced`, 0);
    return { kind: 'alias', line: token.line + 1, name, target };
  }

  /** An anchor and a tag, in either order. */
  #properties(): { anchor: string | undefined; tag: string } {
    let anchor: string | undefined;
    let tag: YamlToken | undefined;
    for (let i = 0; i < 2; i++) {
      if (anchor === undefined && this.#is('anchor')) anchor = this.#tokens.next().value;
      else if (!tag && this.#is('tag')) tag = this.#tokens.next();
    }
    if (tag) this.#tokens.peek();
    return { anchor, tag: tag ? this.#fullTag(tag) : '' };
  }

  #fullTag({ tag, line }: YamlToken): string {
    const { handle = '', suffix = '' } = tag ?? {};
    if (handle === '') return suffix;
    const prefix = this.#handles.get(handle);
    if (prefix === undefined) throw structureFault('found undefined tag handle', line);
    return prefix + suffix;
  }

  #content(
    inBlock: boolean,
    indentless: boolean,
    line: number,
    tag: string,
    anchor: string | undefined,
  ): YamlNode {
    const { type, value, plain, line: tokenLine } = this.#tokens.peek();
    if (type === 'scalar') {
      const node: YamlNode = {
        kind: 'scalar',
        line,
        value,
        tag,
        plain: tag === '!' || (tag === '' && plain),
      };
      this.#anchor(anchor, node);
      this.#tokens.next();
      return node;
    }
    if (
      type === 'flow-sequence' ||
      (type === 'block-sequence' && inBlock) ||
      (type === 'block-entry' && indentless)
    )
      return this.#open(type, this.#anchor(anchor, { kind: 'sequence', line, items: [] }));
    if (type === 'flow-mapping' || (type === 'block-mapping' && inBlock))
      return this.#open(type, this.#anchor(anchor, { kind: 'mapping', line, pairs: [] }));
    if (anchor === undefined && tag === '')
      throw structureFault('did not find expected node content', tokenLine);
    return this.#anchor(anchor, { kind: 'scalar', line, value: '', tag, plain: tag === '' });
  }

  #anchor<N extends YamlNode>(name: string | undefined, node: N): N {
    if (name === undefined) return node;
    this.#anchors.set(name, node);
    if (this.#anchors.size > this.#limits.members) throw tooManyValues(this.#limits.members, 'anchors');
    return node;
  }

  #open(type: YamlTokenType, node: YamlNode): YamlNode {
    this.#opened = type;
    return node;
  }

  #sequence(type: YamlTokenType, items: YamlNode[]): Steps<void> {
    if (type === 'flow-sequence') return this.#flowSequence(items);
    return type === 'block-sequence'
      ? this.#blockSequence(items)
      : this.#entries(items, ENDS_INDENTLESS_ENTRY);
  }

  *#blockSequence(items: YamlNode[]): Steps<void> {
    this.#tokens.next();
    yield* this.#entries(items, ENDS_ENTRY);
    this.#expect('block-end', "did not find expected '-' indicator");
  }

  /** @param ends tokens after an empty entry */
  *#entries(items: YamlNode[], ends: ReadonlySet<YamlTokenType>): Steps<void> {
    for (;;) {
      if (this.#tokens.isBehind) yield* this.#tokens.readAhead();
      if (!this.#is('block-entry')) break;
      const { endLine } = this.#tokens.next();
      const item = this.#isAny(ends) ? emptyScalar(endLine) : this.#node(true, false);
      items.push(item);
      if (this.#counts()) yield;
      if (this.#opened) yield* this.#fill(item);
    }
  }

  *#blockMapping(pairs: [YamlNode, YamlNode][]): Steps<void> {
    this.#tokens.next();
    for (;;) {
      if (this.#tokens.isBehind) yield* this.#tokens.readAhead();
      if (!this.#is('key')) break;
      const key = this.#blockPart('key');
      if (this.#opened) yield* this.#fill(key);
      const value = this.#blockPart('value');
      this.#add(pairs, key, value);
      if (this.#counts()) yield;
      if (this.#opened) yield* this.#fill(value);
    }
    this.#expect('block-end', 'did not find expected key');
  }

  /** The node after a `key` or `value` token; empty if there is no such token. */
  #blockPart(type: 'key' | 'value'): YamlNode {
    const token = this.#tokens.peek();
    if (token.type !== type) return emptyScalar(token.line);
    const { endLine } = this.#tokens.next();
    return this.#isAny(ENDS_BLOCK_PART) ? emptyScalar(endLine) : this.#node(true, true);
  }

  *#flowSequence(items: YamlNode[]): Steps<void> {
    this.#tokens.next();
    for (;;) {
      if (this.#tokens.isBehind) yield* this.#tokens.readAhead();
      if (this.#is('flow-sequence-end')) break;
      if (items.length > 0) this.#expect('flow-entry', "did not find expected ',' or ']'");
      if (this.#is('flow-sequence-end')) break;
      const item = this.#is('key') ? yield* this.#singlePair() : this.#node(false, false);
      items.push(item);
      if (this.#counts()) yield;
      if (this.#opened) yield* this.#fill(item);
    }
    this.#tokens.next();
  }

  /** A mapping of one pair in a flow sequence without braces. */
  *#singlePair(): Steps<YamlNode> {
    const { line, endLine } = this.#tokens.next();
    const key = this.#isAny(ENDS_FLOW_KEY_IN_SEQUENCE) ? this.#skippedKey(endLine) : this.#node(false, false);
    if (this.#opened) yield* this.#fill(key);
    let value = emptyScalar(this.#tokens.peek().line);
    if (this.#is('value')) {
      this.#tokens.next();
      if (!this.#isAny(ENDS_FLOW_ENTRY)) value = this.#node(false, false);
      if (this.#opened) yield* this.#fill(value);
    }
    return { kind: 'mapping', line: line + 1, pairs: [[key, value]] };
  }

  /** The reference server skips any token after an empty key. */
  #skippedKey(line: number): YamlNode {
    this.#tokens.next();
    return emptyScalar(line);
  }

  *#flowMapping(pairs: [YamlNode, YamlNode][]): Steps<void> {
    this.#tokens.next();
    for (;;) {
      if (this.#tokens.isBehind) yield* this.#tokens.readAhead();
      if (this.#is('flow-mapping-end')) break;
      if (pairs.length > 0) this.#expect('flow-entry', "did not find expected ',' or '}'");
      if (this.#is('flow-mapping-end')) break;
      const isPair = this.#is('key');
      const key = this.#flowKey(isPair);
      if (this.#opened) yield* this.#fill(key);
      const value = this.#flowValue(isPair);
      this.#add(pairs, key, value);
      if (this.#counts()) yield;
      if (this.#opened) yield* this.#fill(value);
    }
    this.#tokens.next();
  }

  /** @param isPair whether a value may follow; otherwise only a key */
  #flowKey(isPair: boolean): YamlNode {
    if (!isPair) return this.#node(false, false);
    this.#tokens.next();
    return this.#isAny(ENDS_FLOW_KEY) ? emptyScalar(this.#tokens.peek().line) : this.#node(false, false);
  }

  #flowValue(isPair: boolean): YamlNode {
    if (!isPair || !this.#is('value')) return emptyScalar(this.#tokens.peek().line);
    this.#tokens.next();
    return this.#isAny(ENDS_FLOW_ENTRY) ? emptyScalar(this.#tokens.peek().line) : this.#node(false, false);
  }

  #is(type: YamlTokenType): boolean {
    return this.#tokens.peek().type === type;
  }

  #isAny(types: ReadonlySet<YamlTokenType>): boolean {
    return types.has(this.#tokens.peek().type);
  }

  #expect(type: YamlTokenType, problem: string): void {
    const token = this.#tokens.peek();
    if (token.type !== type) throw structureFault(problem, token.line);
    this.#tokens.next();
  }
}

const types = (...names: YamlTokenType[]): ReadonlySet<YamlTokenType> => new Set(names);

const ENDS_DOCUMENT = types('directive', 'document-start', 'document-end', 'stream-end');
const ENDS_ENTRY = types('block-entry', 'block-end');
const ENDS_INDENTLESS_ENTRY = types('block-entry', 'key', 'value', 'block-end');
const ENDS_BLOCK_PART = types('key', 'value', 'block-end');
const ENDS_FLOW_KEY_IN_SEQUENCE = types('value', 'flow-entry', 'flow-sequence-end');
const ENDS_FLOW_KEY = types('value', 'flow-entry', 'flow-mapping-end');
const ENDS_FLOW_ENTRY = types('flow-entry', 'flow-sequence-end', 'flow-mapping-end');

/** @param line from 0 */
function emptyScalar(line: number): YamlNode {
  return { kind: 'scalar', line: line + 1, value: '', tag: '', plain: true };
}
