import type { Attack, Target } from '../attack.ts';
import { bodyRequest, listed } from '../bodies.ts';

const PATH = '/api/v1/namespaces/tenant/configmaps/patched';
const DRY = `${PATH}?dryRun=All`;
const FORCED = `${PATH}?fieldManager=attack&force=true&dryRun=All`;

/** The patched object; it exists if an earlier attack created it. */
async function prepare(target: Target): Promise<void> {
  const data = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 'v']));
  const object = { metadata: { name: 'patched', annotations: { a: 'b' } }, data };
  await target.send({
    method: 'POST',
    path: '/api/v1/namespaces/tenant/configmaps',
    headers: [target.credentials('tenant'), 'Content-Type: application/json'],
    body: JSON.stringify(object),
  });
}

function patch(type: string, path: string) {
  return (name: string, sends: string, n: number, body: (n: number) => string): Attack => ({
    name,
    sends,
    caller: 'tenant',
    n,
    prepare,
    request: (size) => bodyRequest('PATCH', path, type, body(size)),
  });
}

const json = patch('application/json-patch+json', DRY);
const merge = patch('application/merge-patch+json', DRY);
const strategic = patch('application/strategic-merge-patch+json', DRY);
const apply = patch('application/apply-patch+yaml', FORCED);

/** Labels that are added to a map of as many others. */
function labelled(name: string, sends: string, smallest: number): Attack {
  const labels = (n: number, prefix: string): string =>
    `"labels":{${listed(n, (i) => `"${prefix}${i}":"v"`)}}`;
  const nameOf = (n: number): string => `labelled-${n}`;
  return {
    ...{ name, sends, caller: 'tenant', n: smallest },
    async prepare(target) {
      for (const n of [1, 2, 4].map((times) => times * smallest))
        await target.send({
          method: 'POST',
          path: PATH.replace('/patched', ''),
          headers: [target.credentials('tenant'), 'Content-Type: application/json'],
          body: `{"metadata":{"name":"${nameOf(n)}",${labels(n, 'a')}}}`,
        });
    },
    request(n) {
      const type = 'application/strategic-merge-patch+json';
      return bodyRequest(
        'PATCH',
        DRY.replace('patched', nameOf(n)),
        type,
        `{"metadata":{${labels(n, 'b')}}}`,
      );
    },
  };
}

const list = (n: number): string => `{"op":"add","path":"/data/list","value":[${listed(n, () => '1')}]}`;

export const attacks: readonly Attack[] = [
  json(
    'JSON inserts',
    'inserts at the front of a large array',
    2_500,
    (n) => `[${list(100_000)},${listed(n, () => '{"op":"add","path":"/data/list/0","value":1}')}]`,
  ),
  json(
    'JSON moves',
    'moves within a large array',
    2_500,
    (n) =>
      `[${list(100_000)},${listed(n, () => '{"op":"move","from":"/data/list/0","path":"/data/list/9"}')}]`,
  ),
  json(
    'JSON removes',
    'removals at the front of a large array',
    2_500,
    (n) => `[${list(100_000)},${listed(n, () => '{"op":"remove","path":"/data/list/0"}')}]`,
  ),
  json(
    'JSON copies',
    'copies of copies',
    4,
    (n) =>
      `[{"op":"add","path":"/data/c0","value":"${'x'.repeat(1000)}"},${listed(n * 5, (i) => `{"op":"copy","from":"/data","path":"/data/c${i + 1}"}`)}]`,
  ),
  json(
    'JSON copies of a list',
    'copies of a large list',
    100,
    (n) => `[${list(20_000)},${listed(n, (i) => `{"op":"copy","from":"/data/list","path":"/data/c${i}"}`)}]`,
  ),
  json(
    'JSON operations',
    'as many operations as are taken',
    2_500,
    (n) => `[${listed(n, (i) => `{"op":"add","path":"/data/a${i}","value":"1"}`)}]`,
  ),
  json(
    'JSON too many operations',
    'more operations than are taken',
    15_000,
    (n) => `[${listed(n, (i) => `{"op":"add","path":"/data/a${i}","value":"1"}`)}]`,
  ),
  json(
    'JSON operations without members',
    'operations that are empty',
    60_000,
    (n) => `[${listed(n, () => '{}')}]`,
  ),
  json(
    'JSON unknown members',
    'operations of a member that none has',
    20_000,
    (n) => `[${listed(n, (i) => `{"a${i % 9}":1}`)}]`,
  ),
  json(
    'JSON unknown members of one',
    'an operation of members that none has',
    7_700,
    (n) => `[{"op":"add","path":"/data/a","value":"b",${listed(n, (i) => `"a${i}":1`)}}]`,
  ),
  json(
    'JSON empty values',
    'a list of empty objects',
    60_000,
    (n) => `[{"op":"add","path":"/data/a","value":[${listed(n, () => '{}')}]}]`,
  ),
  json(
    'JSON tests',
    'tests of a large value',
    2_500,
    (n) => `[${list(50_000)},${listed(n, () => '{"op":"test","path":"/data","value":{}}')}]`,
  ),
  json(
    'JSON pointer',
    'a pointer of 2.8 MB',
    350_000,
    (n) => `[{"op":"add","path":"${'/a'.repeat(n)}","value":1}]`,
  ),
  json(
    'JSON pointer of tildes',
    'a pointer of escapes',
    350_000,
    (n) => `[{"op":"add","path":"/data/${'~0'.repeat(n)}","value":"1"}]`,
  ),
  json(
    'JSON pointer of digits',
    'an index of digits',
    700_000,
    (n) => `[{"op":"add","path":"/metadata/finalizers/${'1'.repeat(n)}","value":"1"}]`,
  ),
  json(
    'JSON unknown operation',
    'an operation of 3 MB',
    700_000,
    (n) => `[{"op":"${'a'.repeat(n)}","path":"/a"}]`,
  ),
  json(
    'JSON deep values',
    'adds that nest a value',
    2_400,
    (n) => `[{"op":"add","path":"/data/a","value":${'['.repeat(n)}${']'.repeat(n)}}]`,
  ),
  merge('merge keys', 'a merge of many keys', 50_000, (n) => `{"data":{${listed(n, (i) => `"a${i}":"v"`)}}}`),
  merge(
    'merge nulls',
    'a merge that removes many keys',
    50_000,
    (n) => `{"data":{${listed(n, (i) => `"a${i}":null`)}}}`,
  ),
  merge('merge depth', 'a merge nested deeply', 2_400, (n) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`),
  merge('merge repeated keys', 'one key without end', 100_000, (n) => `{${listed(n, () => '"a":1')}}`),
  strategic(
    'strategic keys',
    'a strategic merge of many keys',
    50_000,
    (n) => `{"data":{${listed(n, (i) => `"a${i}":"v"`)}}}`,
  ),
  strategic(
    'strategic lists for labels',
    'a list of many where labels are a map, which the error shows',
    150_000,
    (n) => `{"metadata":{"labels":[${listed(n, (i) => `${i}`)}]}}`,
  ),
  strategic(
    'strategic depth for labels',
    'lists nested deeply where labels are texts',
    2_400,
    (n) => `{"metadata":{"labels":{"a":${'['.repeat(n)}${']'.repeat(n)}}}}`,
  ),
  labelled('strategic labels', 'labels merged with as many others', 7_750),
  strategic(
    'strategic finalizers',
    'finalizers merged, twice named',
    50_000,
    (n) => `{"metadata":{"finalizers":[${listed(n, (i) => `"a.b/${i % (n / 2)}"`)}]}}`,
  ),
  strategic(
    'strategic owners',
    'owner references merged by their key',
    12_000,
    (n) =>
      `{"metadata":{"ownerReferences":[${listed(n, (i) => `{"apiVersion":"v1","kind":"A","name":"n${i}","uid":"u${i}"}`)}]}}`,
  ),
  strategic(
    'strategic order',
    'an order of many',
    30_000,
    (n) =>
      `{"metadata":{"$setElementOrder/finalizers":[${listed(n, (i) => `"a.b/${i}"`)}],"finalizers":["a.b/1"]}}`,
  ),
  strategic(
    'strategic deletions',
    'deletions of what is not there',
    30_000,
    (n) => `{"metadata":{"$deleteFromPrimitiveList/finalizers":[${listed(n, (i) => `"a.b/${i}"`)}]}}`,
  ),
  strategic(
    'strategic retained keys',
    'keys to retain',
    50_000,
    (n) => `{"data":{"$retainKeys":[${listed(n, (i) => `"k${i}"`)}]}}`,
  ),
  strategic(
    'strategic directives',
    'a list of deleting items',
    20_000,
    (n) => `{"metadata":{"ownerReferences":[${listed(n, (i) => `{"$patch":"delete","uid":"u${i}"}`)}]}}`,
  ),
  strategic(
    'strategic empty items',
    'managed fields that are empty',
    60_000,
    (n) => `{"metadata":{"managedFields":[${listed(n, () => '{}')}]}}`,
  ),
  merge(
    'merge empty items',
    'managed fields that are empty',
    60_000,
    (n) => `{"metadata":{"managedFields":[${listed(n, () => '{}')}]}}`,
  ),
  apply(
    'apply keys',
    'an apply of 150,000 keys',
    37_500,
    (n) => `{"apiVersion":"v1","kind":"ConfigMap","data":{${listed(n, (i) => `"a${i}":"v"`)}}}`,
  ),
  apply(
    'apply finalizers',
    'a set of many',
    30_000,
    (n) =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"finalizers":[${listed(n, (i) => `"a.b/${i}"`)}]}}`,
  ),
  apply(
    'apply owners',
    'a list by key, of many',
    8_000,
    (n) =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"ownerReferences":[${listed(n, (i) => `{"apiVersion":"v1","kind":"A","name":"n${i}","uid":"u${i}"}`)}]}}`,
  ),
  apply(
    'apply equal owners',
    'a list by key that repeats it',
    8_000,
    (n) =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"ownerReferences":[${listed(n, () => '{"apiVersion":"v1","kind":"A","name":"n","uid":"u"}')}]}}`,
  ),
  apply(
    'apply YAML',
    'the same as YAML',
    37_500,
    (n) => `apiVersion: v1\nkind: ConfigMap\ndata:\n${listed(n, (i) => `  a${i}: v`, '\n')}`,
  ),
  apply(
    'apply depth',
    'an apply nested deeply',
    2_400,
    (n) => `{"apiVersion":"v1","kind":"ConfigMap","data":${'{"a":'.repeat(n)}1${'}'.repeat(n)}}`,
  ),
];
