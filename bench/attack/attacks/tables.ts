import type { Attack, SizedAttack, Target } from '../attack.ts';
import { DEFINITIONS, definitionOf, listed } from '../bodies.ts';
import { slownessNow } from '../calibration.ts';
import { createMany } from '../repeated.ts';

const TABLE = 'Accept: application/json;as=Table;v=v1;g=meta.k8s.io';
const COLUMNS = 2000;
const PATIENCE_MILLISECONDS = 10_000;

const pathOf = (plural: string): string => `/apis/attack.example.com/v1/namespaces/tenant/${plural}`;

/** Defines a kind and waits until it is served. @param changes of its only version */
async function define(target: Target, plural: string, spec: object, changes: object): Promise<void> {
  const definition = definitionOf(plural, spec) as { spec: { versions: object[] } };
  const versions = definition.spec.versions.map((version) => ({ ...version, ...changes }));
  await create(target, DEFINITIONS, { ...definition, spec: { ...definition.spec, versions } });
  await served(target, plural);
}

/** Creates an object as the operator. @throws Error if it is refused, unless it exists */
async function create(target: Target, path: string, object: object): Promise<void> {
  const headers = [target.credentials('operator'), 'Content-Type: application/json'];
  const { status, body } = await target.send({ method: 'POST', path, headers, body: JSON.stringify(object) });
  if (status !== 201 && status !== 409) throw new Error(`POST ${path}: ${status} ${body.slice(0, 300)}`);
}

async function served(target: Target, plural: string): Promise<void> {
  const headers = [target.credentials('tenant')];
  for (let attempt = 0; attempt < 200; attempt++) {
    const { status } = await target.send({ path: pathOf(plural), headers });
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${plural} are not served`);
}

const objectOf = (plural: string, name: string, items: number): object => ({
  apiVersion: 'attack.example.com/v1',
  kind: plural.charAt(0).toUpperCase() + plural.slice(1),
  metadata: { name },
  spec: { items: Array.from({ length: items }, (_, i) => ({ a: i, b: 'x' })) },
});

/** A table of one object of n items, in which each column has the same path. */
function table(plural: string, sends: string, jsonPath: string): SizedAttack {
  const n = 1_500;
  return {
    name: `columns of ${plural}`,
    sends,
    caller: 'tenant',
    n,
    async prepare(target) {
      const columns = JSON.parse(
        `[${listed(COLUMNS, (i) => JSON.stringify({ name: `c${i}`, type: 'string', jsonPath }))}]`,
      ) as object[];
      const spec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
      await define(target, plural, spec, { additionalPrinterColumns: columns });
      for (const size of [n, 2 * n, 4 * n])
        await create(target, pathOf(plural), objectOf(plural, `of-${size}`, size));
    },
    request: (size) => ({ path: `${pathOf(plural)}/of-${size}`, headers: [TABLE] }),
  };
}

/** A table of n objects, each of a hundred items, in which each of many columns has the same path. */
function rows(plural: string, sends: string, jsonPath: string): SizedAttack {
  const n = 150;
  const selected = (size: number): string => `?labelSelector=of-${size}`;
  return {
    name: `rows of ${plural}`,
    sends,
    caller: 'tenant',
    n,
    async prepare(target) {
      const columns = Array.from({ length: 50 }, (_, i) => ({ name: `c${i}`, type: 'string', jsonPath }));
      const spec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
      await define(target, plural, spec, { additionalPrinterColumns: columns });
      const objects = Array.from({ length: 4 * n }, (_, i) => {
        const labels = Object.fromEntries(
          [n, 2 * n, 4 * n].filter((size) => i < size).map((size) => [`of-${size}`, '']),
        );
        const object = objectOf(plural, `a${i}`, 100) as { metadata: object };
        return { ...object, metadata: { ...object.metadata, labels } };
      });
      await createMany(target, pathOf(plural), objects).catch((error) => {
        if (!String(error).includes(': 409')) throw error;
      });
    },
    request: (size) => ({ path: `${pathOf(plural)}${selected(size)}`, headers: [TABLE] }),
  };
}

/** Reads a whole response. @returns its status */
async function statusOf(target: Target, path: string): Promise<number> {
  const headers = [target.credentials('tenant')];
  return (await target.send({ path, headers, patience: PATIENCE_MILLISECONDS })).status;
}

export const attacks: readonly Attack[] = [
  table('recursions', 'a table whose columns look for a name everywhere', '..a'),
  table('wildcards', 'a table whose columns look at each item', '.spec.items[*].a'),
  table('filters', 'a table whose columns filter each item', '.spec.items[?(@.a==1)].b'),
  table('everythings', 'a table whose columns print the object', '..'),
  table('repeats', 'a table whose columns multiply their values', '..a..a..a'),
  rows('lookups', 'a table of hundreds of objects whose columns look for a name everywhere', '..a'),
  rows('sieves', 'a table of hundreds of objects whose columns filter each item', '.spec.items[?(@.a==1)].b'),
  {
    name: 'large objects are read',
    sends: 'objects of a megabyte, which are watched, and listed when their definition has changed',
    async run(target) {
      const plural = 'larges';
      const spec = (names: readonly string[]): object => ({
        type: 'object',
        properties: {
          items: {
            type: 'array',
            items: {
              type: 'object',
              properties: Object.fromEntries(names.map((name) => [name, { type: 'string', default: 'x' }])),
              'x-kubernetes-preserve-unknown-fields': true,
            },
          },
        },
      });
      await define(target, plural, spec(['c']), {});
      const watched = target.send({
        path: `${pathOf(plural)}?watch=1&timeoutSeconds=6`,
        headers: [target.credentials('tenant')],
        patience: 2 * PATIENCE_MILLISECONDS,
      });
      await new Promise((resolve) => setTimeout(resolve, 300));
      await target.measure.begin();
      for (let i = 0; i < 4; i++) await create(target, pathOf(plural), objectOf(plural, `a${i}`, 40_000));
      const changed = definitionOf(plural, spec(['c', 'd'])) as { spec: object };
      const { status } = await target.send({
        method: 'PATCH',
        path: `${DEFINITIONS}/${plural}.attack.example.com`,
        headers: [target.credentials('operator'), 'Content-Type: application/merge-patch+json'],
        body: JSON.stringify({ spec: changed.spec }),
      });
      const listed = await statusOf(target, pathOf(plural));
      const { longestTurn } = await target.measure.end();
      const received = (await watched).body.length;
      const longest = 50 * slownessNow();
      return [
        ...(status === 200 && listed === 200 ? [] : [`answered ${status}, ${listed}`]),
        ...(received > 1_000_000 ? [] : [`the watch received ${received} bytes`]),
        ...(longestTurn <= longest
          ? []
          : [`a turn took ${longestTurn.toFixed(0)} ms, at most ${longest.toFixed(0)}`]),
      ];
    },
  },
];
