import { goTypeName, isJsonArray, isJsonObject, type JsonValue, ownMember } from '@ashlar/core';
import { JsonPathBudget } from './json-path-budget.ts';
import { compare, type Operand } from './json-path-compare.ts';
import { JsonPathError } from './json-path-error.ts';
import type { JsonPathNode, JsonPathPart, Slice } from './json-path-node.ts';
import { parseJsonPath } from './json-path-parser.ts';
import { printedText } from './json-path-text.ts';

/** Options of evaluating a path. */
export interface JsonPathOptions {
  /** Absent fields are skipped instead of an error. */
  readonly allowMissing?: boolean;
}

/** A parsed template of JSONPath. */
export interface JsonPath {
  /**
   * Returns the results of each part of the template; parts within a range once for each of its rounds.
   * @param budget default: one of its own
   * @throws JsonPathError
   */
  find(data: JsonValue, budget?: JsonPathBudget): readonly (readonly JsonValue[])[];
  /**
   * Prints the template with the values of its paths, several ones separated by a space.
   * @throws JsonPathError
   */
  print(data: JsonValue): string;
}

/**
 * Parses a template of JSONPath: text with paths in braces, as clients print with and, one path alone,
 * printer columns name (semantics/tables#shapes). Fields, `[0]`, `[-1]`, `[1:3]`, `[*]`, `['a','b']`,
 * `[?(@.a=="b")]`, `..`, and `{range …}…{end}`.
 *
 * @throws JsonPathError `unclosed action`
 * @example
 * compileJsonPath('{range .items[*]}{.name} {end}').print({ items: [{ name: 'a' }, { name: 'b' }] }); // 'a b
 * '
 */
export function compileJsonPath(text: string, options: JsonPathOptions = {}): JsonPath {
  const parts = parseJsonPath(text);
  const find: JsonPath['find'] = (data, budget = new JsonPathBudget()) =>
    new Search(parts, options, budget).run(data);
  return {
    find,
    print: (data) =>
      find(data)
        .map((values) => values.map((value) => printedText(value)).join(' '))
        .join(''),
  };
}

type Values = readonly JsonValue[];

class Search {
  readonly #parts: readonly JsonPathPart[];
  readonly #options: JsonPathOptions;
  readonly #budget: JsonPathBudget;
  #beginsRange = false;
  #ranges = 0;
  /** Number of `end`s to skip. */
  #ends = 0;
  /** The part where the last range ended. */
  #end = -1;

  constructor(parts: readonly JsonPathPart[], options: JsonPathOptions, budget: JsonPathBudget) {
    this.#parts = parts;
    this.#options = options;
    this.#budget = budget;
  }

  run(data: JsonValue): readonly Values[] {
    return this.#from(data, 0);
  }

  #from(data: JsonValue, start: number): Values[] {
    const results: Values[] = [];
    for (let at = start; at < this.#parts.length; at++) {
      const part = this.#parts[at] as JsonPathPart;
      const values = typeof part === 'string' ? [part] : this.#steps([data], part);
      if (this.#ends > 0 && this.#ends <= this.#ranges) {
        this.#ends--;
        this.#end = at;
        break;
      }
      if (!this.#beginsRange) {
        results.push(values);
        continue;
      }
      this.#beginsRange = false;
      this.#range(values, at + 1, results);
      if (this.#end > at) at = this.#end;
    }
    return results;
  }

  /** An empty range is still evaluated once, to find its end. */
  #range(values: Values, start: number, results: Values[]): void {
    this.#ranges++;
    for (const value of values) for (const found of this.#from(value, start)) results.push(found);
    if (values.length === 0) this.#from(null, start);
    this.#ranges--;
  }

  #steps(values: Values, nodes: readonly JsonPathNode[]): Values {
    let at = values;
    for (const node of nodes) at = this.#counted(this.#step(at, node));
    return at;
  }

  #counted(values: Values): Values {
    this.#budget.visit(values.length);
    return values;
  }

  #step(values: Values, node: JsonPathNode): Values {
    switch (node.kind) {
      case 'constant':
        return typeof node.value === 'string' ? [node.value] : values.map(() => node.value);
      case 'field':
        return this.#field(values, node.name);
      case 'slice':
        return values.flatMap((value) => (value === null ? [] : sliced(value, node.slice)));
      case 'filter':
        return values.flatMap((value) => this.#filter(value, node));
      case 'wildcard':
        return values.flatMap(within);
      case 'recursive':
        return this.#everything(values);
      case 'union':
        return node.parts.flatMap((part) => this.#steps(values, part));
      case 'identifier':
        return this.#identifier(values, node.name);
    }
  }

  #field(values: Values, name: string): Values {
    const found: JsonValue[] = [];
    for (const value of values) {
      const member = isJsonObject(value) ? ownMember(value, name) : undefined;
      if (member !== undefined) found.push(member);
    }
    if (found.length === 0 && values.length > 0 && !this.#options.allowMissing)
      throw new JsonPathError(`${name} is not found`);
    return found;
  }

  #filter(value: JsonValue, node: JsonPathNode & { kind: 'filter' }): Values {
    if (!isJsonArray(value)) {
      throw new JsonPathError(`${printedText(value)} is not array or slice and cannot be filtered`);
    }
    this.#budget.visit(value.length);
    return value.filter((item) =>
      node.operator === 'exists' ? this.#exists(item, node.left) : this.#holds(item, node),
    );
  }

  #exists(item: JsonValue, path: readonly JsonPathNode[]): boolean {
    try {
      return this.#steps([item], path).length > 0;
    } catch (error) {
      if (error instanceof JsonPathError) return false;
      throw error;
    }
  }

  #holds(item: JsonValue, { left, operator, right }: JsonPathNode & { kind: 'filter' }): boolean {
    const a = this.#operand(item, left);
    const b = a && this.#operand(item, right);
    return b !== undefined && a !== undefined && compare(a, operator, b);
  }

  #operand(item: JsonValue, path: readonly JsonPathNode[]): Operand | undefined {
    const values = this.#steps([item], path);
    if (values.length > 1) throw new JsonPathError('can only compare one element at a time');
    if (values.length === 0) return undefined;
    const last = path.at(-1);
    const isFloat = last?.kind === 'constant' && last.isFloat === true;
    return { value: values[0] as JsonValue, isFloat };
  }

  /** Every container value, from the outside to the inside. */
  #everything(values: Values): Values {
    const found: JsonValue[] = [];
    const waiting = [...values].reverse();
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      this.#budget.visit(1);
      const inside = typeof value === 'string' ? [] : within(value);
      if (inside.length === 0 && (typeof value !== 'string' || value === '')) continue;
      found.push(value);
      for (let i = inside.length - 1; i >= 0; i--) waiting.push(inside[i] as JsonValue);
    }
    return found;
  }

  #identifier(values: Values, name: string): Values {
    if (name === 'range') {
      this.#beginsRange = true;
      return values;
    }
    if (name !== 'end') throw new JsonPathError(`unrecognized identifier ${name}`);
    if (this.#ranges === 0) throw new JsonPathError('not in range, nothing to end');
    this.#ends++;
    return [];
  }
}

/** Returns the children of a value; for a text its bytes. */
function within(value: JsonValue): Values {
  if (isJsonArray(value)) return value;
  if (isJsonObject(value)) return Object.values(value).filter((member) => member !== undefined);
  return typeof value === 'string' ? [...new TextEncoder().encode(value)] : [];
}

function sliced(value: JsonValue, { from, to, step = 1, isSingle }: Slice): Values {
  if (!isJsonArray(value)) throw new JsonPathError(`${goTypeName(value)} is not array or slice`);
  const { length } = value;
  const counted = (index: number): number => (index < 0 ? index + length : index);
  const start = counted(from ?? 0);
  const end = isSingle && to === 0 ? length : counted(to ?? length);
  if (start === end) return [];
  if (start >= length || start < 0) throw outOfBounds(start, length);
  if (end > length || end < 0) throw outOfBounds(end - 1, length);
  if (start > end) throw new JsonPathError(`starting index ${start} is greater than ending index ${end}`);
  if (step <= 0) throw new JsonPathError('step must be > 0');
  return value.slice(start, end).filter((_, index) => index % step === 0);
}

const outOfBounds = (index: number, length: number): JsonPathError =>
  new JsonPathError(`array index out of bounds: index ${index}, length ${length}`);
