import type { Value } from '../values/values.ts';

interface NodeBase {
  /** Unique within an expression, from 1; results of the checker are keyed by this number. */
  readonly id: number;
  /** Position of the node in messages: its operator, dot, bracket or first character, in UTF-16 code units. */
  readonly position: number;
  /** The macro call that this node was expanded from, for printing. */
  macro?: MacroCall;
}

/** A macro call as written. */
export interface MacroCall {
  readonly function: string;
  readonly target: Expression | undefined;
  readonly arguments: readonly Expression[];
}

/** A literal. */
export interface ConstantNode extends NodeBase {
  readonly kind: 'constant';
  readonly value: Value;
}

/** A name; with a leading dot it is resolved in the root container only. */
export interface IdentifierNode extends NodeBase {
  readonly kind: 'identifier';
  readonly name: string;
}

/** `operand.field`, or `has(operand.field)` when `testOnly`. */
export interface SelectNode extends NodeBase {
  readonly kind: 'select';
  readonly operand: Expression;
  readonly field: string;
  readonly testOnly: boolean;
}

/** A call of a function, operator or method. Operators have names such as `_+_`. */
export interface CallNode extends NodeBase {
  readonly kind: 'call';
  readonly function: string;
  readonly target: Expression | undefined;
  readonly arguments: readonly Expression[];
}

/** `[a, ?b]`. */
export interface ListNode extends NodeBase {
  readonly kind: 'list';
  readonly elements: readonly Expression[];
  /** Indexes of the elements written with `?`. */
  readonly optionals: ReadonlySet<number>;
}

/** An entry of a map literal. */
export interface MapEntry {
  readonly id: number;
  readonly position: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

/** `{key: value}`. */
export interface MapNode extends NodeBase {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

/** A field of a message literal. */
export interface MessageField {
  readonly id: number;
  readonly position: number;
  readonly name: string;
  readonly value: Expression;
  readonly optional: boolean;
}

/** `Type{field: value}`. */
export interface MessageNode extends NodeBase {
  readonly kind: 'message';
  readonly typeName: string;
  readonly fields: readonly MessageField[];
}

/** The loop that macros expand to: folds a list or map into an accumulator. */
export interface ComprehensionNode extends NodeBase {
  readonly kind: 'comprehension';
  readonly range: Expression;
  readonly variable: string;
  /** With two variables the first is the index or key and this one the value. */
  readonly secondVariable: string | undefined;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** A node of a parsed expression. */
export type Expression =
  | ConstantNode
  | IdentifierNode
  | SelectNode
  | CallNode
  | ListNode
  | MapNode
  | MessageNode
  | ComprehensionNode;

/** A parsed expression; `checked` if it also has types, see `CheckedExpression`. */
export interface ParsedExpression {
  readonly kind: 'parsed' | 'checked';
  readonly text: string;
  readonly root: Expression;
  /** Greater than every id in it. */
  readonly idLimit: number;
}

/** Names of the operators as functions. */
export const Operator = {
  conditional: '_?_:_',
  and: '_&&_',
  or: '_||_',
  not: '!_',
  equals: '_==_',
  notEquals: '_!=_',
  less: '_<_',
  lessEquals: '_<=_',
  greater: '_>_',
  greaterEquals: '_>=_',
  add: '_+_',
  subtract: '_-_',
  multiply: '_*_',
  divide: '_/_',
  modulo: '_%_',
  negate: '-_',
  index: '_[_]',
  optionalIndex: '_[?_]',
  optionalSelect: '_?._',
  in: '@in',
  notStrictlyFalse: '@not_strictly_false',
} as const;

/** The accumulator's name in macros, which is not a valid identifier. */
export const ACCUMULATOR = '@result';

/** Children of a node, in the order of evaluation. */
export function childrenOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.target ? [node.target, ...node.arguments] : node.arguments;
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'message':
      return node.fields.map((field) => field.value);
    case 'comprehension':
      return [node.range, node.initial, node.condition, node.step, node.result];
    default:
      return [];
  }
}

/** Whether the loop never runs and only binds a name to its initial value. */
export function isBinding(node: ComprehensionNode): boolean {
  const { range, condition } = node;
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'constant' &&
    condition.value === false
  );
}
