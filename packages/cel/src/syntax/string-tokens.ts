const ESCAPE = /\\(?:[abfnrtv"'\\?`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})/y;

/** Returns the end of the string literal that starts at a quote, or at the letter that makes it raw; undefined if there is none. */
export function stringEnd(text: string, start: number): number | undefined {
  const raw = text[start] === 'r' || text[start] === 'R';
  const open = raw ? start + 1 : start;
  const quote = text[open];
  if (quote !== '"' && quote !== "'") return undefined;
  const triple = quote.repeat(3);
  const long = text.startsWith(triple, open) ? closedBy(text, open + 3, triple, raw) : undefined;
  return long ?? closedBy(text, open + 1, quote, raw);
}

function closedBy(text: string, start: number, close: string, raw: boolean): number | undefined {
  const end = bodyEnd(text, start, close, raw);
  return text.startsWith(close, end) ? end + close.length : undefined;
}

/** Where the string closes, or an invalid character. */
function bodyEnd(text: string, start: number, close: string, raw: boolean): number {
  let position = start;
  while (position < text.length && !text.startsWith(close, position)) {
    const character = text[position] as string;
    const width = character === '\\' && !raw ? escapeWidth(text, position) : 1;
    const endsLine = close.length === 1 && (character === '\n' || character === '\r');
    if (width === 0 || endsLine) break;
    position += width;
  }
  return position;
}

function escapeWidth(text: string, position: number): number {
  ESCAPE.lastIndex = position;
  return ESCAPE.test(text) ? ESCAPE.lastIndex - position : 0;
}

/** Where an unterminated string ends, with the character that shows it, or a bad escape. */
export function unfinishedStringEnd(text: string, start: number): number {
  const end = bodyEnd(text, start + 1, text[start] as string, false);
  return Math.min(text.length, end + (text[end] === '\\' ? 3 : 1));
}
