import type { Attack, SizedAttack } from '../attack.ts';

const PATH = '/api/v1/namespaces/default/configmaps';

/** A header line of an anonymous get. */
function header(name: string, sends: string, n: number, line: (n: number) => string): SizedAttack {
  return { name, sends, n, request: (size) => ({ path: PATH, headers: [line(size)] }) };
}

export const attacks: readonly Attack[] = [
  header(
    'bearer spaces',
    'Authorization: Bearer, spaces, x',
    20_000,
    (n) => `Authorization: Bearer${' '.repeat(n)}x`,
  ),
  header(
    'bearer of 900 kB',
    'the same near the limit of headers',
    225_000,
    (n) => `Authorization: Bearer${' '.repeat(n)}x`,
  ),
  header(
    'bearer words',
    'Authorization: Bearer a a a …',
    100_000,
    (n) => `Authorization: Bearer ${'a '.repeat(n)}`,
  ),
  header(
    'bearer tabs',
    'tabs and spaces around a token',
    50_000,
    (n) => `Authorization: ${' \t'.repeat(n)}Bearer ${'\t '.repeat(n)}x${' \t'.repeat(n)}y`,
  ),
  {
    ...header(
      'refused',
      'a head above the limit, over and over',
      225_000,
      (n) => `X: ${'a'.repeat(n + 300_000)}`,
    ),
    statuses: [431, 0],
  },
  header('bearer dots', 'a token that is all dots', 200_000, (n) => `Authorization: Bearer ${'.'.repeat(n)}`),
  header(
    'bearer as JWT',
    'a token of three huge parts',
    60_000,
    (n) => `Authorization: Bearer ${'e30'.repeat(n)}.${'e30'.repeat(n)}.${'e30'.repeat(n)}`,
  ),
  header(
    'accept spaces',
    'Accept: a media type with inner spaces',
    20_000,
    (n) => `Accept: application${' '.repeat(n)}/json`,
  ),
  header(
    'accept inner spaces',
    'Accept: spaces before a word',
    20_000,
    (n) => `Accept: application/json${' '.repeat(n)}x`,
  ),
  header('accept many', 'Accept: clauses without end', 50_000, (n) => `Accept: ${'a/b,'.repeat(n)}`),
  header(
    'accept many served',
    'Accept: served types with parameters without end',
    6_000,
    (n) => `Accept: ${'application/json;as=Nothing;v=v1;g=g,'.repeat(n)}`,
  ),
  header(
    'accept parameter names',
    'Accept: a parameter name of letters',
    50_000,
    (n) => `Accept: application/json;${'a'.repeat(n)}`,
  ),
  header(
    'accept parameter spaces',
    'Accept: a parameter with spaces around',
    20_000,
    (n) => `Accept: application/json;${' '.repeat(n)}a${' '.repeat(n)}b`,
  ),
  header(
    'accept parameters',
    'Accept: parameters without end',
    50_000,
    (n) => `Accept: application/json${';a=1'.repeat(n)}`,
  ),
  header(
    'accept equal parameters',
    'Accept: quoted parameters without ends',
    50_000,
    (n) => `Accept: application/json;a="${'\\"'.repeat(n)}`,
  ),
  header('accept quality', 'Accept: q=000…', 50_000, (n) => `Accept: application/json;q=0.${'0'.repeat(n)}x`),
  header(
    'accept quality zeros',
    'Accept: q=00000',
    50_000,
    (n) => `Accept: application/json;q=${'0'.repeat(n)}`,
  ),
  header(
    'accept encoding',
    'Accept-Encoding: spaces and codings',
    50_000,
    (n) => `Accept-Encoding: gzip${' '.repeat(n)};q=${'0'.repeat(n)}x,${'a,'.repeat(n)}`,
  ),
  header(
    'if-none-match',
    'If-None-Match: tags without end',
    50_000,
    (n) => `If-None-Match: ${'"a", '.repeat(n)}`,
  ),
  header('audit id', 'Audit-Id without end', 200_000, (n) => `Audit-Id: ${'a'.repeat(n)}`),
  header('user agent', 'User-Agent without end', 200_000, (n) => `User-Agent: ${'a/b '.repeat(n)}`),
  header(
    'web socket tokens',
    'subprotocols that look like tokens',
    8_000,
    (n) =>
      `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ${'base64url.bearer.authorization.k8s.io.YQ,'.repeat(n / 2)}x`,
  ),
  header(
    'web socket spaces',
    'subprotocols with spaces',
    50_000,
    (n) =>
      `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: a${' '.repeat(n)}b${','.repeat(n)}`,
  ),
  {
    name: 'content type parameters',
    sends: 'POST with Content-Type parameters and spaces',
    n: 20_000,
    caller: 'user',
    request: (n) => ({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      headers: [
        `Content-Type: application/json${' '.repeat(n)}x;${'a'.repeat(n)}${' '.repeat(n)};${'b=1;'.repeat(n)}`,
      ],
      body: '{}',
    }),
  },
  {
    name: 'impersonation values',
    sends: 'Impersonate-Extra names of percent escapes, and many groups',
    n: 200,
    caller: 'operator',
    request: (n) => ({
      path: PATH,
      headers: [
        'Impersonate-User: user',
        ...Array.from(
          { length: n },
          (_, i) => `Impersonate-Extra-${'%41'.repeat(100)}${i}: ${'a'.repeat(100)}`,
        ),
      ],
    }),
  },
  {
    name: 'impersonation groups',
    sends: 'Impersonate-Group 900 times, each of which must be allowed',
    n: 200,
    caller: 'operator',
    request: (n) => ({
      path: PATH,
      headers: ['Impersonate-User: user', ...Array.from({ length: n }, (_, i) => `Impersonate-Group: g${i}`)],
    }),
  },
];
