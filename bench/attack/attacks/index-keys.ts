import type { Attack, Target } from '../attack.ts';
import { bodyRequest, DRY_MAPS, dryCustomPath, listed, posted } from '../bodies.ts';
import { define } from '../custom-types.ts';

const PLURAL = 'indexeds';
const HEAD = '"apiVersion":"attack.example.com/v1","kind":"Indexeds","metadata":{"name":"a"}';
const preserved = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const map = { type: 'object', additionalProperties: { type: 'string' } };
const schema = {
  type: 'object',
  properties: { any: { type: 'array', items: preserved }, maps: { type: 'array', items: map } },
};

const prepare = async (target: Target): Promise<void> => {
  await define(target, PLURAL, schema);
  const path = dryCustomPath(PLURAL).replace(/\?.*/, '');
  const { path: _, ...stored } = bodyRequest('POST', path, 'application/json', `{${HEAD}}`);
  await target.send({
    ...stored,
    path,
    headers: [target.credentials('tenant'), 'Content-Type: application/json'],
  });
};

/** Objects with one key each, for which an engine would reserve memory as for a long list. */
function indexed(
  name: string,
  sends: string,
  [method, type, n]: readonly [method: 'POST' | 'PATCH', type: string, n: number],
  spec: (n: number) => string,
): Attack {
  const path = dryCustomPath(PLURAL);
  const ofObject = path.replace('?', '/a?fieldManager=attack&force=true&');
  const at =
    method === 'POST' ? path : type.includes('apply') ? ofObject : ofObject.replace('&force=true', '');
  return {
    ...{ name, sends, n, caller: 'tenant', prepare },
    request: (size) => bodyRequest(method, at, type, spec(size)),
  };
}

const items = (field: string, value: string) => (n: number) =>
  `{${HEAD},"spec":{"${field}":[${listed(n, () => `{"999":${value}}`)}]}}`;

export const attacks: readonly Attack[] = [
  indexed(
    'objects of any members',
    'objects, each with an index as its key',
    ['POST', 'application/json', 25_000],
    items('any', '0'),
  ),
  indexed(
    'maps',
    'maps, each with an index as its key',
    ['POST', 'application/json', 25_000],
    items('maps', '""'),
  ),
  indexed(
    'objects of any members as YAML',
    'the same as YAML',
    ['POST', 'application/yaml', 8_000],
    items('any', '0'),
  ),
  indexed(
    'merged objects',
    'objects that are merged, each with an index as its key',
    ['PATCH', 'application/merge-patch+json', 25_000],
    items('any', '0'),
  ),
  indexed(
    'applied objects',
    'objects that are applied, each with an index as its key',
    ['PATCH', 'application/apply-patch+yaml', 8_000],
    items('any', '0'),
  ),
  indexed(
    'added objects',
    'objects that are added, each with an index as its key',
    ['PATCH', 'application/json-patch+json', 25_000],
    (n) => `[{"op":"add","path":"/spec","value":{"any":[${listed(n, () => '{"999":0}')}]}}]`,
  ),
  posted(
    'tenant',
    DRY_MAPS,
    'application/yaml',
    'unknown fields',
    'unknown fields of YAML, each an object with an index as its key',
    8_000,
    (n) => `{"metadata":{"name":"a"},"x":[${listed(n, () => '{"999":0}')}]}`,
  ),
  posted(
    'tenant',
    '/api/v1/namespaces/tenant/limitranges?dryRun=All',
    'application/json',
    'limits',
    'limits, each of a resource that is an index',
    2_400,
    (n) =>
      `{"metadata":{"name":"a"},"spec":{"limits":[${listed(n, () => '{"type":"Container","max":{"999":"1"}}')}]}}`,
  ),
];
