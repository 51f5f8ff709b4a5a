import { constantText } from '../values/constant-text.ts';
import {
  type CallNode,
  type Expression,
  type MapNode,
  type MessageNode,
  Operator,
  type ParsedExpression,
} from './ast.ts';

/** Precedence of operators, from `?:` to `a.b`. */
const Level = {
  conditional: 1,
  or: 2,
  and: 3,
  relation: 4,
  sum: 5,
  product: 6,
  unary: 7,
  member: 8,
} as const;
type Level = (typeof Level)[keyof typeof Level];

interface Infix {
  readonly sign: string;
  readonly level: Level;
}

const INFIX: ReadonlyMap<string, Infix> = new Map<string, Infix>([
  [Operator.or, { sign: '||', level: Level.or }],
  [Operator.and, { sign: '&&', level: Level.and }],
  [Operator.equals, { sign: '==', level: Level.relation }],
  [Operator.notEquals, { sign: '!=', level: Level.relation }],
  [Operator.less, { sign: '<', level: Level.relation }],
  [Operator.lessEquals, { sign: '<=', level: Level.relation }],
  [Operator.greater, { sign: '>', level: Level.relation }],
  [Operator.greaterEquals, { sign: '>=', level: Level.relation }],
  [Operator.in, { sign: 'in', level: Level.relation }],
  [Operator.add, { sign: '+', level: Level.sum }],
  [Operator.subtract, { sign: '-', level: Level.sum }],
  [Operator.multiply, { sign: '*', level: Level.product }],
  [Operator.divide, { sign: '/', level: Level.product }],
  [Operator.modulo, { sign: '%', level: Level.product }],
]);
const PREFIX: ReadonlyMap<string, string> = new Map([
  [Operator.not, '!'],
  [Operator.negate, '-'],
]);

/**
 * Prints an expression, with macros as written, spaces around operators and no needless parentheses. Parsing
 * the text returns the expression again; chains of one logic operator may be grouped differently.
 * @throws TypeError for a loop without a macro, which has no syntax.
 * @example
 * const parsed = parse('a.all( x,(x > 1) )');
 * if (parsed.ok) unparse(parsed.expression); // 'a.all(x, x > 1)'
 */
export function unparse(expression: ParsedExpression | Expression): string {
  return textOf(isParsedExpression(expression) ? expression.root : expression);
}

function isParsedExpression(expression: ParsedExpression | Expression): expression is ParsedExpression {
  return expression.kind === 'parsed' || expression.kind === 'checked';
}

/** Prints a node, in parentheses if its precedence is too low. */
function within(node: Expression, level: Level): string {
  const text = textOf(node);
  return levelOf(node) < level ? `(${text})` : text;
}

function levelOf(node: Expression): Level {
  if (node.kind !== 'call' || node.macro) return Level.member;
  if (node.function === Operator.conditional) return Level.conditional;
  return INFIX.get(node.function)?.level ?? (PREFIX.has(node.function) ? Level.unary : Level.member);
}

function textOf(node: Expression): string {
  if (node.macro) return callText(node.macro);
  switch (node.kind) {
    case 'constant':
      return constantText(node.value);
    case 'identifier':
      return node.name;
    case 'select':
      return selectText(node.operand, node.field, node.testOnly);
    case 'call':
      return operatorText(node) ?? callText(node);
    case 'list':
      return listText(node.elements.map((element, i) => optional(node.optionals.has(i)) + textOf(element)));
    case 'map':
      return mapText(node);
    case 'message':
      return messageText(node);
    case 'comprehension':
      throw new TypeError('a loop that no macro made cannot be written');
  }
}

const optional = (is: boolean): string => (is ? '?' : '');
const listText = (items: readonly string[]): string => `[${items.join(', ')}]`;

const NAME = /^[A-Za-z_]\w*$/;
/** Words of the grammar, which are not names of fields. */
const WORDS: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

const fieldText = (name: string): string => (NAME.test(name) && !WORDS.has(name) ? name : `\`${name}\``);

function selectText(operand: Expression, field: string, testOnly: boolean): string {
  const text = `${within(operand, Level.member)}.${fieldText(field)}`;
  return testOnly ? `has(${text})` : text;
}

function mapText({ entries }: MapNode): string {
  const texts = entries.map(
    (entry) => `${optional(entry.optional)}${textOf(entry.key)}: ${textOf(entry.value)}`,
  );
  return `{${texts.join(', ')}}`;
}

function messageText({ typeName, fields }: MessageNode): string {
  const texts = fields.map(
    (field) => `${optional(field.optional)}${fieldText(field.name)}: ${textOf(field.value)}`,
  );
  return `${typeName}{${texts.join(', ')}}`;
}

function callText(call: Pick<CallNode, 'function' | 'target' | 'arguments'>): string {
  const target = call.target ? `${within(call.target, Level.member)}.` : '';
  return `${target}${call.function}(${call.arguments.map((argument) => textOf(argument)).join(', ')})`;
}

function operatorText(node: CallNode): string | undefined {
  const [first, second, third] = node.arguments as [Expression, Expression, Expression];
  const prefix = PREFIX.get(node.function);
  if (prefix !== undefined) return prefix + prefixOperand(first);
  const infix = INFIX.get(node.function);
  if (infix) return infixText(infix, first, second);
  switch (node.function) {
    case Operator.conditional:
      return `${within(first, Level.or)} ? ${within(second, Level.or)} : ${textOf(third)}`;
    case Operator.index:
      return `${within(first, Level.member)}[${textOf(second)}]`;
    case Operator.optionalIndex:
      return `${within(first, Level.member)}[?${textOf(second)}]`;
    case Operator.optionalSelect:
      return `${within(first, Level.member)}.?${fieldText(String(second.kind === 'constant' && second.value))}`;
    default:
      return undefined;
  }
}

/** Signs in a row would cancel each other, and a minus before a digit would become part of the number. */
function prefixOperand(operand: Expression): string {
  const text = textOf(operand);
  const ambiguous = levelOf(operand) <= Level.unary || operand.kind === 'constant' || /^\d/.test(text);
  return ambiguous ? `(${text})` : text;
}

function infixText({ sign, level }: Infix, left: Expression, right: Expression): string {
  // Logic operators are one flat chain; all others group to the left.
  const isLogic = level === Level.or || level === Level.and;
  return `${within(left, level)} ${sign} ${within(right, isLogic ? level : ((level + 1) as Level))}`;
}
