import type { Attack } from '../../attack.ts';
import { listed } from '../../bodies.ts';
import { CREATED_MAPS, evaluatedBy, type Policies, written } from '../../installed-policies.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1alpha1';
const POLICIES = `${GROUP}/mutatingadmissionpolicies`;
const BINDINGS = `${GROUP}/mutatingadmissionpolicybindings`;

const evaluated = evaluatedBy({ policies: POLICIES, bindings: BINDINGS, binding: {} });
const policy = written(POLICIES);
const binding = written(BINDINGS);

const applied = (expression: string): object => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patched = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
const LABELLED = 'Object{metadata: Object.metadata{labels: {"a": "b"}}}';
const mutating = (mutations: readonly object[], more: object = {}): Policies => ({
  spec: { reinvocationPolicy: 'Never', mutations, ...more },
});

const CONSTRAINTS = `"matchConstraints":{"resourceRules":${JSON.stringify(CREATED_MAPS)}},"reinvocationPolicy":"Never"`;
const OTHER = `"mutations":[${JSON.stringify(applied(LABELLED))}]`;
const appliedText = (expression: string): string => JSON.stringify(applied(expression));
const patchedText = (expression: string): string => JSON.stringify(patched(expression));
const keys = (n: number): string => listed(n, (i) => `"k${i}":"v"`);
const small = (): string => '"a":"b"';
const DEAR = { bounds: { cpuMilliseconds: 500 } };
/** Each of fifty patches copies the keys; the engine frees most copies only when all are made. */
const FIFTY_COPIES = { bounds: { cpuMilliseconds: 3_000, grownMegabytes: 128 } };

/** Policies that change hostile objects, dear policies over small ones, and policies and bindings as long as they may be. */
export const attacks: readonly Attack[] = [
  evaluated(
    'a label of many keys',
    'an object of many keys that gets a label',
    30_000,
    mutating([applied(LABELLED)]),
    keys,
  ),
  evaluated(
    'a change of each key',
    'an apply configuration of the keys of an object',
    30_000,
    mutating([applied('Object{data: object.data}')]),
    keys,
  ),
  evaluated(
    'an operation for each key',
    'a JSON patch with an operation for each key',
    2_000,
    mutating([
      patched(
        'object.data.map(k, JSONPatch{op: "replace", path: "/data/" + jsonpatch.escapeKey(k), value: "w"})',
      ),
    ]),
    keys,
    DEAR,
  ),
  evaluated(
    'escaped keys',
    'a JSON patch with a pointer of megabytes',
    700_000,
    mutating([patched('[JSONPatch{op: "test", path: "/data/" + jsonpatch.escapeKey(object.data.a)}]')]),
    (n) => `"a":"${'~'.repeat(n)}"`,
  ),
  evaluated(
    'a doubled text',
    'a text of megabytes that is doubled',
    350_000,
    mutating([patched('[JSONPatch{op: "replace", path: "/data/a", value: object.data.a + object.data.a}]')]),
    (n) => `"a":"${'a'.repeat(n)}"`,
  ),
  evaluated(
    'copies of a text',
    'a text that is copied over and over',
    30_000,
    mutating([
      patched(
        '[1,2,3,4,5,6,7,8,9,10].map(i, JSONPatch{op: "add", path: "/data/k" + string(i), value: object.data.a})',
      ),
    ]),
    (n) => `"a":"${'a'.repeat(n)}"`,
  ),
  evaluated(
    'mutations in a row',
    'an object of many keys under five mutations',
    7_500,
    mutating(Array.from({ length: 5 }, () => applied(LABELLED))),
    keys,
    // each is a pass over the object
    { bounds: { cpuMilliseconds: 1_000 } },
  ),
  evaluated(
    'fifty mutations',
    'an object of many keys under as many mutations as may cost what they do',
    7_500,
    mutating(Array.from({ length: 50 }, (_, i) => applied(LABELLED.replace('"b"', `"b${i}"`)))),
    keys,
    { bounds: { cpuMilliseconds: 2_000 } },
  ),
  evaluated(
    'fifty patches of labels',
    'an object of many keys whose labels are patched again and again',
    7_500,
    mutating(
      Array.from({ length: 50 }, (_, i) =>
        patched(`[JSONPatch{op: "add", path: "/metadata/labels/a", value: "b${i}"}]`),
      ),
    ),
    keys,
    { bounds: { cpuMilliseconds: 2_000 } },
  ),
  evaluated(
    'fifty patches of keys',
    'an object of many keys that are patched one after the other',
    7_500,
    mutating(
      Array.from({ length: 50 }, (_, i) =>
        patched(`[JSONPatch{op: "replace", path: "/data/k${i}", value: "w"}]`),
      ),
    ),
    keys,
    FIFTY_COPIES,
  ),
  evaluated(
    'fifty keys that come and go',
    'an object of many keys, of which one is removed and another added again and again',
    7_500,
    mutating(
      Array.from({ length: 50 }, (_, i) =>
        patched(
          `[JSONPatch{op: "remove", path: "/data/k${i}"}, JSONPatch{op: "add", path: "/data/a${i}", value: "w"}]`,
        ),
      ),
    ),
    keys,
    FIFTY_COPIES,
  ),
  evaluated(
    'fifty applied keys',
    'an object of many keys that are applied one after the other',
    7_500,
    mutating(Array.from({ length: 50 }, (_, i) => applied(`Object{data: {"k${i}": "w"}}`))),
    keys,
    FIFTY_COPIES,
  ),
  evaluated(
    'variables that are mutated',
    'variables that each read the one before twice',
    30_000,
    mutating([applied(`variables.v49 > 0 ? ${LABELLED} : Object{}`)], {
      variables: Array.from({ length: 50 }, (_, i) => ({
        name: `v${i}`,
        expression:
          i === 0 ? 'object.data.size()' : `variables.v${i - 1} + variables.v${i - 1} - variables.v${i - 1}`,
      })),
    }),
    keys,
  ),
  evaluated(
    'conditions of mutations',
    'match conditions over the keys of an object',
    30_000,
    mutating([applied(LABELLED)], {
      matchConditions: Array.from({ length: 64 }, (_, i) => ({
        name: `c${i}`,
        expression: 'object.data.all(k, k != "")',
      })),
    }),
    keys,
  ),
  evaluated(
    'many mutating policies',
    'a small object under two hundred policies',
    1,
    { ...mutating([applied(LABELLED)]), count: 200 },
    small,
    DEAR,
  ),
  evaluated(
    'repeated mutating policies',
    'a small object under policies that are called again whenever another has changed it',
    1,
    {
      ...mutating([patched('[JSONPatch{op: "replace", path: "/data/a", value: object.data.a + "b"}]')], {
        reinvocationPolicy: 'IfNeeded',
      }),
      count: 50,
    },
    small,
    DEAR,
  ),
  evaluated(
    'dear mutating policies',
    'a small object under policies that take all of their budget',
    1,
    {
      ...mutating([
        applied(`${'[1,2,3,4,5,6,7,8,9,10].all(a, '.repeat(7)}true${')'.repeat(7)} ? ${LABELLED} : Object{}`),
      ]),
      count: 5,
    },
    small,
    DEAR,
  ),
  policy(
    'mutations',
    'mutations by the thousand',
    600,
    (n) =>
      `${CONSTRAINTS},"mutations":[${listed(n, (i) => appliedText(`Object{metadata: Object.metadata{labels: {"a": "b${i}"}}}`))}]`,
  ),
  policy(
    'patches',
    'mutations by JSON patches',
    600,
    (n) =>
      `${CONSTRAINTS},"mutations":[${listed(n, (i) => patchedText(`[JSONPatch{op: "add", path: "/data/k${i}", value: "v"}]`))}]`,
  ),
  policy(
    'operations of a patch',
    'an expression with operations by the thousand',
    10_000,
    (n) =>
      `${CONSTRAINTS},"mutations":[${patchedText(`[${listed(n, (i) => `JSONPatch{op: "add", path: "/data/k${i}"}`)}]`)}]`,
  ),
  policy(
    'fields of a mutation',
    'an expression with keys by the thousand',
    20_000,
    (n) =>
      `${CONSTRAINTS},"mutations":[${appliedText(`Object{metadata: Object.metadata{labels: {${listed(n, (i) => `"k${i}": "v"`)}}}}`)}]`,
  ),
  policy(
    'nested types of a mutation',
    'an expression that names types of types',
    50_000,
    (n) => `${CONSTRAINTS},"mutations":[${appliedText(`Object${'.spec'.repeat(n)}{}`)}]`,
  ),
  policy(
    'variables of a mutation',
    'variables by the thousand',
    600,
    (n) =>
      `${CONSTRAINTS},"variables":[${listed(n, (i) => `{"name":"v${i}","expression":"${i === 0 ? '1' : `variables.v${i - 1} + 1`}"}`)}],${OTHER}`,
  ),
  policy(
    'errors of mutations',
    'expressions that are none',
    15_000,
    (n) => `${CONSTRAINTS},"mutations":[${listed(n, (i) => appliedText(`Object{metadata: ${i} +`))}]`,
  ),
  policy(
    'conditions of a mutating policy',
    'match conditions by the thousand',
    10_000,
    (n) =>
      `${CONSTRAINTS},"matchConditions":[${listed(n, (i) => `{"name":"c${i}","expression":"object.metadata.name != 'n${i}'"}`)}],${OTHER}`,
  ),
  binding(
    'rules of a mutating binding',
    'a binding with rules of resources by the thousand',
    7_000,
    (n) =>
      `"policyName":"a","matchResources":{"resourceRules":[${listed(n, (i) => `{"apiGroups":["g${i}"],"apiVersions":["v1"],"operations":["CREATE"],"resources":["r${i}"]}`)}]}`,
  ),
];
