import type { CheckedExpression } from '../check/checked-expression.ts';
import type { Overload } from '../check/declarations.ts';
import { type CelType, optionalContent, types } from '../check/types.ts';
import {
  ACCUMULATOR,
  type CallNode,
  type ComprehensionNode,
  type Expression,
  isBinding,
  type ListNode,
  type MapNode,
  Operator,
  type SelectNode,
} from '../syntax/ast.ts';
import { codePointCount } from '../values/strings.ts';
import type { Value } from '../values/values.ts';
import type { CostModel } from './cost-model.ts';
import {
  addRanges,
  anySize,
  type CallEstimate,
  exactly,
  multiplyRanges,
  type Range,
  type SizedNode,
  type SizeHints,
  UNBOUNDED,
  unionRanges,
} from './estimate-model.ts';
import { standardEstimates } from './standard-estimates.ts';

/** Minimum and maximum cost of an evaluation. */
export type Estimate = Range;

/** How costs are estimated. */
export interface EstimateOptions {
  readonly model: CostModel;
  /** Sizes of variables that are known in advance. */
  readonly sizes?: SizeHints | undefined;
  /**
   * Whether the elements of lists and maps that the expression itself puts together have sizes, and names that it
   * gives to values. Without, every loop has the size of what it runs over.
   */
  readonly estimatesElements: boolean;
}

/** Estimates what an evaluation costs before it runs. */
export function estimateCost(expression: CheckedExpression, options: EstimateOptions): Estimate {
  return new Estimator(expression, options).cost(expression.root);
}

/** Sizes of the elements of a list or map. */
interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

/** A variable of a loop, or a bound name. */
interface LocalSize {
  readonly path: readonly string[] | undefined;
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

/** What the variable of a loop is of its range. */
const ELEMENT_STEPS: ReadonlyMap<string, string> = new Map([
  ['list', '@items'],
  ['map', '@keys'],
]);

const NOTHING: Range = exactly(0);
const ONE: Range = exactly(1);

class Estimator {
  readonly #expression: CheckedExpression;
  readonly #model: CostModel;
  readonly #hints: SizeHints;
  readonly #estimatesElements: boolean;
  readonly #locals = new Map<string, LocalSize[]>();
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, Range>();
  readonly #entries = new Map<number, EntrySizes>();

  constructor(expression: CheckedExpression, { model, sizes, estimatesElements }: EstimateOptions) {
    this.#expression = expression;
    this.#model = model;
    this.#hints = sizes ?? (() => undefined);
    this.#estimatesElements = estimatesElements;
  }

  /** Cost of a node; also records its path and size for the nodes around it. */
  cost(node: Expression): Range {
    switch (node.kind) {
      case 'constant':
        return NOTHING;
      case 'identifier':
        this.#paths.set(node.id, this.#local(node.name)?.path ?? [node.name]);
        return ONE;
      case 'select':
        return this.#select(node);
      case 'call':
        return this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'message':
        return addRanges(exactly(this.#model.message), ...node.fields.map((field) => this.cost(field.value)));
      case 'comprehension':
        return this.#comprehension(node);
    }
  }

  #typeOf(node: Expression): CelType {
    return this.#expression.types[node.id] ?? types.dyn;
  }

  #local(name: string): LocalSize | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, local: LocalSize): void {
    const stack = this.#locals.get(name) ?? [];
    stack.push(local);
    this.#locals.set(name, stack);
  }

  #pop(...names: readonly (string | undefined)[]): void {
    for (const name of names) if (name !== undefined) this.#locals.get(name)?.pop();
  }

  #path(node: Expression): readonly string[] | undefined {
    const local = node.kind === 'identifier' ? this.#local(node.name) : undefined;
    return local ? local.path : this.#paths.get(node.id);
  }

  /** The path from a variable to the node; none for accumulators. */
  #rootedPath(node: Expression): readonly string[] | undefined {
    const path = this.#path(node);
    return path?.[0] === ACCUMULATOR ? undefined : path;
  }

  #select(node: SelectNode): Range {
    const reference = this.#expression.references[node.id];
    if (reference?.name !== undefined) {
      this.#paths.set(node.id, [reference.name]);
      return ONE;
    }
    const operand = this.cost(node.operand);
    if (node.testOnly) return addRanges(operand, exactly(this.#model.presenceTest));
    this.#paths.set(node.id, [...(this.#path(node.operand) ?? []), node.field]);
    const { kind } = this.#typeOf(node.operand);
    return SELECTABLE.has(kind) ? addRanges(operand, ONE) : operand;
  }

  #call(node: CallNode): Range {
    if (node.function === 'dyn' && node.arguments[0]) return this.#dyn(node.arguments[0]);
    const reference = this.#expression.references[node.id];
    const overloads = reference?.overloads ?? [];
    const target = reference?.namespaced ? undefined : node.target;
    const argumentCosts = node.arguments.map((argument) => this.cost(argument));
    if (overloads.length === 0) return NOTHING;
    const targetCost = target ? this.cost(target) : NOTHING;
    let cost: Range = { min: UNBOUNDED, max: 0n };
    let size: Range | undefined;
    for (const overload of overloads) {
      const estimate = this.#overload(node, overload, target, argumentCosts);
      cost = unionRanges(cost, estimate.cost);
      if (estimate.size) size = size ? unionRanges(size, estimate.size) : estimate.size;
      size = this.#elementSize(node, overload) ?? size ?? this.#size(node);
    }
    if (size) this.#sizes.set(node.id, size);
    return addRanges(targetCost, cost);
  }

  /** `dyn()` hides the type, and with it the size. */
  #dyn(argument: Expression): Range {
    return addRanges(ONE, this.cost(argument));
  }

  #copySizes(to: Expression, from: Expression): void {
    const size = this.#size(from);
    if (size) this.#sizes.set(to.id, size);
    const entries = this.#entrySizes(from);
    if (entries) this.#entries.set(to.id, entries);
  }

  /** Reading an element extends the path of the container. */
  #elementSize(node: CallNode, overload: Overload): Range | undefined {
    const step =
      overload.id === 'index_list' ? '@items' : overload.id === 'index_map' ? '@values' : undefined;
    const [container] = node.arguments;
    if (!step || !container) return undefined;
    this.#paths.set(node.id, [...(this.#path(container) ?? []), step]);
    return this.#entrySizes(container)?.value;
  }

  #overload(
    node: CallNode,
    overload: Overload,
    target: Expression | undefined,
    argumentCosts: readonly Range[],
  ): CallEstimate {
    const special = this.#operator(node, argumentCosts);
    if (special) return special;
    const estimator = overload.estimate ?? standardEstimates[overload.id];
    const estimate = estimator?.({
      function: node.function,
      overload: overload.id,
      target: target && this.#sized(target),
      arguments: node.arguments.map((argument) => this.#sized(argument)),
      model: this.#model,
      sizeOf: (operand) => this.#sizeOfOperand(operand),
    });
    if (overload.id.startsWith('add_')) this.#joinEntries(node);
    if (!estimate) return { cost: addRanges(ONE, ...argumentCosts) };
    return { ...estimate, cost: addRanges(estimate.cost, ...argumentCosts) };
  }

  /** Operators that do not evaluate all their operands. */
  #operator(node: CallNode, costs: readonly Range[]): CallEstimate | undefined {
    const [first, second, third] = costs as [Range, Range, Range];
    if (node.function === Operator.and || node.function === Operator.or) {
      return { cost: { min: first.min, max: addRanges(first, second).max } };
    }
    if (node.function !== Operator.conditional) return undefined;
    const [, yes, no] = node.arguments as [Expression, Expression, Expression];
    const entries = unionEntries(this.#entrySizes(yes), this.#entrySizes(no));
    if (entries) this.#entries.set(node.id, entries);
    const size = unionRanges(this.#size(yes) ?? anySize, this.#size(no) ?? anySize);
    return { cost: addRanges(first, unionRanges(second, third)), size };
  }

  #joinEntries(node: CallNode): void {
    const [left, right] = node.arguments as [Expression, Expression];
    const entries = unionEntries(this.#entrySizes(left), this.#entrySizes(right));
    if (entries) this.#entries.set(node.id, entries);
  }

  #sized(node: Expression): SizedNode {
    return { path: this.#rootedPath(node), type: this.#typeOf(node), expression: node };
  }

  #sizeOfOperand(operand: SizedNode): Range {
    if (operand.expression) return this.#size(operand.expression) ?? anySize;
    return this.#hints(operand.path ?? [], operand.type) ?? anySize;
  }

  #list(node: ListNode): Range {
    const costs = node.elements.map((element) => this.cost(element));
    const value = unionOf(node.elements.map((element) => this.#size(element) ?? anySize));
    this.#entries.set(node.id, { container: 'list', key: ONE, value });
    return addRanges(exactly(this.#model.list), ...costs);
  }

  #map(node: MapNode): Range {
    const costs = node.entries.flatMap((entry) => [this.cost(entry.key), this.cost(entry.value)]);
    this.#entries.set(node.id, {
      container: 'map',
      key: unionOf(node.entries.map((entry) => this.#size(entry.key) ?? anySize)),
      value: unionOf(node.entries.map((entry) => this.#size(entry.value) ?? anySize)),
    });
    return addRanges(exactly(this.#model.map), ...costs);
  }

  #comprehension(node: ComprehensionNode): Range {
    if (!this.#estimatesElements) return this.#plainLoop(node);
    return isBinding(node) ? this.#binding(node) : this.#loop(node);
  }

  /** A loop of which only the size of its range is known, as of a name for a value: that is a loop over nothing. */
  #plainLoop(node: ComprehensionNode): Range {
    const before = addRanges(this.cost(node.range), this.cost(node.initial));
    const step = ELEMENT_STEPS.get(this.#typeOf(node.range).kind);
    const path = step === undefined ? undefined : [...(this.#path(node.range) ?? []), step];
    this.#push(node.variable, { path, size: undefined, entries: undefined });
    const round = addRanges(this.cost(node.condition), this.cost(node.step));
    this.#pop(node.variable);
    const result = this.cost(node.result);
    const rounds = this.#size(node.range) ?? anySize;
    this.#sizes.set(node.id, rounds);
    return addRanges(before, result, multiplyRanges(rounds, round));
  }

  #binding(node: ComprehensionNode): Range {
    const range = this.cost(node.range);
    const initial = this.cost(node.initial);
    this.#pushValue(node.accumulator, node.initial);
    const result = this.cost(node.result);
    this.#copySizes(node, node.result);
    this.#pop(node.accumulator);
    return addRanges(range, initial, result);
  }

  #pushValue(name: string, node: Expression): void {
    this.#push(name, { path: this.#path(node), size: this.#size(node), entries: this.#entrySizes(node) });
  }

  #loop(node: ComprehensionNode): Range {
    const before = addRanges(this.cost(node.range), this.cost(node.initial));
    this.#pushValue(node.accumulator, node.initial);
    this.#pushLoopVariables(node);
    const round = addRanges(this.cost(node.condition), this.cost(node.step));
    this.#pop(node.variable, node.secondVariable);
    const result = this.cost(node.result);
    this.#pop(node.accumulator);
    const rounds = this.#size(node.range) ?? anySize;
    this.#noteLoopSize(node, rounds);
    return addRanges(before, result, multiplyRanges(rounds, round));
  }

  #noteLoopSize(node: ComprehensionNode, rounds: Range): void {
    if (node.initial.kind === 'constant') {
      const size = this.#size(node.initial);
      if (size) this.#sizes.set(node.id, size);
    } else if (node.initial.kind === 'list' || node.initial.kind === 'map') {
      this.#sizes.set(node.id, rounds);
      const entries = this.#entrySizes(node.step);
      if (entries) this.#entries.set(node.id, entries);
    }
  }

  #pushLoopVariables(node: ComprehensionNode): void {
    const entries = this.#entrySizes(node.range);
    const path = this.#path(node.range) ?? [];
    const isList = (entries?.container ?? this.#typeOf(node.range).kind) === 'list';
    const value: LocalSize = {
      path: [...path, isList ? '@items' : '@values'],
      size: entries?.value,
      entries: undefined,
    };
    const key: LocalSize = {
      path: [...path, isList ? '@indices' : '@keys'],
      size: entries?.key,
      entries: undefined,
    };
    if (node.secondVariable === undefined) {
      this.#push(node.variable, isList ? value : key);
      return;
    }
    this.#push(node.variable, key);
    this.#push(node.secondVariable, value);
  }

  #entrySizes(node: Expression): EntrySizes | undefined {
    if (!this.#estimatesElements) return undefined;
    const existing = this.#entries.get(node.id);
    if (existing) return existing;
    return node.kind === 'identifier' ? this.#local(node.name)?.entries : undefined;
  }

  #size(node: Expression): Range | undefined {
    const existing = this.#sizes.get(node.id) ?? literalSize(node);
    if (existing) return existing;
    const path = this.#estimatesElements ? this.#path(node) : this.#rootedPath(node);
    const hinted = this.#hints(path ?? [], this.#typeOf(node));
    if (hinted) {
      this.#sizes.set(node.id, hinted);
      return hinted;
    }
    if (isScalar(this.#typeOf(node))) return ONE;
    return node.kind === 'identifier' ? this.#local(node.name)?.size : undefined;
  }
}

function unionEntries(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  if (!a || !b) return undefined;
  return { container: a.container, key: unionRanges(a.key, b.key), value: unionRanges(a.value, b.value) };
}

function unionOf(ranges: readonly Range[]): Range {
  const [first = NOTHING, ...rest] = ranges;
  return rest.reduce(unionRanges, first);
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

/** Kinds of values whose fields have a read cost. */
const SELECTABLE: ReadonlySet<string> = new Set(['map', 'object', 'parameter', 'dyn']);

const SCALARS: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function isScalar(type: CelType): boolean {
  const content = optionalContent(type);
  return content ? isScalar(content) : SCALARS.has(type.kind);
}
