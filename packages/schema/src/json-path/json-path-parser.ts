import { JsonPathError } from './json-path-error.ts';
import type { JsonPathNode, JsonPathPart, Slice } from './json-path-node.ts';
import { unquote } from './json-path-quote.ts';

const TERMINATORS = new Set([' ', '\t', '\r', '\n', '', '.', ',', '[', ']', '$', '@', '{', '}']);
const DIGIT = /^\p{Nd}$/u;
const WORD = /^[\p{L}\p{Nd}_]$/u;
const KEY = /^'([^']*)'$/;
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)([\s\S]+?)$/;
const INTEGER = /^[+-]?\d+$/;

/**
 * Parses a template of JSONPath as clients and printer columns use it: text with paths in braces.
 * @throws JsonPathError
 */
export function parseJsonPath(text: string): readonly JsonPathPart[] {
  return new Parser(text).template();
}

/** Parses the text within braces; text after a closing one is ignored. */
function parseAction(text: string): readonly JsonPathNode[] {
  return new Parser(`{${text}}`).template()[0] as readonly JsonPathNode[];
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  template(): readonly JsonPathPart[] {
    const parts: JsonPathPart[] = [];
    while (this.#at < this.#text.length) {
      const open = this.#text.indexOf('{', this.#at);
      const end = open < 0 ? this.#text.length : open;
      if (end > this.#at) parts.push(this.#text.slice(this.#at, end));
      if (open < 0) break;
      this.#at = open + 1;
      parts.push(this.#action());
    }
    return parts;
  }

  #action(): readonly JsonPathNode[] {
    const nodes: JsonPathNode[] = [];
    for (;;) {
      if (this.#skip('}')) return nodes;
      if (this.#skip('[?(')) nodes.push(this.#filter());
      else if (this.#skip('..')) this.#recursive(nodes);
      else this.#step(nodes);
    }
  }

  #step(nodes: JsonPathNode[]): void {
    const start = this.#at;
    const character = this.#next();
    if (character === '' || character === '\n' || character === '\r')
      throw new JsonPathError('unclosed action');
    // Both mean the current value.
    if (character === ' ' || character === '@' || character === '$') return;
    if (character === '[') nodes.push(...this.#brackets());
    else if (character === '"' || character === "'") nodes.push(this.#quoted(character, start));
    else if (character === '.') nodes.push(this.#field());
    else {
      this.#at = start;
      if (character === '+' || character === '-' || DIGIT.test(character)) nodes.push(this.#number());
      else if (WORD.test(character)) nodes.push(this.#word());
      else throw new JsonPathError(`unrecognized character in action: ${described(character)}`);
    }
  }

  #recursive(nodes: JsonPathNode[]): void {
    if (nodes.at(-1)?.kind === 'recursive') throw new JsonPathError('invalid multiple recursive descent');
    nodes.push({ kind: 'recursive' });
    if (WORD.test(this.#peek())) nodes.push(this.#field());
  }

  #field(): JsonPathNode {
    const start = this.#at;
    while (!TERMINATORS.has(this.#peek())) if (this.#next() === '\\') this.#next();
    const name = this.#text.slice(start, this.#at);
    return name === '*' ? { kind: 'wildcard' } : { kind: 'field', name: name.replaceAll('\\', '') };
  }

  #word(): JsonPathNode {
    const start = this.#at;
    while (!TERMINATORS.has(this.#peek())) this.#next();
    const name = this.#text.slice(start, this.#at);
    return name === 'true' || name === 'false'
      ? { kind: 'constant', value: name === 'true' }
      : { kind: 'identifier', name };
  }

  #number(): JsonPathNode {
    const start = this.#at;
    if (this.#peek() === '+' || this.#peek() === '-') this.#next();
    while (this.#peek() === '.' || DIGIT.test(this.#peek())) this.#next();
    const text = this.#text.slice(start, this.#at);
    const value = Number(text);
    if (!/\d/.test(text) || Number.isNaN(value)) throw new JsonPathError(`cannot parse number ${text}`);
    return { kind: 'constant', value, isFloat: !INTEGER.test(text) };
  }

  #quoted(quote: string, start: number): JsonPathNode {
    for (;;) {
      const character = this.#next();
      if (character === '' || character === '\n') throw new JsonPathError('unterminated quoted string');
      if (character === quote && this.#text[this.#at - 2] !== '\\') break;
    }
    return { kind: 'constant', value: unquote(this.#text.slice(start, this.#at)) };
  }

  #brackets(): readonly JsonPathNode[] {
    const start = this.#at;
    for (let character = this.#next(); character !== ']'; character = this.#next()) {
      if (character === '' || character === '\n') throw new JsonPathError('unterminated array');
    }
    const inside = this.#text.slice(start, this.#at - 1);
    const parts = (inside === '*' ? ':' : inside).split(',');
    if (parts.length > 1) {
      return [{ kind: 'union', parts: parts.map((part) => parseAction(`[${trimSpaces(part)}]`)) }];
    }
    const text = parts[0] as string;
    const key = KEY.exec(text);
    return key ? parseAction(`.${key[1]}`) : [{ kind: 'slice', slice: sliceOf(text) }];
  }

  /** Only the first quotes within a filter are searched. */
  #filter(): JsonPathNode {
    const start = this.#at;
    let quote: string | undefined;
    let isClosed = false;
    for (;;) {
      const character = this.#next();
      if (character === '' || character === '\n') throw new JsonPathError('unterminated filter');
      if (character === ')' && (quote !== undefined) === isClosed) break;
      if (character !== '"' && character !== "'") continue;
      if (quote === undefined) quote = character;
      else if (character === quote && this.#text[this.#at - 2] !== '\\') isClosed = true;
    }
    const text = this.#text.slice(start, this.#at - 1);
    if (this.#next() !== ']') throw new JsonPathError('unclosed array expect ]');
    const found = COMPARISON.exec(text);
    if (!found) return { kind: 'filter', left: parseAction(text), operator: 'exists', right: [] };
    const [, left = '', operator = '', right = ''] = found;
    return { kind: 'filter', left: parseAction(left), operator, right: parseAction(right) };
  }

  #skip(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #peek(): string {
    const code = this.#text.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #next(): string {
    const character = this.#peek();
    this.#at += character.length;
    return character;
  }
}

/** Trims spaces; other white space stays. */
function trimSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === ' ') start++;
  while (end > start && text[end - 1] === ' ') end--;
  return text.slice(start, end);
}

function sliceOf(text: string): Slice {
  const found = SLICE.exec(text);
  if (!found) throw new JsonPathError(`invalid array index ${text}`);
  const [, from = '', to, step] = found;
  const start = indexOf(from);
  const isSingle = to === undefined;
  return {
    from: start,
    to: isSingle ? (start ?? 0) + 1 : indexOf(to.slice(1)),
    step: step === undefined ? undefined : indexOf(step.slice(1)),
    isSingle,
  };
}

function indexOf(text: string): number | undefined {
  if (text === '') return undefined;
  const index = Number(text);
  if (!Number.isSafeInteger(index)) throw new JsonPathError(`array index ${text} is not a number`);
  return index;
}

/** A character with its number, as Go's `%#U`. */
function described(character: string): string {
  const code = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
  return /[\p{C}\p{Z}]/u.test(character) ? `U+${code}` : `U+${code} '${character}'`;
}
