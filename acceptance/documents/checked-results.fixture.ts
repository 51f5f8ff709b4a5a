/** The used parts of a syntax tree. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

export type ParseProgram = (text: string) => SyntaxNode;

/** Called with each result of a document after its line has run. */
export interface ResultChecks {
  value(line: number, actual: unknown, expected: unknown): void;
  printed(line: number, values: readonly unknown[], expected: string): void;
  /** The expected value is the message of the error. */
  throws(line: number, call: () => Promise<unknown>, expected: string): Promise<void>;
}

const RESULT = /\/\/ (=>|throws) (.+)$/gm;

/**
 * Converts each result of a module to a check. `expression; // => value` and `const name = …; // => value`
 * are compared with the value, `console.log(…); // => text` with the output, `expression; // throws text`
 * with the message of the error. No line moves.
 *
 * @param checks an expression for the `ResultChecks`
 * @throws Error naming the line of a result that belongs to no statement, or is not an expression
 */
export function withCheckedResults(text: string, checks: string, parse: ParseProgram): string {
  const statements = [...statementsOf(parse(text))];
  let checked = '';
  let done = 0;
  for (const { index, 1: sign, 2: expected = '' } of text.matchAll(RESULT)) {
    const line = text.slice(0, index).split('\n').length;
    const statement = statements.find(({ end }) => end <= index && /^[ \t]*$/.test(text.slice(end, index)));
    if (!statement) throw new Error(`line ${line}: the result belongs to no statement that ends on its line`);
    const source = text.slice(statement.start, statement.end);
    checked += text.slice(done, statement.start);
    checked +=
      sign === 'throws'
        ? `await ${checks}.throws(${line}, async () => ${inBrackets(source)}, ${JSON.stringify(expected)});`
        : valueCheck({ source, checks, line, expected }, parse);
    done = statement.end;
  }
  return checked + text.slice(done);
}

interface StatedResult {
  readonly source: string;
  readonly checks: string;
  readonly line: number;
  readonly expected: string;
}

function valueCheck({ source, checks, line, expected }: StatedResult, parse: ParseProgram): string {
  const printed = /^console\.log\(([\s\S]*)\);?$/.exec(source)?.[1];
  if (printed !== undefined) return `${checks}.printed(${line}, [${printed}], ${JSON.stringify(expected)});`;
  try {
    parse(inBrackets(expected));
  } catch {
    throw new Error(`line ${line}: the result ${expected} is no expression`);
  }
  const check = (actual: string): string => `${checks}.value(${line}, ${actual}, ${inBrackets(expected)});`;
  if (!/^(const|let|var) /.test(source)) return check(inBrackets(source));
  const name = /^\w+ ([\w$]+)\b/.exec(source)?.[1];
  if (name === undefined) throw new Error(`line ${line}: a result is stated of one name`);
  return `${source} ${check(name)}`;
}

const inBrackets = (source: string): string => `(${source.replace(/;$/, '')})`;

/** Statements that may have results, inner ones first. */
function* statementsOf(node: object): Generator<SyntaxNode> {
  for (const child of Object.values(node)) if (typeof child === 'object' && child) yield* statementsOf(child);
  const { type } = node as SyntaxNode;
  if (type === 'ExpressionStatement' || type === 'VariableDeclaration') yield node as SyntaxNode;
}
