import type { Attack, SizedAttack, Target } from './attack.ts';
import { bodyRequest, labelledMap, labelOf } from './bodies.ts';
import { createMany } from './repeated.ts';

const JSON_TYPE = 'application/json';
/** Label of the objects of an attack, which its policies match. */
const LABEL = 'policy.attack.example.com';

/** The rules of policies that are evaluated on what attacks send. */
export const CREATED_MAPS: readonly object[] = [
  { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
];

/** Policies of one kind. */
export interface PolicyKind {
  readonly policies: string;
  readonly bindings: string;
  /** What all bindings have. */
  readonly binding: object;
}

/** Policies that an attack needs. */
export interface Policies {
  readonly spec: object;
  readonly binding?: object;
  /** How many equal policies there are. Default 1. */
  readonly count?: number;
  /** Creates what the policies need. */
  prepare?(target: Target): Promise<unknown>;
}

/** Policies that are evaluated on what the attack sends; they exist if an earlier run created them. */
async function install(
  target: Target,
  kind: PolicyKind,
  name: string,
  { spec, binding, count = 1, prepare }: Policies,
): Promise<void> {
  const label = labelOf(name);
  const path = `${kind.policies}/${label}-0`;
  const { status } = await target.send({ path, headers: [target.credentials('operator')] });
  if (status === 200) return;
  await prepare?.(target);
  const all = Array.from({ length: count }, (_, i) => `${label}-${i}`);
  const objectSelector = { matchLabels: { [LABEL]: label } };
  const matchConstraints = { resourceRules: CREATED_MAPS, objectSelector };
  const named = (each: string) => ({ metadata: { name: each } });
  await createMany(
    target,
    kind.policies,
    all.map((each) => ({ ...named(each), spec: { matchConstraints, ...spec } })),
  );
  const bound = { ...kind.binding, ...binding };
  await createMany(
    target,
    kind.bindings,
    all.map((each) => ({ ...named(each), spec: { policyName: each, ...bound } })),
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
}

/** Writes of a tenant under policies. */
export const evaluatedBy =
  (kind: PolicyKind) =>
  (
    name: string,
    sends: string,
    n: number,
    policies: Policies,
    data: (n: number) => string,
    more: Partial<SizedAttack> = {},
  ): Attack => ({
    ...{ name, sends, n, caller: 'tenant' },
    prepare: (target) => install(target, kind, name, policies),
    request: (size) => labelledMap(LABEL, labelOf(name), data(size)),
    ...more,
  });

/** A policy or a binding that is written. */
export const written =
  (path: string) =>
  (name: string, sends: string, n: number, spec: (n: number) => string): Attack => ({
    ...{ name, sends, n, caller: 'operator' },
    request: (size) =>
      bodyRequest(
        'POST',
        `${path}?dryRun=All`,
        JSON_TYPE,
        `{"metadata":{"name":"a"},"spec":{${spec(size)}}}`,
      ),
  });
