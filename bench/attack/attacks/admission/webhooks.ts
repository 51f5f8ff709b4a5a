import type { Attack } from '../../attack.ts';
import { listed } from '../../bodies.ts';
import { byWebhook, type HostileWebhook } from '../../hostile-webhook.ts';

const ALLOWED = '"allowed":true';

type Respond = HostileWebhook['respond'];

function of(kind: HostileWebhook['kind']) {
  return (name: string, sends: string, n: number, respond: Respond, statuses = [201]): Attack =>
    byWebhook({ kind, name, sends, n, respond, statuses });
}

const mutating = of('Mutating');
const validating = of('Validating');

/** A webhook that patches what it is shown. */
const patching = (name: string, sends: string, n: number, patch: Respond, statuses = [201]): Attack =>
  mutating(name, sends, n, (size) => patched(patch(size)), statuses);

const patched = (patch: string): string =>
  `${ALLOWED},"patchType":"JSONPatch","patch":"${Buffer.from(patch).toString('base64')}"`;
const denied = (status: string): string => `"allowed":false,"status":${status}`;
const data = (value: string): string => `[{"op":"add","path":"/data/b","value":${value}}]`;

/** The largest response has about 3 MB. */
export const attacks: readonly Attack[] = [
  validating(
    'warnings',
    'warnings without end',
    40_000,
    (n) => `${ALLOWED},"warnings":[${listed(n, (i) => `"w${i}"`)}]`,
  ),
  validating(
    'one warning',
    'a warning of 3 MB',
    700_000,
    (n) => `${ALLOWED},"warnings":["${'ä'.repeat(n / 2)}"]`,
  ),
  validating(
    'equal warnings',
    'one warning without end',
    60_000,
    (n) => `${ALLOWED},"warnings":[${listed(n, () => '"a"')}]`,
  ),
  validating(
    'audit annotations',
    'annotations without end',
    7_500,
    (n) => `${ALLOWED},"auditAnnotations":{${listed(n, (i) => `"k${i}":"v"`)}}`,
  ),
  validating(
    'one audit annotation',
    'an annotation of 3 MB',
    700_000,
    (n) => `${ALLOWED},"auditAnnotations":{"k":"${'a'.repeat(n)}"}`,
  ),
  validating(
    'a long denial',
    'a denial of 3 MB',
    700_000,
    (n) => denied(`{"code":403,"message":"${'a'.repeat(n)}"}`),
    [403],
  ),
  validating(
    'causes of a denial',
    'a denial with causes without end',
    25_000,
    (n) => denied(`{"code":422,"details":{"causes":[${listed(n, () => '{"field":"a"}')}]}}`),
    [422],
  ),
  validating(
    'nested responses',
    'a response that nests',
    600,
    (n) => `${ALLOWED},"a":${'['.repeat(n)}${']'.repeat(n)}`,
    [201, 500],
  ),
  patching(
    'a long text',
    'a patch that adds a text of 2 MB',
    500_000,
    (n) => data(`"${'a'.repeat(n)}"`),
    [201, 422],
  ),
  patching(
    'many keys',
    'a patch that adds keys by the thousand',
    7_500,
    (n) => `[{"op":"add","path":"/data","value":{${listed(n, (i) => `"k${i}":"v"`)}}}]`,
  ),
  patching(
    'many operations',
    'a patch of as many operations as are taken',
    2_500,
    (n) => `[${listed(n, (i) => `{"op":"add","path":"/data/a${i}","value":"1"}`)}]`,
  ),
  patching(
    'too many operations',
    'a patch of more operations than are taken',
    12_000,
    (n) => `[${listed(n, (i) => `{"op":"add","path":"/data/a${i}","value":"1"}`)}]`,
    [201, 500],
  ),
  patching(
    'a long pointer',
    'a patch whose pointer has 2 MB',
    250_000,
    (n) => `[{"op":"add","path":"/data/${'~0'.repeat(n)}","value":"1"}]`,
    [422],
  ),
  patching(
    'many finalizers',
    'a patch that adds finalizers by the thousand',
    6_000,
    (n) => `[{"op":"add","path":"/metadata/finalizers","value":[${listed(n, (i) => `"a.b/${i}"`)}]}]`,
  ),
  patching(
    'wrong types',
    'a patch that makes an object of another kind',
    20_000,
    (n) => data(`[${listed(n, (i) => `{"a":${i}}`)}]`),
    [400, 500],
  ),
  mutating(
    'a patch of short lines',
    'lines without end instead of a patch',
    500_000,
    (n) => `${ALLOWED},"patchType":"JSONPatch","patch":"${'A\\n'.repeat(n / 2)}="`,
    [500],
  ),
];
