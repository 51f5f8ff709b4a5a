/** What precedes the body of a response of HTTP/1.1. */
export interface ResponseHead {
  readonly status: number;
  /** By names in lower case; lines of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the body, `chunked`, or `end`: until the connection ends. */
  readonly length: number | 'chunked' | 'end';
  /** Whether the connection can be used again after the body. */
  readonly keepsAlive: boolean;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [^\r\n]*)?$/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Of these the first line counts, as for Node's own client. */
const SINGLE: ReadonlySet<string> = new Set([
  ...['age', 'authorization', 'content-type', 'etag', 'expires', 'from', 'host'],
  ...['if-modified-since', 'if-unmodified-since', 'last-modified', 'location', 'max-forwards'],
  ...['proxy-authorization', 'referer', 'retry-after', 'server', 'user-agent'],
]);

/**
 * Parses the head of a response, without the empty line at its end.
 * @param text each byte is a character
 * @throws Error for a head that is not valid, or whose end of the body is ambiguous
 */
export function parseResponseHead(text: string): ResponseHead {
  const [first = '', ...lines] = text.split('\r\n');
  const [, minor, code] = STATUS_LINE.exec(first) ?? [];
  if (code === undefined) throw invalid('its status line');
  const status = Number(code);
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) addLine(headers, line);
  const length = bodyLength(status, headers);
  const connection = (headers.connection ?? '').toLowerCase();
  const isOpen = minor === '1' ? !/\bclose\b/.test(connection) : /\bkeep-alive\b/.test(connection);
  return { status, headers, length, keepsAlive: isOpen && length !== 'end' };
}

function addLine(headers: Record<string, string>, line: string): void {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon));
  const value = line.slice(colon + 1).trim();
  if (!NAME.test(name) || hasControl(value)) throw invalid('a header');
  const key = name.toLowerCase();
  const before = headers[key];
  if (before === undefined) headers[key] = value;
  else if (key === 'content-length') {
    if (before !== value) throw invalid('its length');
  } else if (!SINGLE.has(key)) headers[key] = `${before}${key === 'cookie' ? ';' : ','} ${value}`;
}

/** Whether a text has characters that end lines or texts for others. */
const hasControl = (value: string): boolean =>
  value.includes('\r') || value.includes('\n') || value.includes('\0');

function bodyLength(status: number, headers: Readonly<Record<string, string>>): ResponseHead['length'] {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (status === 204 || status === 304) return 0;
  if (encoding !== undefined) {
    if (length !== undefined || encoding.toLowerCase() !== 'chunked') throw invalid('its transfer encoding');
    return 'chunked';
  }
  if (length === undefined) return 'end';
  if (!/^\d{1,15}$/.test(length)) throw invalid('its length');
  return Number(length);
}

/** The error of a response that cannot be parsed. @param part such as `a header` */
export const invalid = (part: string): Error => new Error(`malformed HTTP response: ${part} is not valid`);
