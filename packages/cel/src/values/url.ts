import { CodedError, goQuote } from '@ashlar/core';
import { work } from '../cost/work.ts';

/** A URL in its parts (RFC 3986); texts are decoded unless the `RawPath` form is needed. */
export interface UrlParts {
  readonly scheme: string;
  /** Host and port as written, without user information. */
  readonly host: string;
  /** The path in its escaped form. */
  readonly escapedPath: string;
  /** The query as written, without the question mark. */
  readonly query: string;
}

/** An error of a URL. */
class UrlFailure extends CodedError {
  protected static override readonly isTraced: boolean = false;

  constructor(message: string) {
    super(message);
    work(STEPS_PER_FAILURE);
  }
}

/** Steps to throw and catch an error, which a query may take for each of its parameters. */
const STEPS_PER_FAILURE = 5000;

/** Returns the error of a text that is neither an absolute URL nor an absolute path, as request targets are. */
export function requestUrlError(text: string): string | undefined {
  return attempt(text, () => void parse(text, true));
}

/** Returns the error of a text that is no URL, absolute or relative, without its parts. */
export function urlReferenceError(text: string): string | undefined {
  const hash = text.indexOf('#');
  return attempt(text, () => {
    parse(hash < 0 ? text : text.slice(0, hash), false);
    if (hash >= 0) checkEscapes(text.slice(hash + 1));
  });
}

/** Parses an absolute URL or path with an optional fragment; returns an error message if it is invalid. */
export function parseUrl(text: string): UrlParts | string {
  const refused = requestUrlError(text);
  if (refused !== undefined) return refused;
  const hash = text.indexOf('#');
  let parts: UrlParts | undefined;
  const failed = attempt(text, () => {
    parts = partsOf(parse(hash < 0 ? text : text.slice(0, hash), false));
  });
  return failed ?? (parts as UrlParts);
}

/**
 * Parses any URL, including relative ones and those with a fragment; returns an error message if it is
 * invalid.
 */
export function parseUrlReference(text: string): UrlParts | string {
  const hash = text.indexOf('#');
  let parts: UrlParts | undefined;
  const failed = attempt(text, () => {
    parts = partsOf(parse(hash < 0 ? text : text.slice(0, hash), false));
    if (hash >= 0) checkEscapes(text.slice(hash + 1));
  });
  return failed ?? (parts as UrlParts);
}

function attempt(text: string, action: () => void): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof UrlFailure) return `parse ${goQuote(text)}: ${error.message}`;
    throw error;
  }
}

/** Steps per character of a URL. */
const STEPS_PER_CHARACTER = 4;
/** Steps of parsing one of usual length. */
const STEPS_OF_PARSING = 300;

/** A URL whose path is known to be valid, as it is written. */
interface WrittenUrl extends Omit<UrlParts, 'escapedPath'> {
  readonly path: string;
}

const partsOf = ({ path, ...parts }: WrittenUrl): UrlParts => ({ ...parts, escapedPath: escapedPath(path) });

function parse(text: string, asRequest: boolean): WrittenUrl {
  work(STEPS_OF_PARSING + text.length * STEPS_PER_CHARACTER);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is rejected
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new UrlFailure('net/url: invalid control character in URL');
  if (text === '' && asRequest) throw new UrlFailure('empty url');
  const { scheme, rest: afterScheme } = splitScheme(text);
  const question = afterScheme.indexOf('?');
  const query = question < 0 ? '' : afterScheme.slice(question + 1);
  let rest = question < 0 ? afterScheme : afterScheme.slice(0, question);
  const empty = { scheme, host: '', path: '', query };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return empty;
    if (asRequest) throw new UrlFailure('invalid URI for request');
    if (/^[^/]*:/.test(rest)) throw new UrlFailure('first path segment in URL cannot contain colon');
  }
  let host = '';
  if ((scheme !== '' || (!asRequest && !rest.startsWith('///'))) && rest.startsWith('//')) {
    const end = rest.indexOf('/', 2);
    host = parseAuthority(end < 0 ? rest.slice(2) : rest.slice(2, end));
    rest = end < 0 ? '' : rest.slice(end);
  }
  checkEscapes(rest);
  return { ...empty, host, path: rest };
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+\-.]*/;

function splitScheme(text: string): { scheme: string; rest: string } {
  if (text.startsWith(':')) throw new UrlFailure('missing protocol scheme');
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined || text[scheme.length] !== ':') return { scheme: '', rest: text };
  return { scheme: scheme.toLowerCase(), rest: text.slice(scheme.length + 1) };
}

function parseAuthority(authority: string): string {
  const at = authority.lastIndexOf('@');
  const host = parseHost(authority.slice(at + 1));
  if (at >= 0) {
    const user = authority.slice(0, at);
    if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw new UrlFailure('net/url: invalid userinfo');
    unescapePart(user, 'user');
  }
  return host;
}

function parseHost(host: string): string {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end < 0) throw new UrlFailure("missing ']' in host");
    checkPort(host.slice(end + 1));
  } else {
    const colon = host.lastIndexOf(':');
    if (colon >= 0) checkPort(host.slice(colon));
  }
  return unescapePart(host, 'host');
}

function checkPort(port: string): void {
  if (port !== '' && !/^:\d*$/.test(port))
    throw new UrlFailure(`invalid port ${JSON.stringify(port)} after host`);
}

/** Characters that a host may not contain unescaped. */
const NO_HOST_CHARACTER = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/;

type UrlPart = 'host' | 'user' | 'path' | 'query';

function unescapePart(text: string, where: UrlPart): string {
  const refused = where === 'host' ? text.search(NO_HOST_CHARACTER) : -1;
  // The text before it may be an escape that is rejected first, and it may be part of one.
  const percent = refused < 0 ? -1 : text.lastIndexOf('%', refused);
  const end = percent >= 0 && percent >= refused - 2 ? percent + 3 : refused;
  const checked = refused < 0 ? text : text.slice(0, end);
  const decoded = checked.includes('%') ? unescaped(checked, where) : checked;
  if (refused >= 0) throw new UrlFailure(`invalid character ${JSON.stringify(text[refused])} in host name`);
  return where === 'query' && !checked.includes('%') ? decoded.replaceAll('+', ' ') : decoded;
}

const STEPS_PER_ESCAPE = 100;

/** Text between escapes is unchanged, the bytes of consecutive escapes are decoded together. */
function unescaped(text: string, where: UrlPart): string {
  const [start, ...parts] = text.split('%') as [string, ...string[]];
  const plain = (part: string): string => (where === 'query' ? part.replaceAll('+', ' ') : part);
  work(parts.length * STEPS_PER_ESCAPE);
  let decoded = plain(start);
  let bytes: number[] = [];
  for (const part of parts) {
    bytes.push(escapedByte(part, where));
    if (part.length === 2) continue;
    decoded += DECODER.decode(Uint8Array.from(bytes)) + plain(part.slice(2));
    bytes = [];
  }
  return bytes.length > 0 ? decoded + DECODER.decode(Uint8Array.from(bytes)) : decoded;
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

function escapedByte(part: string, where: UrlPart): number {
  const code = part.slice(0, 2);
  const byte = /^[0-9a-fA-F]{2}$/.test(code) ? Number.parseInt(code, 16) : -1;
  if (byte < 0 || (where === 'host' && byte < 0x80 && code !== '25')) throw invalidEscape(`%${code}`);
  return byte;
}

const invalidEscape = (sequence: string): UrlFailure =>
  new UrlFailure(`invalid URL escape ${JSON.stringify(sequence)}`);

/** A percent sign that is no escape. */
const NO_ESCAPE = /%(?![0-9a-fA-F]{2})[^%]{0,2}/;

/** @throws UrlFailure for the first escape that is none */
function checkEscapes(text: string): void {
  work(text.length);
  const found = NO_ESCAPE.exec(text)?.[0];
  if (found !== undefined) throw invalidEscape(found);
}

/** Paths without characters that need escapes. */
const VALID_PATH = /^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]/%]*$/;
/** Bytes that are escaped when a path is escaped again. */
const ESCAPED_IN_PATH = /[^A-Za-z0-9\-_.~$&+,/:;=@]/;

/** The original path if it is valid, else escaped again. */
function escapedPath(path: string): string {
  if (VALID_PATH.test(path)) return path;
  const decoded = unescapePart(path, 'path');
  const bytes = new TextEncoder().encode(decoded);
  work(bytes.length * STEPS_PER_CHARACTER);
  let escaped = '';
  for (const byte of bytes) escaped += ESCAPED_BYTES[byte] as string;
  return escaped;
}

const ESCAPED_BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (!ESCAPED_IN_PATH.test(character)) return character;
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
});

/** Host without port and brackets. */
export function hostnameOf(host: string): string {
  if (!host.startsWith('[')) return host.replace(/:\d*$/, '');
  return host.slice(1, host.lastIndexOf(']'));
}

/** Port as digits, empty if there is none. */
export function portOf(host: string): string {
  return /:(\d*)$/.exec(host.startsWith('[') ? host.slice(host.lastIndexOf(']')) : host)?.[1] ?? '';
}

/** Steps per character of a query, of which few may form a parameter. */
const STEPS_PER_PARAMETER_CHARACTER = 50;

/** The parameters of a query, in order of first appearance; undecodable ones are omitted. */
export function queryParameters(query: string): Map<string, string[]> {
  work(query.length * STEPS_PER_PARAMETER_CHARACTER);
  const parameters = new Map<string, string[]>();
  for (const part of query.split('&')) {
    if (part === '' || part.includes(';')) continue;
    const equals = part.indexOf('=');
    try {
      const key = unescapePart(equals < 0 ? part : part.slice(0, equals), 'query');
      const value = equals < 0 ? '' : unescapePart(part.slice(equals + 1), 'query');
      const values = parameters.get(key);
      if (values) values.push(value);
      else parameters.set(key, [value]);
    } catch (error) {
      if (!(error instanceof UrlFailure)) throw error;
    }
  }
  return parameters;
}
