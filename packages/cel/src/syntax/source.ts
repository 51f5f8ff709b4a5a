/** A line and a column in an expression, both counted from 1; columns count code points. */
export interface Location {
  readonly line: number;
  readonly column: number;
}

/** An error of an expression, found before it is evaluated. */
export interface Issue {
  /** The message, without the position. */
  readonly message: string;
  /** Position in UTF-16 code units from the start; -1 if the error concerns the entire expression. */
  readonly position: number;
}

/** The location in messages about the entire expression. */
const NOWHERE: Location = { line: -1, column: 0 };

/** Line and column of a position in the text. */
function locationOf(text: string, position: number): Location {
  if (position < 0) return NOWHERE;
  const lineStart = text.lastIndexOf('\n', position - 1) + 1;
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < lineStart; i = text.indexOf('\n', i + 1)) line++;
  return { line, column: [...text.slice(lineStart, position)].length + 1 };
}

/**
 * An issue as shown to users: location, message, the line of the expression and a caret below it. Characters
 * of more than one byte get wide marks.
 * @example issueText('a + ', { message: 'too short', position: 4 }) // "ERROR: <input>:1:5: too short\n | a +
 * \n | ....^"
 */
export function issueText(text: string, issue: Issue): string {
  const { line, column } = locationOf(text, issue.position);
  const head = `ERROR: <input>:${line}:${column}: ${issue.message}`;
  const source = text.split('\n')[line - 1];
  if (source === undefined) return head;
  return `${head}\n | ${source.replaceAll('\t', ' ')}\n | ${caretLine([...source], column - 1)}`;
}

function caretLine(characters: readonly string[], column: number): string {
  const marks = characters.slice(0, column).map((c) => (isAscii(c) ? '.' : '．'));
  const target = characters[column];
  return marks.join('') + (target === undefined || isAscii(target) ? '^' : '＾');
}

const isAscii = (character: string): boolean => character.charCodeAt(0) < 0x80;

/** Maximum number of issues that are printed for one expression. */
const PRINTED_ISSUES = 100;

/** All issues of an expression, sorted by position, one below the other. */
export function issuesText(text: string, issues: readonly Issue[]): string {
  const sorted = [...issues].sort((a, b) => a.position - b.position);
  const lines = sorted.slice(0, PRINTED_ISSUES).map((issue) => issueText(text, issue));
  if (sorted.length > PRINTED_ISSUES)
    lines.push(`${sorted.length - PRINTED_ISSUES} more errors were truncated`);
  return lines.join('\n');
}
