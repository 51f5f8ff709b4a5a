import type { Value } from '../values/values.ts';
import type { Expression } from './ast.ts';
import {
  bytesLiteral,
  doubleLiteral,
  intLiteral,
  type Literal,
  stringLiteral,
  uintLiteral,
} from './literals.ts';
import type { NodeFactory } from './node-factory.ts';
import type { TokenReader } from './token-reader.ts';

const orError = (value: Value | undefined, error: string): Literal =>
  value === undefined ? { ok: false, error } : { ok: true, value };

/** Parses a literal; undefined if none starts. One that is out of range is reported and parsed as null. */
export function readLiteral(tokens: TokenReader, make: NodeFactory): Expression | undefined {
  const { position } = tokens.current;
  const literal = readNumber(tokens) ?? readOther(tokens);
  if (!literal) return undefined;
  if (!literal.ok) tokens.report(literal.error, position);
  return make.constant(literal.ok ? literal.value : null, position);
}

/** A number that may be negative: the minus before it is part of it. */
function readNumber(tokens: TokenReader): Literal | undefined {
  const negative = tokens.current.kind === '-';
  const number = negative ? tokens.next : tokens.current;
  if (number?.kind !== 'int' && number?.kind !== 'double') return undefined;
  if (negative) tokens.advance();
  tokens.advance();
  return number.kind === 'int'
    ? orError(intLiteral(number.text, negative), 'invalid int literal')
    : orError(doubleLiteral(number.text, negative), 'invalid double literal');
}

function readOther(tokens: TokenReader): Literal | undefined {
  const { kind, text } = tokens.current;
  const literal = literalOf(kind, text);
  if (literal) tokens.advance();
  return literal;
}

function literalOf(kind: string, text: string): Literal | undefined {
  switch (kind) {
    case 'uint':
      return orError(uintLiteral(text), 'invalid uint literal');
    case 'string':
      return stringLiteral(text);
    case 'bytes':
      return bytesLiteral(text);
    case 'true':
    case 'false':
      return { ok: true, value: kind === 'true' };
    case 'null':
      return { ok: true, value: null };
    default:
      return undefined;
  }
}
