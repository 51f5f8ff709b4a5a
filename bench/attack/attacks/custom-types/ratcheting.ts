import type { Attack, SizedAttack, Target } from '../../attack.ts';
import { bodyRequest, DEFINITIONS, definitionOf, listed } from '../../bodies.ts';
import { isServed } from '../../custom-types.ts';
import { createMany } from '../../repeated.ts';

const pathOf = (plural: string): string => `/apis/attack.example.com/v1/namespaces/tenant/${plural}`;

/** The schema of values of a kind before and after it became stricter, and n such values as JSON. */
interface Ratchet {
  readonly before: object;
  readonly after: object;
  readonly values: (n: number) => string;
}

async function ensure(target: Target, path: string, object: object): Promise<boolean> {
  try {
    await createMany(target, path, [object]);
    return true;
  } catch (error) {
    if (String(error).includes(': 409')) return false;
    throw error;
  }
}

function objectOf(plural: string, size: number, values: string, note: string): string {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1);
  return `{"apiVersion":"attack.example.com/v1","kind":"${kind}","metadata":{"name":"of-${size}"},"spec":{"note":"${note}","values":${values}}}`;
}

/** Creates objects, and then makes the schema stricter than they are. */
async function prepare(target: Target, plural: string, n: number, ratchet: Ratchet): Promise<void> {
  const spec = (values: object): object => ({
    type: 'object',
    properties: { note: { type: 'string' }, values },
  });
  if (!(await ensure(target, DEFINITIONS, definitionOf(plural, spec(ratchet.before))))) return;
  await isServed(target, pathOf(plural));
  for (const size of [n, 2 * n, 4 * n])
    await ensure(
      target,
      pathOf(plural),
      JSON.parse(objectOf(plural, size, ratchet.values(size), 'a')) as object,
    );
  const changed = definitionOf(plural, spec(ratchet.after)) as { spec: object };
  const { status, body } = await target.send({
    method: 'PATCH',
    path: `${DEFINITIONS}/${plural}.attack.example.com`,
    headers: [target.credentials('operator'), 'Content-Type: application/merge-patch+json'],
    body: JSON.stringify({ spec: changed.spec }),
  });
  if (status !== 200) throw new Error(`the stricter schema was answered ${status}: ${body.slice(0, 500)}`);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

/** An update that changes one field beside n values, which have become invalid and stay as they are. */
const kept = (plural: string, sends: string, n: number, ratchet: Ratchet): SizedAttack => ({
  ...{ name: `kept ${plural}`, sends, n, caller: 'tenant', statuses: [200] },
  prepare: (target) => prepare(target, plural, n, ratchet),
  request: (size) =>
    bodyRequest(
      'PATCH',
      `${pathOf(plural)}/of-${size}?dryRun=All`,
      'application/merge-patch+json',
      objectOf(plural, size, ratchet.values(size), 'b'),
    ),
});

const list = (items: object, more: object = {}): object => ({ type: 'array', ...more, items });
const texts = (n: number): string => `[${listed(n, (i) => `"v${i}"`)}]`;
const items = (n: number): string => `[${listed(n, (i) => `{"k":"k${i}","v":"v"}`)}]`;
const item = (v: object): object => ({
  type: 'object',
  required: ['k'],
  properties: { k: { type: 'string' }, v: { type: 'string', ...v } },
});
const byKey = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };

/** Objects that became invalid by a stricter schema, and are updated beside what is invalid. */
export const attacks: readonly Attack[] = [
  kept('texts', 'texts in a list, all too long', 20_000, {
    before: list({ type: 'string' }),
    after: list({ type: 'string', maxLength: 1 }),
    values: texts,
  }),
  kept('items', 'items of a list, each with a text that is too long', 10_000, {
    before: list(item({})),
    after: list(item({ maxLength: 0 })),
    values: items,
  }),
  kept('keyed', 'items of a list by key, each with a text that is too long', 6_000, {
    before: list(item({}), byKey),
    after: list(item({ maxLength: 0 }), byKey),
    values: items,
  }),
  kept('ruled', 'items of a list by key, each of which breaks a rule', 2_000, {
    before: list(item({ maxLength: 10 }), { maxItems: 8_000, ...byKey }),
    after: list(item({ maxLength: 10, 'x-kubernetes-validations': [{ rule: 'self == "w"' }] }), {
      maxItems: 8_000,
      ...byKey,
    }),
    values: items,
  }),
  kept('members', 'members of a map, all too long', 7_500, {
    before: { type: 'object', additionalProperties: { type: 'string' } },
    after: { type: 'object', additionalProperties: { type: 'string', maxLength: 0 } },
    values: (n) => `{${listed(n, (i) => `"k${i}":"v"`)}}`,
  }),
  kept('nested', 'lists in lists, all too long', 120, {
    before: list(list({ type: 'string' })),
    after: list(list({ type: 'string', maxLength: 0 }, { maxItems: 1 })),
    values: (n) => `[${listed(n, () => texts(150))}]`,
  }),
];
