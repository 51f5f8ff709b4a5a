import type { Attack, Target } from '../../attack.ts';
import { listed } from '../../bodies.ts';
import { CREATED_MAPS, evaluatedBy, type Policies, written } from '../../installed-policies.ts';
import { createMany } from '../../repeated.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const POLICIES = `${GROUP}/validatingadmissionpolicies`;
const BINDINGS = `${GROUP}/validatingadmissionpolicybindings`;

const evaluated = evaluatedBy({
  policies: POLICIES,
  bindings: BINDINGS,
  binding: { validationActions: ['Deny'] },
});
const policy = written(POLICIES);
const binding = written(BINDINGS);

const CONSTRAINTS = `"matchConstraints":{"resourceRules":${JSON.stringify(CREATED_MAPS)}}`;
const OTHER = `"validations":[{"expression":"true"}]`;
const validated = (expression: string, more: object = {}): Policies => ({
  spec: { validations: [{ expression, ...more }] },
});
const keys = (n: number): string => listed(n, (i) => `"k${i}":"v"`);
const small = (): string => '"a":"b"';
const quote = (text: string): string => JSON.stringify(text);
const PARAMETERS = 5_000;
const parameterKind = { apiVersion: 'v1', kind: 'ConfigMap' };

/** Parameters that a binding selects, each with some kilobytes. */
async function createParameters(target: Target): Promise<void> {
  const path = '/api/v1/namespaces/tenant/configmaps';
  const labels = { parameters: 'many' };
  const data = { a: 'b', filler: 'x'.repeat(1_000) };
  const objects = Array.from({ length: PARAMETERS }, (_, i) => ({
    metadata: { name: `p${i}`, labels },
    data,
  }));
  await createMany(target, path, objects);
}

/** Policies over hostile objects, dear policies over small ones, and policies and bindings as long as they may be. */
export const attacks: readonly Attack[] = [
  evaluated(
    'all keys',
    'an expression over the keys of an object',
    30_000,
    validated('object.data.all(k, k.size() > 0)'),
    (n) => keys(n),
  ),
  evaluated(
    'keys of keys',
    'an expression over all pairs of keys',
    200,
    validated('object.data.all(k, object.data.all(l, k != l || k == l))'),
    (n) => keys(n),
  ),
  evaluated(
    'a long text',
    'an expression over a text of megabytes',
    700_000,
    validated('!object.data.a.matches("(a+)+b")'),
    (n) => `"a":"${'a'.repeat(n)}"`,
  ),
  evaluated(
    'a split text',
    'an expression that splits and joins a text',
    700_000,
    validated('object.data.a.split(",").join("").size() > 0'),
    (n) => `"a":"${'a,'.repeat(n / 2)}"`,
  ),
  evaluated(
    'a long message',
    'a message of megabytes',
    700_000,
    validated('false', { messageExpression: 'string(object.data.a + object.data.a)' }),
    (n) => `"a":"${'a'.repeat(n)}"`,
  ),
  evaluated(
    'a long annotation',
    'an audit annotation of megabytes',
    700_000,
    { spec: { auditAnnotations: [{ key: 'a', valueExpression: 'object.data.a + "b"' }] } },
    (n) => `"a":"${'a'.repeat(n)}"`,
  ),
  evaluated(
    'variables of variables',
    'variables that each read the one before twice',
    30_000,
    {
      spec: {
        variables: Array.from({ length: 50 }, (_, i) => ({
          name: `v${i}`,
          expression:
            i === 0
              ? 'object.data.size()'
              : `variables.v${i - 1} + variables.v${i - 1} - variables.v${i - 1}`,
        })),
        validations: [{ expression: 'variables.v49 >= 0' }],
      },
    },
    (n) => keys(n),
  ),
  evaluated(
    'conditions',
    'match conditions over the keys of an object',
    30_000,
    {
      spec: {
        matchConditions: Array.from({ length: 64 }, (_, i) => ({
          name: `c${i}`,
          expression: 'object.data.all(k, k != "")',
        })),
        validations: [{ expression: 'true' }],
      },
    },
    (n) => keys(n),
  ),
  evaluated(
    'many policies',
    'a small object under two hundred policies with loops',
    1,
    { ...validated('[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, a + b > 0))'), count: 200 },
    small,
    { bounds: { cpuMilliseconds: 500 } },
  ),
  evaluated(
    'dear policies',
    'a small object under policies that take all of their budget',
    1,
    {
      ...validated(`${'[1,2,3,4,5,6,7,8,9,10].all(a, '.repeat(7)}true${')'.repeat(7)}`),
      count: 5,
    },
    small,
    { bounds: { cpuMilliseconds: 500 } },
  ),
  evaluated(
    'parameters',
    `a small object under a policy with ${PARAMETERS} parameters`,
    1,
    {
      prepare: createParameters,
      spec: { paramKind: parameterKind, validations: [{ expression: 'params.data.a == object.data.a' }] },
      binding: {
        paramRef: {
          selector: { matchLabels: { parameters: 'many' } },
          parameterNotFoundAction: 'Deny',
          namespace: 'tenant',
        },
      },
    },
    small,
    { bounds: { cpuMilliseconds: 500 } },
  ),
  policy(
    'validations',
    'validations by the thousand',
    600,
    (n) =>
      `${CONSTRAINTS},"validations":[${listed(n, (i) => `{"expression":"object.metadata.name != 'n${i}'"}`)}]`,
  ),
  policy(
    'messages',
    'validations with expressions of messages',
    600,
    (n) =>
      `${CONSTRAINTS},"validations":[${listed(n, (i) => `{"expression":"true","messageExpression":"'n' + object.metadata.name + '${i}'"}`)}]`,
  ),
  policy(
    'many variables',
    'variables by the thousand',
    600,
    (n) =>
      `${CONSTRAINTS},"variables":[${listed(n, (i) => `{"name":"v${i}","expression":${quote(i === 0 ? '1' : `variables.v${i - 1} + 1`)}}`)}],${OTHER}`,
  ),
  policy(
    'a long expression',
    'an expression of megabytes',
    175_000,
    (n) => `${CONSTRAINTS},"validations":[{"expression":"${'1+'.repeat(n)}1 > 0"}]`,
  ),
  policy(
    'a list in an expression',
    'an expression that is a long list',
    175_000,
    (n) => `${CONSTRAINTS},"validations":[{"expression":"[${'1,'.repeat(n)}1].size() > 0"}]`,
  ),
  policy(
    'a text in an expression',
    'an expression with a text of megabytes',
    700_000,
    (n) => `${CONSTRAINTS},"validations":[{"expression":"'${'a'.repeat(n)}' != ''"}]`,
  ),
  policy(
    'brackets in an expression',
    'an expression of brackets',
    350_000,
    (n) => `${CONSTRAINTS},"validations":[{"expression":"${'('.repeat(n)}true${')'.repeat(n)}"}]`,
  ),
  policy(
    'errors of expressions',
    'expressions that are none',
    15_000,
    (n) =>
      `${CONSTRAINTS},"validations":[${listed(n, (i) => `{"expression":"object.metadata.name != ${i} +"}`)}]`,
  ),
  policy(
    'many conditions',
    'match conditions by the thousand',
    10_000,
    (n) =>
      `${CONSTRAINTS},"matchConditions":[${listed(n, (i) => `{"name":"c${i}","expression":"object.metadata.name != 'n${i}'"}`)}],${OTHER}`,
  ),
  policy(
    'annotations',
    'audit annotations by the thousand',
    10_000,
    (n) =>
      `${CONSTRAINTS},"auditAnnotations":[${listed(n, (i) => `{"key":"k${i}","valueExpression":"'n${i}'"}`)}]`,
  ),
  policy(
    'rules',
    'rules of resources by the thousand',
    7_000,
    (n) =>
      `"matchConstraints":{"resourceRules":[${listed(n, (i) => `{"apiGroups":["g${i}"],"apiVersions":["v1"],"operations":["CREATE"],"resources":["r${i}"]}`)}]},${OTHER}`,
  ),
  policy(
    'resources of a rule',
    'a rule with resources by the thousand',
    60_000,
    (n) =>
      `"matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":[${listed(n, (i) => `"r${i}"`)}]}]},${OTHER}`,
  ),
  policy(
    'names of a rule',
    'a rule with names of resources by the thousand',
    60_000,
    (n) =>
      `"matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["a"],"resourceNames":[${listed(n, (i) => `"r${i}"`)}]}]},${OTHER}`,
  ),
  policy(
    'a selector',
    'a selector of objects with terms by the thousand',
    10_000,
    (n) =>
      `"matchConstraints":{"resourceRules":${JSON.stringify(CREATED_MAPS)},"objectSelector":{"matchExpressions":[${listed(n, (i) => `{"key":"k${i}","operator":"Exists"}`)}]}},${OTHER}`,
  ),
  policy(
    'values of a selector',
    'a selector of namespaces with values by the thousand',
    60_000,
    (n) =>
      `"matchConstraints":{"resourceRules":${JSON.stringify(CREATED_MAPS)},"namespaceSelector":{"matchExpressions":[{"key":"k","operator":"In","values":[${listed(n, (i) => `"v${i}"`)}]}]}},${OTHER}`,
  ),
  binding(
    'a binding with rules',
    'a binding with rules of resources by the thousand',
    7_000,
    (n) =>
      `"policyName":"a","validationActions":["Deny"],"matchResources":{"resourceRules":[${listed(n, (i) => `{"apiGroups":["g${i}"],"apiVersions":["v1"],"operations":["CREATE"],"resources":["r${i}"]}`)}]}`,
  ),
  binding(
    'actions',
    'actions of a binding by the thousand',
    60_000,
    (n) => `"policyName":"a","validationActions":[${listed(n, (i) => `"A${i}"`)}]`,
  ),
  binding(
    'a selector of parameters',
    'a selector of parameters with terms by the thousand',
    10_000,
    (n) =>
      `"policyName":"a","validationActions":["Deny"],"paramRef":{"selector":{"matchExpressions":[${listed(n, (i) => `{"key":"k${i}","operator":"Exists"}`)}]},"parameterNotFoundAction":"Deny"}`,
  ),
];
