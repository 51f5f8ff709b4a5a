import type { Attack, Target } from '../attack.ts';
import { bodyRequest, listed } from '../bodies.ts';

const MAPS = '/api/v1/namespaces/tenant/configmaps';
const PATH = `${MAPS}/managed`;
const JSON_TYPE = 'application/json';

/** The written object; it exists if an earlier attack created it. */
async function prepare(target: Target): Promise<void> {
  await target.send({
    ...bodyRequest('POST', MAPS, JSON_TYPE, '{"metadata":{"name":"managed"},"data":{"a":"b"}}'),
    headers: [target.credentials('tenant'), `Content-Type: ${JSON_TYPE}`],
  });
}

function written(method: string, path: string, type: string) {
  return (name: string, sends: string, n: number, body: (n: number) => string): Attack => ({
    ...{ name, sends, caller: 'tenant', n, prepare },
    request: (size) => bodyRequest(method, path, type, body(size)),
  });
}

const put = written('PUT', `${PATH}?dryRun=All`, JSON_TYPE);
const post = written('POST', `${MAPS}?dryRun=All`, JSON_TYPE);
const merge = written('PATCH', `${PATH}?dryRun=All`, 'application/merge-patch+json');
const strategic = written('PATCH', `${PATH}?dryRun=All`, 'application/strategic-merge-patch+json');
const apply = written(
  'PATCH',
  `${PATH}?fieldManager=attack&force=true&dryRun=All`,
  'application/apply-patch+yaml',
);

/** An entry of managed fields. */
const entry = (fields: string, manager = 'm', more = ''): string =>
  `{"manager":"${manager}","operation":"Update","apiVersion":"v1","time":"2024-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":${fields}${more}}`;
const fieldsOf = (entries: string, name = 'managed'): string =>
  `{"metadata":{"name":"${name}","managedFields":[${entries}]},"data":{"a":"c"}}`;
const data = (n: number, make: (i: number) => string): string => `{"f:data":{${listed(n, make)}}}`;
const nested = (n: number): string => `${'{"f:a":'.repeat(n)}{}${'}'.repeat(n)}`;
/** Text of a path element, as a key of an object. */
const key = (prefix: string, value: string): string => JSON.stringify(`${prefix}:${value}`);

/** A config map whose keys one manager has applied, in each size. */
async function owned(target: Target, sizes: readonly number[]): Promise<void> {
  for (const size of sizes)
    await target.send({
      ...bodyRequest(
        'PATCH',
        `${ownedPath(size)}?fieldManager=first&force=true`,
        APPLY_TYPE,
        keys(size, 'a'),
      ),
      headers: [target.credentials('tenant'), `Content-Type: ${APPLY_TYPE}`],
    });
}

const APPLY_TYPE = 'application/apply-patch+yaml';
const ownedPath = (size: number): string => `${MAPS}/owned-${size}`;
const keys = (size: number, value: string): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"owned-${size}"},"data":{${listed(size, (i) => `"k${i}":"${value}"`)}}}`;

/** Managed fields as clients send them, instead of the server writing them. The largest body has about 3 MB. */
export const attacks: readonly Attack[] = [
  put('managers', 'managers by the thousand', 3_500, (n) =>
    fieldsOf(listed(n, (i) => entry('{"f:data":{"f:a":{}}}', `m${i}`))),
  ),
  put('one manager', 'entries of one manager', 3_500, (n) =>
    fieldsOf(listed(n, () => entry('{"f:data":{"f:a":{}}}'))),
  ),
  put('managers of a subresource', 'entries of one manager for many subresources', 3_500, (n) =>
    fieldsOf(listed(n, (i) => entry('{"f:data":{"f:a":{}}}', 'm', `,"subresource":"s${i}"`))),
  ),
  put('fields', 'an entry with fields by the thousand', 7_500, (n) =>
    fieldsOf(entry(data(n, (i) => `"f:a${i}":{}`))),
  ),
  put('fields in another order', 'the same, from the last to the first', 7_500, (n) =>
    fieldsOf(entry(data(n, (i) => `"f:a${1e6 - i}":{}`))),
  ),
  put('fields of all', 'managers that each own the same fields', 100, (n) =>
    fieldsOf(
      listed(n, (i) =>
        entry(
          data(200, (j) => `"f:a${j}":{}`),
          `m${i}`,
        ),
      ),
    ),
  ),
  put('nested fields', 'an entry nested as deep as may be', 240, (n) => fieldsOf(entry(nested(n)))),
  put('nested too deep', 'an entry nested deeper', 100_000, (n) => fieldsOf(entry(nested(n)))),
  put('keys of items', 'items by keys', 7_500, (n) =>
    fieldsOf(entry(`{"f:data":{${listed(n, (i) => `${key('k', `{"a":"${i}"}`)}:{}`)}}}`)),
  ),
  put('one key of many members', 'an item by a key of very many members', 50_000, (n) =>
    fieldsOf(entry(`{"f:data":{${key('k', `{${listed(n, (i) => `"k${1e6 - i}":1`)}}`)}:{}}}`)),
  ),
  put('a nested key', 'an item by a key of brackets', 500_000, (n) =>
    fieldsOf(entry(`{"f:data":{${key('k', `{"a":${'['.repeat(n / 2)}${']'.repeat(n / 2)}}`)}:{}}}`)),
  ),
  put('values of items', 'items of a set', 7_500, (n) =>
    fieldsOf(entry(`{"f:data":{${listed(n, (i) => `${key('v', `"v${i}"`)}:{}`)}}}`)),
  ),
  put('large values of items', 'items of a set that are lists', 50, (n) =>
    fieldsOf(
      entry(`{"f:data":{${listed(n, (i) => `${key('v', `[${listed(3_000, (j) => String(i * j))}]`)}:{}`)}}}`),
    ),
  ),
  put('a nested value', 'an item that is a value of brackets', 500_000, (n) =>
    fieldsOf(entry(`{"f:data":{${key('v', `${'['.repeat(n / 2)}${']'.repeat(n / 2)}`)}:{}}}`)),
  ),
  put('numbers of items', 'items of a set that are long numbers', 1_000, (n) =>
    fieldsOf(entry(`{"f:data":{${listed(n, (i) => `${key('v', `${i}${'1'.repeat(500)}`)}:{}`)}}}`)),
  ),
  put('indexes of items', 'items by index, each a long one', 1_000, (n) =>
    fieldsOf(entry(`{"f:data":{${listed(n, (i) => `${key('i', `${i}${'1'.repeat(500)}`)}:{}`)}}}`)),
  ),
  put('elements of no kind', 'path elements that nobody knows', 7_500, (n) =>
    fieldsOf(entry(`{"f:data":{${listed(n, (i) => `${key('x', `v${i}`)}:{}`)}}}`)),
  ),
  put('a long field', 'a field with a name of megabytes', 700_000, (n) =>
    fieldsOf(entry(`{${key('f', 'a'.repeat(n))}:{}}`)),
  ),
  put('a long manager', 'a manager with a name of megabytes', 700_000, (n) =>
    fieldsOf(entry('{"f:data":{}}', 'm'.repeat(n))),
  ),
  put('a long time', 'a time of megabytes', 700_000, (n) =>
    fieldsOf(
      `{"manager":"m","operation":"Update","apiVersion":"v1","time":"${'2'.repeat(n)}","fieldsType":"FieldsV1","fieldsV1":{}}`,
    ),
  ),
  put('versions', 'managers that each wrote in another version', 3_500, (n) =>
    fieldsOf(
      listed(n, (i) =>
        entry('{"f:data":{"f:a":{}}}', `m${i}`).replace('"apiVersion":"v1"', `"apiVersion":"a${i}/v1"`),
      ),
    ),
  ),
  put('managers that apply', 'managers by the thousand that apply', 3_500, (n) =>
    fieldsOf(
      listed(n, (i) => entry(`{"f:data":{"f:a":{},"f:b${i}":{}}}`, `m${i}`).replace('Update', 'Apply')),
    ),
  ),
  post('a new object with managers', 'a new object with managers by the thousand', 3_500, (n) =>
    fieldsOf(
      listed(n, (i) => entry('{"f:data":{"f:a":{}}}', `m${i}`)),
      'new',
    ),
  ),
  post('a new object with fields', 'a new object with an entry of many fields', 7_500, (n) =>
    fieldsOf(entry(data(n, (i) => `"f:a${i}":{}`)), 'new'),
  ),
  merge('a merge of managers', 'managers by the thousand in a merge', 3_500, (n) =>
    fieldsOf(listed(n, (i) => entry('{"f:data":{"f:a":{}}}', `m${i}`))),
  ),
  strategic('a strategic merge of managers', 'managers by the thousand, merged', 3_500, (n) =>
    fieldsOf(listed(n, (i) => entry('{"f:data":{"f:a":{}}}', `m${i}`))),
  ),
  apply('an apply of managers', 'managers by the thousand in what is applied', 3_500, (n) =>
    fieldsOf(listed(n, (i) => entry('{"f:data":{"f:a":{}}}', `m${i}`))).replace(
      '{',
      '{"apiVersion":"v1","kind":"ConfigMap",',
    ),
  ),
  {
    name: 'conflicts of an apply',
    sends: 'other values of keys that another manager has applied, without force',
    caller: 'tenant',
    n: 7_500,
    prepare: (target) => owned(target, [7_500, 15_000, 30_000]),
    request: (n) => bodyRequest('PATCH', `${ownedPath(n)}?fieldManager=second`, APPLY_TYPE, keys(n, 'b')),
    statuses: [409],
  },
  put('a last applied configuration', 'an annotation of what was applied last', 50_000, (n) => {
    const last = `{"apiVersion":"v1","kind":"ConfigMap","data":{${listed(n / 10, (i) => `"a${i}":"b"`)}}}`;
    return `{"metadata":{"name":"managed","annotations":{"kubectl.kubernetes.io/last-applied-configuration":${JSON.stringify(last)}}},"data":{"a":"c"}}`;
  }),
];
