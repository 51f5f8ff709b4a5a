/** A URL in its parts, as RFC 3986 divides it; texts are decoded where `RawPath` style forms are not needed. */
export interface UrlParts {
  readonly scheme: string;
  /** Host and port as written, without user information. */
  readonly host: string;
  /** The path in its escaped form. */
  readonly escapedPath: string;
  /** The query as written, without the question mark. */
  readonly query: string;
}

/** What is wrong with a URL. */
class UrlFailure extends Error {}

/** Whether the text is an absolute URL or an absolute path, as requests take it; else what is wrong with it. */
export function requestUrlError(text: string): string | undefined {
  return attempt(text, () => void parse(text, true));
}

/** Reads an absolute URL or path with an optional fragment; what is wrong with it comes back as a text. */
export function parseUrl(text: string): UrlParts | string {
  const refused = requestUrlError(text);
  if (refused !== undefined) return refused;
  const hash = text.indexOf('#');
  let parts: UrlParts | undefined;
  const failed = attempt(text, () => {
    parts = parse(hash < 0 ? text : text.slice(0, hash), false);
  });
  return failed ?? (parts as UrlParts);
}

/** Reads any URL, relative ones and such with a fragment too; what is wrong with it comes back as a text. */
export function parseUrlReference(text: string): UrlParts | string {
  const hash = text.indexOf('#');
  let parts: UrlParts | undefined;
  const failed = attempt(text, () => {
    parts = parse(hash < 0 ? text : text.slice(0, hash), false);
    if (hash >= 0) unescapePart(text.slice(hash + 1), 'path');
  });
  return failed ?? (parts as UrlParts);
}

function attempt(text: string, action: () => void): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof UrlFailure) return `parse ${JSON.stringify(text)}: ${error.message}`;
    throw error;
  }
}

function parse(text: string, asRequest: boolean): UrlParts {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new UrlFailure('net/url: invalid control character in URL');
  if (text === '' && asRequest) throw new UrlFailure('empty url');
  const { scheme, rest: afterScheme } = splitScheme(text);
  const question = afterScheme.indexOf('?');
  const query = question < 0 ? '' : afterScheme.slice(question + 1);
  let rest = question < 0 ? afterScheme : afterScheme.slice(0, question);
  const empty = { scheme, host: '', escapedPath: '', query };
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
  return { ...empty, host, escapedPath: escapedPath(rest) };
}

function splitScheme(text: string): { scheme: string; rest: string } {
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (/[A-Za-z]/.test(character)) continue;
    if (/[0-9+\-.]/.test(character)) {
      if (i === 0) break;
      continue;
    }
    if (character !== ':') break;
    if (i === 0) throw new UrlFailure('missing protocol scheme');
    return { scheme: text.slice(0, i).toLowerCase(), rest: text.slice(i + 1) };
  }
  return { scheme: '', rest: text };
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

/** Characters that a host may hold unescaped. */
const HOST_CHARACTER = /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]$/;

function unescapePart(text: string, where: 'host' | 'user' | 'path' | 'query'): string {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (let i = 0; i < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(i) as number);
    if (character === '%') {
      const code = text.slice(i + 1, i + 3);
      const byte = /^[0-9a-fA-F]{2}$/.test(code) ? Number.parseInt(code, 16) : -1;
      if (byte < 0 || (where === 'host' && byte < 0x80 && code !== '25')) {
        throw new UrlFailure(`invalid URL escape ${JSON.stringify(text.slice(i, i + 3))}`);
      }
      bytes.push(byte);
      i += 3;
      continue;
    }
    if (where === 'host' && character < '\u0080' && !HOST_CHARACTER.test(character)) {
      throw new UrlFailure(`invalid character ${JSON.stringify(character)} in host name`);
    }
    bytes.push(...encoder.encode(where === 'query' && character === '+' ? ' ' : character));
    i += character.length;
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Paths whose characters may all stand as they are. */
const VALID_PATH = /^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]/%]*$/;

/** A path as it was written where that is valid, else escaped anew. */
function escapedPath(path: string): string {
  const decoded = unescapePart(path, 'path');
  if (VALID_PATH.test(path)) return path;
  return [...new TextEncoder().encode(decoded)].map(escapePathByte).join('');
}

const escapePathByte = (byte: number): string => {
  const character = String.fromCharCode(byte);
  return /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(character)
    ? character
    : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
};

/** Host without port and brackets. */
export function hostnameOf(host: string): string {
  if (!host.startsWith('[')) return host.replace(/:\d*$/, '');
  return host.slice(1, host.lastIndexOf(']'));
}

/** Port as digits, empty when there is none. */
export function portOf(host: string): string {
  return /:(\d*)$/.exec(host.startsWith('[') ? host.slice(host.lastIndexOf(']')) : host)?.[1] ?? '';
}

/** The parameters of a query, in order of their first appearance; what cannot be decoded is left out. */
export function queryParameters(query: string): Map<string, string[]> {
  const parameters = new Map<string, string[]>();
  for (const part of query.split('&')) {
    if (part === '' || part.includes(';')) continue;
    const equals = part.indexOf('=');
    try {
      const key = unescapePart(equals < 0 ? part : part.slice(0, equals), 'query');
      const value = equals < 0 ? '' : unescapePart(part.slice(equals + 1), 'query');
      parameters.set(key, [...(parameters.get(key) ?? []), value]);
    } catch (error) {
      if (!(error instanceof UrlFailure)) throw error;
    }
  }
  return parameters;
}
