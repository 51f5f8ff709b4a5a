import { fieldErrorText } from '../errors/field-error.ts';
import { ParseError } from '../errors/parse-error.ts';
import { excerpt } from '../text/excerpt.ts';
import { sortedSet } from '../text/go-text.ts';
import {
  keyErrors,
  type LabelOperator,
  type LabelRequirement,
  labelRequirement,
} from './label-requirement.ts';
import {
  MAXIMUM_REQUIREMENTS,
  MAXIMUM_SELECTOR_TERMS,
  tooManyRequirements,
  tooManyTerms,
} from './selector-terms.ts';

type TokenType = 'end' | 'identifier' | 'operator' | '!' | ',' | '(' | ')';

interface Token {
  readonly type: TokenType;
  readonly text: string;
}

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};
const BLANKS = /[ \t\r\n]+/y;
const WORD = /[^\0 \t\r\n=!(),><]+/y;
const SYMBOLS = new Set(['=', '!', '(', ')', ',', '>', '<']);
const END: Token = { type: 'end', text: '' };

/** Parses the requirements of a query form, in order. */
export function readLabelRequirements(text: string): LabelRequirement[] {
  return new RequirementReader(tokensOf(text)).read();
}

/** One by one: a selector that is rejected at its start is not read to its end. */
function* tokensOf(text: string): Generator<Token, undefined, undefined> {
  let at = 0;
  for (;;) {
    at = behind(BLANKS, text, at);
    const character = text[at];
    if (character === undefined || character === '\0') return undefined;
    const literal = SYMBOLS.has(character) ? symbolAt(text, at) : text.slice(at, behind(WORD, text, at));
    yield { type: typeOf(literal), text: literal };
    at += literal.length;
    // A NUL ends the text where a token could begin, and is skipped right after one.
    if (text[at] === '\0') at++;
  }
}

/** The index after the match of a pattern at `start`; `start` if it does not match. */
function behind(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

function symbolAt(text: string, start: number): string {
  const two = text.slice(start, start + 2);
  return two === '==' || two === '!=' ? two : (text[start] as string);
}

function typeOf(literal: string): TokenType {
  if (literal === '!' || literal === ',' || literal === '(' || literal === ')') return literal;
  return Object.hasOwn(OPERATORS, literal) ? 'operator' : 'identifier';
}

/** `in` and `notin` are ordinary words where no operator is expected. */
const isWord = ({ type, text }: Token): boolean =>
  type === 'identifier' || (type === 'operator' && (text === 'in' || text === 'notin'));

class RequirementReader {
  readonly #tokens: Iterator<Token, undefined, undefined>;
  #next: Token | undefined;
  #terms = 0;

  constructor(tokens: Iterator<Token, undefined, undefined>) {
    this.#tokens = tokens;
  }

  read(): LabelRequirement[] {
    const found: LabelRequirement[] = [];
    for (;;) {
      const token = this.#peek();
      if (token.type === 'end') return found;
      if (!isWord(token) && token.type !== '!')
        throw unexpected(token, ", expected: !, identifier, or 'end of string'");
      this.#countTerm();
      if (found.length === MAXIMUM_REQUIREMENTS) throw tooManyRequirements();
      found.push(this.#requirement());
      const separator = this.#take();
      if (separator.type === 'end') return found;
      if (separator.type !== ',') throw unexpected(separator, ", expected: ',' or 'end of string'");
      const next = this.#peek();
      if (!isWord(next) && next.type !== '!') throw unexpected(next, ", expected: identifier after ','");
    }
  }

  #countTerm(): void {
    if (++this.#terms > MAXIMUM_SELECTOR_TERMS) throw tooManyTerms();
  }

  #peek(): Token {
    this.#next ??= this.#tokens.next().value ?? END;
    return this.#next;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next = undefined;
    return token;
  }

  #requirement(): LabelRequirement {
    try {
      return this.#keyAndRest();
    } catch (error) {
      if (error instanceof ParseError) throw new ParseError(`unable to parse requirement: ${error.message}`);
      throw error;
    }
  }

  #keyAndRest(): LabelRequirement {
    const negated = this.#peek().type === '!';
    if (negated) this.#take();
    const token = this.#take();
    if (!isWord(token)) throw unexpected(token, ', expected: identifier');
    const [keyError] = keyErrors('<nil>', token.text);
    if (keyError) throw new ParseError(fieldErrorText(keyError));
    // What follows a negated key belongs to no requirement: the caller expects a comma or the end.
    if (negated) return labelRequirement(token.text, '!', []);
    if (this.#atEnd()) return labelRequirement(token.text, 'exists', []);
    return this.#comparison(token.text);
  }

  #atEnd(): boolean {
    const { type } = this.#peek();
    return type === 'end' || type === ',';
  }

  #comparison(key: string): LabelRequirement {
    const token = this.#take();
    const operator = token.type === 'operator' ? OPERATORS[token.text] : undefined;
    if (!operator) throw unexpected(token, ', expected: in, notin, =, ==, !=, gt, lt');
    const values = operator === 'in' || operator === 'notin' ? this.#set() : [this.#exactValue()];
    return labelRequirement(key, operator, sortedSet(values));
  }

  #exactValue(): string {
    if (this.#atEnd()) return '';
    const token = this.#take();
    if (!isWord(token)) throw unexpected(token, ', expected: identifier');
    return token.text;
  }

  #set(): string[] {
    const open = this.#take();
    if (open.type !== '(') throw unexpected(open, " expected: '('");
    const first = this.#peek();
    if (first.type === ')') {
      this.#take();
      return [''];
    }
    if (!isWord(first) && first.type !== ',') throw unexpected(first, ", expected: ',', ')' or identifier");
    return this.#members();
  }

  /** Members and the commas between them; a comma with nothing on one side stands for the empty value. */
  #members(): string[] {
    const values: string[] = [];
    for (;;) {
      const token = this.#take();
      const next = this.#peek();
      if (isWord(token)) {
        values.push(token.text);
        if (next.type !== ',' && next.type !== ')') throw unexpected(next, ", expected: ',' or ')'");
      } else if (token.type === ',') {
        if (values.length === 0 || next.type === ')' || next.type === ',') values.push('');
      } else throw unexpected(token, ", expected: ',', or identifier");
      if (this.#terms + values.length > MAXIMUM_SELECTOR_TERMS) throw tooManyTerms();
      if (next.type === ')' || (token.type === ',' && next.type === ',')) this.#take();
      if (next.type === ')') {
        this.#terms += values.length;
        return values;
      }
    }
  }
}

const unexpected = ({ text }: Token, expected: string): ParseError =>
  new ParseError(`found '${excerpt(text)}'${expected}`);
