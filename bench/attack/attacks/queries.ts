import type { Attack, SizedAttack } from '../attack.ts';
import { listed } from '../bodies.ts';

const MAPS = '/api/v1/namespaces/tenant/configmaps';

function query(name: string, sends: string, n: number, path: (n: number) => string): SizedAttack {
  return { name, sends, caller: 'tenant', n, request: (size) => ({ path: path(size) }) };
}

/** A path or query of an anonymous caller; it costs before authorization. */
function strange(name: string, sends: string, n: number, path: (n: number) => string): SizedAttack {
  return { ...query(name, sends, n, path), caller: 'stranger' };
}

const selector = (terms: string): string => `${MAPS}?labelSelector=${terms}`;
const fields = (terms: string): string => `${MAPS}?fieldSelector=${terms}`;
const watched = (terms: string): string => `${MAPS}?watch=1&timeoutSeconds=1&labelSelector=${terms}`;

export const attacks: readonly Attack[] = [
  query('label terms', 'labelSelector of many terms', 2_500, (n) =>
    selector(listed(n, (i) => `a${i}=b`, '%2C')),
  ),
  query('label terms of one key', 'labelSelector that names one key often', 10_000, (n) =>
    selector(listed(n, () => 'a!=b', '%2C')),
  ),
  query('label values', 'labelSelector: in (many)', 25_000, (n) =>
    selector(`a+in+(${listed(n, (i) => `v${i}`)})`),
  ),
  query('label equal values', 'labelSelector: in (the same often)', 50_000, (n) =>
    selector(`a+in+(${listed(n, () => 'v')})`),
  ),
  query('label spaces', 'labelSelector of spaces', 200_000, (n) =>
    selector(`a${'+'.repeat(n)}in${'+'.repeat(n / 4)}x`),
  ),
  query('label key', 'labelSelector: one long key', 200_000, (n) => selector('a'.repeat(n))),
  query('label key of dots', 'labelSelector: a key of a.a.a…/b', 100_000, (n) =>
    selector(`${'a.'.repeat(n)}a/b`),
  ),
  query('label numbers', 'labelSelector: a > a long number', 200_000, (n) => selector(`a>${'1'.repeat(n)}`)),
  query('label brackets', 'labelSelector: brackets', 200_000, (n) => selector(`a+in+${'('.repeat(n)}`)),
  query('label commas', 'labelSelector: commas', 200_000, (n) => selector(`a${','.repeat(n)}`)),
  query('field terms', 'fieldSelector of many terms', 10_000, (n) =>
    fields(listed(n, () => 'metadata.name!=b', '%2C')),
  ),
  query('field escapes', 'fieldSelector: backslashes', 100_000, (n) =>
    fields(`metadata.name=${'%5C'.repeat(n)}`),
  ),
  query('field escapes in pairs', 'fieldSelector: escaped backslashes', 50_000, (n) =>
    fields(`metadata.name=${'%5C%5C'.repeat(n)}`),
  ),
  query('field equals', 'fieldSelector: equal signs', 200_000, (n) => fields('='.repeat(n))),
  query('field marks', 'fieldSelector: exclamation marks', 200_000, (n) => fields(`${'!'.repeat(n)}=`)),
  query('watch label terms', 'a watch with a selector of many terms', 2_500, (n) =>
    watched(listed(n, (i) => `a${i}!=b`, '%2C')),
  ),
  query(
    'continue forged',
    'a continue token that is no token',
    200_000,
    (n) => `${MAPS}?limit=1&continue=${'A'.repeat(n)}`,
  ),
  query(
    'continue nested',
    'a continue token of nested JSON',
    30_000,
    (n) =>
      `${MAPS}?limit=1&continue=${Buffer.from(`{"v":"meta.k8s.io/v1","rv":1,"start":${'['.repeat(n)}`).toString('base64url')}`,
  ),
  query(
    'continue key',
    'a continue token with a long key',
    30_000,
    (n) =>
      `${MAPS}?limit=1&continue=${Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start: '../'.repeat(n) })).toString('base64url')}`,
  ),
  query('limit', 'a limit of many digits', 200_000, (n) => `${MAPS}?limit=${'9'.repeat(n)}`),
  query('limit zeros', 'a limit of zeros and a letter', 200_000, (n) => `${MAPS}?limit=${'0'.repeat(n)}x`),
  query(
    'resource version',
    'a resourceVersion of many digits',
    200_000,
    (n) => `${MAPS}?resourceVersion=${'9'.repeat(n)}`,
  ),
  query('timeout', 'a timeout of many units', 50_000, (n) => `${MAPS}?timeout=${'1h'.repeat(n)}!`),
  query('timeout zeros', 'a timeout of zeros', 200_000, (n) => `${MAPS}?timeout=${'0'.repeat(n)}!`),
  query('dry run values', 'dryRun often', 20_000, (n) => `${MAPS}?${listed(n, () => 'dryRun=Some', '&')}`),
  query(
    'field manager',
    'a long fieldManager',
    200_000,
    (n) => `${MAPS}?fieldManager=${'%00'.repeat(n / 3)}`,
  ),
  strange('query of 1 MB', 'one long parameter', 225_000, (n) => `${MAPS}?a=${'b'.repeat(n)}`),
  strange('parameters', '100,000 parameters', 25_000, (n) => `${MAPS}?${listed(n, (i) => `p${i}=1`, '&')}`),
  strange(
    'equal parameters',
    'one parameter 100,000 times',
    25_000,
    (n) => `${MAPS}?${listed(n, () => 'limit=1', '&')}`,
  ),
  strange('percent escapes', 'a query of escapes', 75_000, (n) => `${MAPS}?labelSelector=${'%41'.repeat(n)}`),
  strange(
    'broken escapes',
    'a query of escapes that are none',
    75_000,
    (n) => `${MAPS}?labelSelector=${'%4'.repeat(n)}`,
  ),
  strange('ampersands', 'a query of ampersands', 225_000, (n) => `${MAPS}?${'&'.repeat(n)}`),
  strange('deep path', 'a path of many segments', 100_000, (n) => `/${'a/'.repeat(n)}`),
  strange('deep API path', 'the same below /apis', 100_000, (n) => `/apis/${'a/'.repeat(n)}`),
  strange('deep resource path', 'segments behind an object', 100_000, (n) => `${MAPS}/a/${'a/'.repeat(n)}`),
  strange('slashes', 'a path of slashes', 200_000, (n) => '/'.repeat(n)),
  strange('dots', 'a path of parent folders', 70_000, (n) => `/${'../'.repeat(n)}`),
  strange('escaped path', 'a path of escaped slashes', 70_000, (n) => `${MAPS}/${'%2F'.repeat(n)}`),
  strange('long name', 'an object with a long name', 200_000, (n) => `${MAPS}/${'a'.repeat(n)}`),
  strange('absolute target', 'a whole URL as the target', 200_000, (n) => `http://${'a'.repeat(n)}/api`),
  query('name of a tenant', 'an object with a long name', 200_000, (n) => `${MAPS}/${'a.'.repeat(n / 2)}`),
];
