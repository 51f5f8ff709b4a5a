import type { Attack } from '../attack.ts';
import { ACCESS_REVIEWS, DRY_MAPS, listed, posted } from '../bodies.ts';

const JSON_TYPE = 'application/json';
const MAP = '"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}';

function ofUser(name: string, sends: string, n: number, body: (n: number) => string): Attack {
  return posted('user', ACCESS_REVIEWS, JSON_TYPE, name, sends, n, body);
}

function ofTenant(name: string, sends: string, n: number, body: (n: number) => string): Attack {
  return posted('tenant', DRY_MAPS, JSON_TYPE, name, sends, n, body);
}

/** The largest body has about 3 MB. */
export const attacks: readonly Attack[] = [
  ofUser('repeated keys', 'one key 400,000 times', 100_000, (n) => `{${listed(n, () => '"a":1')}}`),
  ofUser(
    'repeated known keys',
    'a key that counts, 100,000 times',
    25_000,
    (n) => `{${listed(n, () => '"kind":"SelfSubject"')}}`,
  ),
  ofUser('keys', 'as many keys as fit', 80_000, (n) => `{${listed(n, (i) => `"${i.toString(36)}":1`)}}`),
  ofUser(
    'keys that look like indexes',
    'whole numbers as keys',
    80_000,
    (n) => `{${listed(n, (i) => `"${i * 7}":1`)}}`,
  ),
  ofUser('nested arrays', 'brackets without end', 700_000, (n) => '['.repeat(n)),
  ofUser('nested objects', 'objects without end', 140_000, (n) => '{"a":'.repeat(n)),
  ofUser(
    'nested 10,000 deep',
    'a valid object near the limit of depth',
    2_400,
    (n) => `{"spec":{"a":${'['.repeat(n)}${']'.repeat(n)}}}`,
  ),
  ofUser(
    'nested around large texts',
    'hundreds of brackets around each text',
    35,
    (n) => `{"spec":[${listed(n, () => `${'['.repeat(900)}"${'\\"'.repeat(8_300)}",1${']'.repeat(900)}`)}]}`,
  ),
  ofUser(
    'nested around lists',
    'hundreds of brackets around each list of texts',
    8,
    (n) =>
      `{"spec":[${listed(n, () => `${'['.repeat(900)}${listed(6_000, () => '""')}${']'.repeat(900)}`)}]}`,
  ),
  ofUser('empty objects', 'a list of empty objects', 240_000, (n) => `{"spec":[${listed(n, () => '{}')}]}`),
  ofUser('numbers', 'a list of ones', 350_000, (n) => `{"spec":[${listed(n, () => '1')}]}`),
  ofUser('long numbers', 'a number of digits', 700_000, (n) => `{"spec":${'1'.repeat(n)}}`),
  ofUser('fractions', 'a fraction of zeros', 700_000, (n) => `{"spec":0.${'0'.repeat(n)}1}`),
  ofUser('exponents', 'an exponent of digits', 700_000, (n) => `{"spec":1e${'9'.repeat(n)}}`),
  ofUser('escapes', 'a text of escapes', 120_000, (n) => `{"spec":{"user":"${'\\u0041'.repeat(n)}"}}`),
  ofUser(
    'broken escapes',
    'a text of half surrogates',
    120_000,
    (n) => `{"spec":{"user":"${'\\ud800'.repeat(n)}"}}`,
  ),
  ofUser('a text without end', 'a quote and letters', 700_000, (n) => `{"spec":"${'a'.repeat(n)}`),
  ofUser('spaces', 'spaces between two brackets', 700_000, (n) => `{${' '.repeat(n)}}`),
  ofUser('lines', 'a fault behind many lines', 700_000, (n) => `{${'\n'.repeat(n)}x}`),
  ofUser(
    'unknown fields',
    'fields that the kind does not know',
    60_000,
    (n) => `{"spec":{${listed(n, (i) => `"f${i}":1`)}}}`,
  ),
  posted(
    'user',
    `${ACCESS_REVIEWS}?fieldValidation=Strict`,
    JSON_TYPE,
    'strict unknown fields',
    'the same, where each is an error',
    60_000,
    (n) => `{"spec":{${listed(n, (i) => `"f${i}":1`)}}}`,
  ),
  posted(
    'user',
    `${ACCESS_REVIEWS}?fieldValidation=Strict`,
    JSON_TYPE,
    'strict repeated keys',
    'keys twice, where each is an error',
    40_000,
    (n) => `{"spec":{${listed(n, (i) => `"f${i % 1000}":1`)}}}`,
  ),
  ofUser(
    'wrong types',
    'a list where an object should be, often',
    60_000,
    (n) => `{"spec":{"extra":{${listed(n, (i) => `"f${i}":1`)}}}}`,
  ),
  ofUser(
    'groups',
    'a review of a user of many groups',
    100_000,
    (n) => `{"spec":{"groups":[${listed(n, (i) => `"g${i}"`)}],"resourceAttributes":{"verb":"get"}}}`,
  ),
  ofUser('invalid UTF-8', 'bytes that are no text', 400_000, (n) => `{"spec":"${'\xff'.repeat(n)}"}`),
  ofUser(
    'selectors in a review',
    'a review with field requirements',
    8_000,
    (n) =>
      `{"spec":{"resourceAttributes":{"verb":"list","resource":"pods","fieldSelector":{"requirements":[${listed(n, (i) => `{"key":"k${i}","operator":"In","values":["a"]}`)}]}}}}`,
  ),
  ofUser(
    'raw selectors in a review',
    'a review with a raw label selector',
    300_000,
    (n) =>
      `{"spec":{"resourceAttributes":{"verb":"list","resource":"pods","labelSelector":{"rawSelector":"${'a=b,'.repeat(n / 4)}"}}}}`,
  ),
  ofTenant(
    'data',
    'a config map of many keys',
    50_000,
    (n) => `{${MAP},"data":{${listed(n, (i) => `"k${i}":"v"`)}}}`,
  ),
  ofTenant(
    'labels',
    'labels by the thousand',
    40_000,
    (n) => `{"metadata":{"name":"a","labels":{${listed(n, (i) => `"l${i}":"v"`)}}}}`,
  ),
  ofTenant(
    'invalid labels',
    '100,000 labels, none of them valid',
    25_000,
    (n) => `{"metadata":{"name":"a","labels":{${listed(n, (i) => `"-${i}-":"-"`)}}}}`,
  ),
  ofTenant(
    'invalid data keys',
    '100,000 keys, none of them valid',
    25_000,
    (n) => `{"metadata":{"name":"a"},"data":{${listed(n, (i) => `"/${i}":"v"`)}}}`,
  ),
  ofTenant(
    'annotations',
    'annotations by the thousand',
    40_000,
    (n) => `{"metadata":{"name":"a","annotations":{${listed(n, (i) => `"l${i}":"v"`)}}}}`,
  ),
  ofTenant(
    'finalizers',
    'finalizers by the thousand',
    60_000,
    (n) => `{"metadata":{"name":"a","finalizers":[${listed(n, (i) => `"a.b/${i}"`)}]}}`,
  ),
  ofTenant(
    'owners',
    'owner references by the thousand',
    8_000,
    (n) =>
      `{"metadata":{"name":"a","ownerReferences":[${listed(n, (i) => `{"apiVersion":"v1","kind":"A","name":"n${i}","uid":"u${i}"}`)}]}}`,
  ),
  ofTenant(
    'managed fields',
    'managers by the thousand',
    5_000,
    (n) =>
      `{"metadata":{"name":"a","managedFields":[${listed(n, (i) => `{"manager":"m${i}","operation":"Update","apiVersion":"v1","time":"2024-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}`)}]}}`,
  ),
  ofTenant(
    'fields of one manager',
    'one manager of many fields',
    40_000,
    (n) =>
      `{"metadata":{"name":"a","managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","time":"2024-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{${listed(n, (i) => `"f:k${i}":{}`)}}}}]}}`,
  ),
  ofTenant(
    'deep managed fields',
    'a field set nested without end',
    2_000,
    (n) =>
      `{"metadata":{"name":"a","managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":${'{"f:a":'.repeat(n)}{}${'}'.repeat(n)}}]}}`,
  ),
  ofTenant(
    'time',
    'a timestamp of 3 MB',
    700_000,
    (n) => `{"metadata":{"name":"a","creationTimestamp":"2024-01-01T00:00:00.${'0'.repeat(n)}Z"}}`,
  ),
  ofTenant(
    'time of letters',
    'a timestamp of letters',
    700_000,
    (n) => `{"metadata":{"name":"a","deletionTimestamp":"${'a'.repeat(n)}"}}`,
  ),
  ofTenant('name', 'a name of 3 MB', 700_000, (n) => `{"metadata":{"name":"${'a'.repeat(n)}"}}`),
  ofTenant('name of dots', 'a name of a.a.a…', 350_000, (n) => `{"metadata":{"name":"${'a.'.repeat(n)}-"}}`),
  ofTenant('name of dashes', 'a name of dashes', 700_000, (n) => `{"metadata":{"name":"a${'-'.repeat(n)}"}}`),
  ofTenant(
    'generated name',
    'generateName of 3 MB',
    700_000,
    (n) => `{"metadata":{"generateName":"${'a-'.repeat(n / 2)}"}}`,
  ),
  ofTenant(
    'binary data',
    'base64 that ends wrongly',
    700_000,
    (n) => `{"metadata":{"name":"a"},"binaryData":{"a":"${'A'.repeat(n)}="}}`,
  ),
  ofTenant(
    'values of broken base64',
    '30,000 values whose base64 is illegal',
    7_500,
    (n) => `{"metadata":{"name":"a"},"binaryData":{${listed(n, (i) => `"k${i}":"AAEC1"`)}}}`,
  ),
  ofTenant(
    'many values beside a repeated key',
    '30,000 values, and a key twice',
    7_500,
    (n) =>
      `{"kind":"a","kind":"ConfigMap","metadata":{"name":"a"},"binaryData":{${listed(n, (i) => `"k${i}":"AAEC"`)}}}`,
  ),
  ofTenant(
    'base64 lines',
    'base64 of line ends',
    350_000,
    (n) => `{"metadata":{"name":"a"},"binaryData":{"a":"${'\\n'.repeat(n)}A"}}`,
  ),
  ofTenant(
    'one large value',
    'a value of 3 MB',
    700_000,
    (n) => `{"metadata":{"name":"a"},"data":{"a":"${'a'.repeat(n)}"}}`,
  ),
  ofTenant(
    'one escaped value',
    'a value of 500,000 escapes',
    120_000,
    (n) => `{"metadata":{"name":"a"},"data":{"a":"${'\\u0001'.repeat(n)}"}}`,
  ),
  ofTenant(
    'a kind of 3 MB',
    'a kind that nobody has',
    700_000,
    (n) => `{"kind":"${'K'.repeat(n)}","apiVersion":"v1"}`,
  ),
  ofTenant(
    'an API version of slashes',
    'an apiVersion of slashes',
    700_000,
    (n) => `{"kind":"ConfigMap","apiVersion":"${'/'.repeat(n)}"}`,
  ),
];
