import type { Attack, Target } from '../attack.ts';
import { listed } from '../bodies.ts';
import { createMany } from '../repeated.ts';

const MAPS = '/api/v1/namespaces/tenant/configmaps';
const OBJECTS = 3_000;
/** What is stored of one, without its managed fields. */
const OBJECT_BYTES = 300;

/** A collection to select from; it exists if an earlier attack created it. */
async function prepare(target: Target): Promise<void> {
  const headers = [target.credentials('operator')];
  const { status } = await target.send({ path: `${MAPS}/selected0`, headers });
  if (status === 200) return;
  const labels = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`k${i}`, 'v']));
  const objects = Array.from({ length: OBJECTS }, (_, i) => ({ metadata: { name: `selected${i}`, labels } }));
  await createMany(target, MAPS, objects);
}

function selected(name: string, sends: string, n: number, query: (n: number) => string): Attack {
  return {
    ...{ name, sends, n, caller: 'tenant', prepare },
    // up to all objects are looked at
    request: (size) => ({ path: `${MAPS}?limit=1&${query(size)}`, readBesides: OBJECTS * OBJECT_BYTES }),
  };
}

/** Selectors over three thousand objects, which are found by indexes. */
export const attacks: readonly Attack[] = [
  selected(
    'labels that are asked for',
    'labels by the thousand that must exist',
    600,
    (n) => `labelSelector=k0%2C${listed(n, (i) => `a${i}`, '%2C')}`,
  ),
  selected(
    'values of labels',
    'labels by the thousand that must have a value',
    600,
    (n) => `labelSelector=k0%3Dv%2C${listed(n, (i) => `a${i}%3Dv`, '%2C')}`,
  ),
  selected(
    'values of one label',
    'values by the thousand, two of which exist',
    2_400,
    (n) => `labelSelector=k0+in+(v,${listed(n, (i) => `v${i}`)}),k1+in+(v,${listed(n / 8, (i) => `v${i}`)})`,
  ),
  selected(
    'one requirement',
    'one requirement again and again',
    600,
    (n) => `labelSelector=${listed(n, () => 'k0%3Dv', '%2C')}%2Ck1!%3Dv`,
  ),
  selected(
    'names that are excluded',
    'names by the thousand that are excluded',
    600,
    (n) => `fieldSelector=${listed(n, (i) => `metadata.name!%3Da${i}`, '%2C')}`,
  ),
];
