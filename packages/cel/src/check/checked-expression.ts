import type { ParsedExpression } from '../syntax/ast.ts';
import type { Issue } from '../syntax/source.ts';
import type { Value } from '../values/values.ts';
import type { FunctionDeclaration, Overload } from './declarations.ts';
import type { CelType } from './types.ts';

/** The declaration that a node refers to. */
export interface Reference {
  /** Full name of a variable or type, if the node is one. */
  readonly name?: string;
  /** Whether the name is a variable of an enclosing loop. */
  readonly local?: boolean;
  /** Value of a declared constant or type. */
  readonly value?: Value;
  /** Function and matching overloads, if the node is a call. */
  readonly function?: FunctionDeclaration;
  readonly overloads?: readonly Overload[];
  /** Whether the apparent target of a method is part of the function's name. */
  readonly namespaced?: boolean;
}

/** A parsed expression with types and references, by node id. */
export interface CheckedExpression extends ParsedExpression {
  readonly kind: 'checked';
  readonly types: readonly (CelType | undefined)[];
  readonly references: readonly (Reference | undefined)[];
  /** Type of the expression. */
  readonly type: CelType;
}

/** Whether an expression has been type checked. */
export function isChecked(expression: ParsedExpression): expression is CheckedExpression {
  return expression.kind === 'checked';
}

/** Result of type checking: types or all issues. */
export type CheckResult =
  | { readonly ok: true; readonly expression: CheckedExpression }
  | { readonly ok: false; readonly issues: readonly Issue[] };
