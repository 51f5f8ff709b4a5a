import type { CheckedExpression } from '../check/checked-expression.ts';
import type { Overload } from '../check/declarations.ts';
import {
  type CallNode,
  type ComprehensionNode,
  type Expression,
  isBinding,
  type ListNode,
  type MapNode,
  Operator,
  type SelectNode,
} from '../syntax/ast.ts';
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
import { type LocalSize, NodeSizes } from './node-sizes.ts';
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
  readonly #sizes: NodeSizes;
  readonly #estimatesElements: boolean;

  constructor(expression: CheckedExpression, { model, sizes, estimatesElements }: EstimateOptions) {
    this.#expression = expression;
    this.#model = model;
    this.#sizes = new NodeSizes(expression, sizes ?? (() => undefined), estimatesElements);
    this.#estimatesElements = estimatesElements;
  }

  /** Cost of a node; also records its path and size for the nodes around it. */
  cost(node: Expression): Range {
    switch (node.kind) {
      case 'constant':
        return NOTHING;
      case 'identifier':
        this.#sizes.setPath(node, this.#sizes.pathOfName(node.name));
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

  #select(node: SelectNode): Range {
    const reference = this.#expression.references[node.id];
    if (reference?.name !== undefined) {
      this.#sizes.setPath(node, [reference.name]);
      return ONE;
    }
    const operand = this.cost(node.operand);
    if (node.testOnly) return addRanges(operand, exactly(this.#model.presenceTest));
    this.#sizes.setPath(node, [...(this.#sizes.pathOf(node.operand) ?? []), node.field]);
    const { kind } = this.#sizes.typeOf(node.operand);
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
      size = this.#elementSize(node, overload) ?? size ?? this.#sizes.sizeOf(node);
    }
    this.#sizes.setSize(node, size);
    return addRanges(targetCost, cost);
  }

  /** `dyn()` hides the type, and with it the size. */
  #dyn(argument: Expression): Range {
    return addRanges(ONE, this.cost(argument));
  }

  /** Reading an element extends the path of the container. */
  #elementSize(node: CallNode, overload: Overload): Range | undefined {
    const step =
      overload.id === 'index_list' ? '@items' : overload.id === 'index_map' ? '@values' : undefined;
    const [container] = node.arguments;
    if (!step || !container) return undefined;
    this.#sizes.setPath(node, [...(this.#sizes.pathOf(container) ?? []), step]);
    return this.#sizes.entriesOf(container)?.value;
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
    this.#sizes.setEntries(node, this.#sizes.unitedEntries(yes, no));
    const size = unionRanges(this.#sizes.sizeOf(yes) ?? anySize, this.#sizes.sizeOf(no) ?? anySize);
    return { cost: addRanges(first, unionRanges(second, third)), size };
  }

  #joinEntries(node: CallNode): void {
    const [left, right] = node.arguments as [Expression, Expression];
    this.#sizes.setEntries(node, this.#sizes.unitedEntries(left, right));
  }

  #sized(node: Expression): SizedNode {
    return { path: this.#sizes.rootedPathOf(node), type: this.#sizes.typeOf(node), expression: node };
  }

  #sizeOfOperand(operand: SizedNode): Range {
    if (operand.expression) return this.#sizes.sizeOf(operand.expression) ?? anySize;
    return this.#sizes.sizeAt(operand.path ?? [], operand.type) ?? anySize;
  }

  #list(node: ListNode): Range {
    const costs = node.elements.map((element) => this.cost(element));
    const value = unionOf(node.elements.map((element) => this.#sizes.sizeOf(element) ?? anySize));
    this.#sizes.setEntries(node, { container: 'list', key: ONE, value });
    return addRanges(exactly(this.#model.list), ...costs);
  }

  #map(node: MapNode): Range {
    const costs = node.entries.flatMap((entry) => [this.cost(entry.key), this.cost(entry.value)]);
    this.#sizes.setEntries(node, {
      container: 'map',
      key: unionOf(node.entries.map((entry) => this.#sizes.sizeOf(entry.key) ?? anySize)),
      value: unionOf(node.entries.map((entry) => this.#sizes.sizeOf(entry.value) ?? anySize)),
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
    const step = ELEMENT_STEPS.get(this.#sizes.typeOf(node.range).kind);
    const path = step === undefined ? undefined : [...(this.#sizes.pathOf(node.range) ?? []), step];
    this.#sizes.push(node.variable, { path, size: undefined, entries: undefined });
    const round = addRanges(this.cost(node.condition), this.cost(node.step));
    this.#sizes.pop(node.variable);
    const result = this.cost(node.result);
    const rounds = this.#sizes.sizeOf(node.range) ?? anySize;
    this.#sizes.setSize(node, rounds);
    return addRanges(before, result, multiplyRanges(rounds, round));
  }

  #binding(node: ComprehensionNode): Range {
    const range = this.cost(node.range);
    const initial = this.cost(node.initial);
    this.#sizes.pushValue(node.accumulator, node.initial);
    const result = this.cost(node.result);
    this.#sizes.setSize(node, this.#sizes.sizeOf(node.result));
    this.#sizes.setEntries(node, this.#sizes.entriesOf(node.result));
    this.#sizes.pop(node.accumulator);
    return addRanges(range, initial, result);
  }

  #loop(node: ComprehensionNode): Range {
    const before = addRanges(this.cost(node.range), this.cost(node.initial));
    this.#sizes.pushValue(node.accumulator, node.initial);
    this.#pushLoopVariables(node);
    const round = addRanges(this.cost(node.condition), this.cost(node.step));
    this.#sizes.pop(node.variable, node.secondVariable);
    const result = this.cost(node.result);
    this.#sizes.pop(node.accumulator);
    const rounds = this.#sizes.sizeOf(node.range) ?? anySize;
    this.#noteLoopSize(node, rounds);
    return addRanges(before, result, multiplyRanges(rounds, round));
  }

  #noteLoopSize(node: ComprehensionNode, rounds: Range): void {
    if (node.initial.kind === 'constant') this.#sizes.setSize(node, this.#sizes.sizeOf(node.initial));
    else if (node.initial.kind === 'list' || node.initial.kind === 'map') {
      this.#sizes.setSize(node, rounds);
      this.#sizes.setEntries(node, this.#sizes.entriesOf(node.step));
    }
  }

  #pushLoopVariables(node: ComprehensionNode): void {
    const entries = this.#sizes.entriesOf(node.range);
    const path = this.#sizes.pathOf(node.range) ?? [];
    const isList = (entries?.container ?? this.#sizes.typeOf(node.range).kind) === 'list';
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
      this.#sizes.push(node.variable, isList ? value : key);
      return;
    }
    this.#sizes.push(node.variable, key);
    this.#sizes.push(node.secondVariable, value);
  }
}

function unionOf(ranges: readonly Range[]): Range {
  const [first = NOTHING, ...rest] = ranges;
  return rest.reduce(unionRanges, first);
}

/** Kinds of values whose fields have a read cost. */
const SELECTABLE: ReadonlySet<string> = new Set(['map', 'object', 'parameter', 'dyn']);
