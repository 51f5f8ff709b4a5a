import type { ParsedExpression } from './ast.ts';
import type { Macro } from './macros.ts';
import type { Issue } from './source.ts';

/** Limits and macros of the parser. */
export interface ParseOptions {
  /** Macros; by default those of the language itself. */
  readonly macros?: readonly Macro[];
  /** Whether `a.?b`, `a[?b]`, `[?a]` and `{?a: b}` are syntax; by default they are. */
  readonly optionalSyntax?: boolean;
  /** Whether a field may be quoted with backquotes; by default it may not. */
  readonly quotedIdentifiers?: boolean;
  /** Maximum code points of an expression, 100,000 by default. */
  readonly sizeLimit?: number;
  /** Maximum nesting, 250 by default. */
  readonly depthLimit?: number;
}

/** Result of parsing: a tree or all issues. */
export type ParseResult =
  | { readonly ok: true; readonly expression: ParsedExpression }
  | { readonly ok: false; readonly issues: readonly Issue[] };
