import type { Attack, SizedAttack } from '../../attack.ts';
import { labelledMap, labelOf, listed } from '../../bodies.ts';
import { authorityOf } from '../../served-beside.ts';

const JSON_TYPE = 'application/json';
const LABEL = 'conditions.attack.example.com';
const MOST_CONDITIONS = 64;

/** Webhooks of one configuration, which match objects of the attack, and are called for none of them. */
interface Conditions {
  readonly kind: 'Mutating' | 'Validating';
  readonly webhooks: number;
  /** All but the last of each hold. */
  readonly expression: string;
}

function configurationOf(name: string, { kind, webhooks, expression }: Conditions, caBundle: string): object {
  const label = labelOf(name);
  const matchConditions = Array.from({ length: MOST_CONDITIONS }, (_, i) =>
    i === MOST_CONDITIONS - 1 ? { name: 'none', expression: 'false' } : { name: `c${i}`, expression },
  );
  const webhook = {
    clientConfig: { url: 'https://localhost:1/', caBundle },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    objectSelector: { matchLabels: { [LABEL]: label } },
    ...{ sideEffects: 'None', admissionReviewVersions: ['v1'], matchConditions },
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: label },
    webhooks: Array.from({ length: webhooks }, (_, i) => ({
      ...webhook,
      name: `w${i}.${label}.example.com`,
    })),
  };
}

function conditioned(
  name: string,
  sends: string,
  n: number,
  conditions: Conditions,
  data: (n: number) => string,
  more: Partial<SizedAttack> = {},
): Attack {
  return {
    ...{ name, sends, n, statuses: [201, 403], caller: 'tenant' },
    async prepare(target) {
      const configuration = configurationOf(name, conditions, authorityOf(target));
      const { status, body } = await target.send({
        method: 'POST',
        path: `/apis/admissionregistration.k8s.io/v1/${conditions.kind.toLowerCase()}webhookconfigurations`,
        headers: [target.credentials('operator'), `Content-Type: ${JSON_TYPE}`],
        body: JSON.stringify(configuration),
      });
      if (status !== 201 && status !== 409)
        throw new Error(`the webhooks were answered ${status}: ${body.slice(0, 500)}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    },
    request: (size) => labelledMap(LABEL, labelOf(name), data(size)),
    ...more,
  };
}

const keys = (n: number): string => listed(n, (i) => `"k${i}":"v"`);

/** Match conditions of webhooks, over what callers send; the largest object has about 3 MB or as many members as are read. */
export const attacks: readonly Attack[] = [
  conditioned(
    'conditions over keys',
    'an object of many keys, over which each condition of a webhook loops',
    7_500,
    { kind: 'Validating', webhooks: 1, expression: 'object.data.all(k, k != "")' },
    keys,
  ),
  conditioned(
    'mutating conditions over keys',
    'the same before it is changed',
    7_500,
    { kind: 'Mutating', webhooks: 1, expression: 'object.data.all(k, k != "")' },
    keys,
  ),
  conditioned(
    'conditions of many webhooks',
    'a small object, about which a hundred webhooks have conditions with loops',
    1,
    {
      kind: 'Validating',
      webhooks: 100,
      expression: '[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, a + b > 0))',
    },
    keys,
    // each webhook has a budget of its own
    { bounds: { cpuMilliseconds: 500 } },
  ),
  conditioned(
    'conditions over a text',
    'a text of a megabyte, which each condition of a webhook searches',
    250_000,
    { kind: 'Validating', webhooks: 10, expression: '!object.data.a.contains("b")' },
    (n) => `"a":"${'a'.repeat(n)}"`,
  ),
  conditioned(
    'conditions over two objects',
    'conditions that compare an object with itself',
    7_500,
    { kind: 'Validating', webhooks: 10, expression: 'object == object' },
    keys,
  ),
];
