import type { CheckedExpression } from '../check/checked-expression.ts';
import { type CelType, optionalContent, types } from '../check/types.ts';
import { ACCUMULATOR, type Expression } from '../syntax/ast.ts';
import { codePointCount } from '../values/strings.ts';
import type { Value } from '../values/values.ts';
import { exactly, type Range, type SizeHints, unionRanges } from './estimate-model.ts';

/** Sizes of the elements of a list or map. */
export interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

/** A variable of a loop, or a bound name. */
export interface LocalSize {
  readonly path: readonly string[] | undefined;
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

const ONE: Range = exactly(1);

/** What is known of the sizes of an expression's nodes, and by which path from a variable each is reached. */
export class NodeSizes {
  readonly #expression: CheckedExpression;
  readonly #hints: SizeHints;
  readonly #knowsElements: boolean;
  readonly #locals = new Map<string, LocalSize[]>();
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, Range>();
  readonly #entries = new Map<number, EntrySizes>();

  /** @param knowsElements whether the elements of lists and maps that the expression itself puts together have sizes */
  constructor(expression: CheckedExpression, hints: SizeHints, knowsElements: boolean) {
    this.#expression = expression;
    this.#hints = hints;
    this.#knowsElements = knowsElements;
  }

  typeOf(node: Expression): CelType {
    return this.#expression.types[node.id] ?? types.dyn;
  }

  /** Gives a name to a value, until it is taken back. */
  push(name: string, local: LocalSize): void {
    const stack = this.#locals.get(name) ?? [];
    stack.push(local);
    this.#locals.set(name, stack);
  }

  /** Gives a name to the value of a node. */
  pushValue(name: string, node: Expression): void {
    this.push(name, { path: this.pathOf(node), size: this.sizeOf(node), entries: this.entriesOf(node) });
  }

  /** Takes names back. */
  pop(...names: readonly (string | undefined)[]): void {
    for (const name of names) if (name !== undefined) this.#locals.get(name)?.pop();
  }

  #local(name: string): LocalSize | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  /** The path of the value that a name stands for. */
  pathOfName(name: string): readonly string[] {
    return this.#local(name)?.path ?? [name];
  }

  pathOf(node: Expression): readonly string[] | undefined {
    const local = node.kind === 'identifier' ? this.#local(node.name) : undefined;
    return local ? local.path : this.#paths.get(node.id);
  }

  /** The path from a variable to the node; none for accumulators. */
  rootedPathOf(node: Expression): readonly string[] | undefined {
    const path = this.pathOf(node);
    return path?.[0] === ACCUMULATOR ? undefined : path;
  }

  /** The size of a text, list or map, and 1 for anything else whose type is known. */
  sizeOf(node: Expression): Range | undefined {
    const existing = this.#sizes.get(node.id) ?? literalSize(node);
    if (existing) return existing;
    const path = this.#knowsElements ? this.pathOf(node) : this.rootedPathOf(node);
    const hinted = this.#hints(path ?? [], this.typeOf(node));
    if (hinted) {
      this.#sizes.set(node.id, hinted);
      return hinted;
    }
    if (isScalar(this.typeOf(node))) return ONE;
    return node.kind === 'identifier' ? this.#local(node.name)?.size : undefined;
  }

  /** The size of what is at the end of a path. */
  sizeAt(path: readonly string[], type: CelType): Range | undefined {
    return this.#hints(path, type);
  }

  entriesOf(node: Expression): EntrySizes | undefined {
    if (!this.#knowsElements) return undefined;
    const existing = this.#entries.get(node.id);
    if (existing) return existing;
    return node.kind === 'identifier' ? this.#local(node.name)?.entries : undefined;
  }

  /** The elements of two lists or maps together. */
  unitedEntries(a: Expression, b: Expression): EntrySizes | undefined {
    const [first, second] = [this.entriesOf(a), this.entriesOf(b)];
    if (!first || !second) return undefined;
    const { container } = first;
    return {
      container,
      key: unionRanges(first.key, second.key),
      value: unionRanges(first.value, second.value),
    };
  }

  setPath(node: Expression, path: readonly string[]): void {
    this.#paths.set(node.id, path);
  }

  /** Notes the size of a node, if it is known. */
  setSize(node: Expression, size: Range | undefined): void {
    if (size) this.#sizes.set(node.id, size);
  }

  /** Notes the sizes of a node's elements, if they are known. */
  setEntries(node: Expression, entries: EntrySizes | undefined): void {
    if (entries) this.#entries.set(node.id, entries);
  }
}

function literalSize(node: Expression): Range | undefined {
  if (node.kind === 'list') return exactly(node.elements.length);
  if (node.kind === 'map') return exactly(node.entries.length);
  return node.kind === 'constant' ? constantSize(node.value) : undefined;
}

function constantSize(value: Value): Range {
  if (typeof value === 'string') return exactly(codePointCount(value));
  return value instanceof Uint8Array ? exactly(value.length) : ONE;
}

const SCALARS: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function isScalar(type: CelType): boolean {
  const content = optionalContent(type);
  return content ? isScalar(content) : SCALARS.has(type.kind);
}
