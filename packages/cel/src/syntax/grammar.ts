import { Operator } from './ast.ts';
import type { TokenKind } from './lexer.ts';

/** Reserved words. */
export const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** Comparison operators, all of one precedence. */
export const RELATIONS: Readonly<Partial<Record<TokenKind, string>>> = {
  '<': Operator.less,
  '<=': Operator.lessEquals,
  '>': Operator.greater,
  '>=': Operator.greaterEquals,
  '==': Operator.equals,
  '!=': Operator.notEquals,
  in: Operator.in,
};
/** Operators that bind tighter than comparisons. */
export const SUMS: Readonly<Partial<Record<TokenKind, string>>> = {
  '+': Operator.add,
  '-': Operator.subtract,
};
/** Operators that bind tighter than sums. */
export const PRODUCTS: Readonly<Partial<Record<TokenKind, string>>> = {
  '*': Operator.multiply,
  '/': Operator.divide,
  '%': Operator.modulo,
};

const VALUE_STARTS = "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER";
/** Tokens that may start an expression, as messages list them. */
export const EXPRESSION_STARTS: string = `'[', '{', '(', '.', '-', '!', ${VALUE_STARTS}`;
/** Tokens that may follow the bracket of a list, as messages list them. */
export const ELEMENT_STARTS: string = `'[', ']', '{', '(', '.', ',', '-', '!', '?', ${VALUE_STARTS}`;
/** Tokens that may follow the bracket of an index, as messages list them. */
export const INDEX_STARTS: string = `'[', '{', '(', '.', '-', '!', '?', ${VALUE_STARTS}`;
/** Tokens that may follow the parenthesis of a call, as messages list them. */
export const ARGUMENT_STARTS: string = `'[', '{', '(', ')', '.', '-', '!', ${VALUE_STARTS}`;
/** Tokens that may follow the brace of a map, as messages list them. */
export const ENTRY_STARTS: string = `'[', '{', '}', '(', '.', ',', '-', '!', '?', ${VALUE_STARTS}`;
/** Tokens that may follow the brace of an object, as messages list them. */
export const FIELD_STARTS: string = "'}', ',', '?', IDENTIFIER";
/** Tokens that may start an expression. */
export const STARTING: ReadonlySet<TokenKind> = new Set<TokenKind>([
  '[', '{', '(', '.', '-', '!', 'true', 'false', 'null', 'double', 'int', 'uint', 'string', 'bytes', 'identifier',
]); // biome-ignore format: a table

/** Whether a token stands between two operands. */
export const isInfix = (kind: TokenKind): boolean =>
  kind in RELATIONS || kind in SUMS || kind in PRODUCTS || kind === '&&' || kind === '||' || kind === '?';
