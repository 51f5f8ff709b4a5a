// RBAC, compared with the reference's own authorizer and role validation (oracles/access*.jsonl).
import {
  compactRules,
  createRbacAuthorizer,
  escalationError,
  type PolicyRule,
  policyRuleText,
  RbacPolicy,
  type Role,
  type RoleBinding,
  ruleAllows,
  uncoveredRules,
} from '@ashlar/authz';
import { type AuthorizationAttributes, type JsonValue, jsonEqual, kubernetesVocabulary } from '@ashlar/core';
import type { CaseResult, Suite } from '../suite.ts';
import { readOracle } from './codec/oracle.ts';

export const suite: Suite = {
  name: 'oracles/access',
  async *run(dataDirectory) {
    for (const entry of readOracle(dataDirectory, 'access')) {
      const runCase = CHECKS[entry.suite];
      if (runCase) yield result(entry as unknown as Case, runCase(entry as unknown as Case));
    }
  },
};

interface Request {
  readonly verb: string;
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly allowed: boolean;
  readonly reason?: string;
}

interface Case {
  readonly id: string;
  readonly suite: string;
  readonly rule: PolicyRule;
  readonly rules: readonly PolicyRule[];
  readonly compacted: readonly PolicyRule[];
  readonly owner: readonly PolicyRule[];
  readonly servant: readonly PolicyRule[];
  readonly covers: boolean;
  readonly missing: readonly string[];
  readonly requests: readonly Request[];
  readonly roles: readonly Role[];
  readonly clusterRoles: readonly Role[];
  readonly roleBindings: readonly RoleBinding[];
  readonly clusterRoleBindings: readonly RoleBinding[];
  readonly grant: {
    readonly user: string;
    readonly groups: readonly string[];
    readonly namespace: string;
    readonly rules: readonly PolicyRule[];
    readonly error?: string | null;
  };
}

interface Answers {
  readonly expected: unknown;
  readonly actual: unknown;
}

const CHECKS: Readonly<Record<string, (entry: Case) => Answers>> = {
  rule: ({ rule, requests }) => ({
    expected: requests.map(({ allowed }) => allowed),
    actual: requests.map((request) => ruleAllows(rule, attributesOf(request))),
  }),
  covers: ({ owner, servant, covers, missing }) => {
    // The oracle lists each missing part once.
    const found = [...new Set(uncoveredRules(owner, servant).map(policyRuleText))].sort();
    return { expected: { covers, missing }, actual: { covers: found.length === 0, missing: found } };
  },
  compact: ({ rules, compacted }) => ({
    expected: compacted.map(policyRuleText).sort(),
    actual: compactRules(rules).map(policyRuleText).sort(),
  }),
  authorize: checkAuthorize,
};

function checkAuthorize(entry: Case): Answers {
  const policy = new RbacPolicy(kubernetesVocabulary);
  for (const role of entry.roles ?? []) policy.setRole(role);
  for (const role of entry.clusterRoles ?? []) policy.setClusterRole(role);
  for (const binding of entry.roleBindings ?? []) policy.setRoleBinding(binding);
  for (const binding of entry.clusterRoleBindings ?? []) policy.setClusterRoleBinding(binding);
  const authorizer = createRbacAuthorizer(policy);
  const { user, groups, namespace, rules, error } = entry.grant;
  return {
    expected: {
      answers: entry.requests.map(({ allowed, reason = '' }) => ({ allowed, reason })),
      grant: error ?? '',
    },
    actual: {
      answers: entry.requests.map((request) => {
        const answer = authorizer.authorize(attributesOf(request)) as { decision: string; reason?: string };
        return { allowed: answer.decision === 'allow', reason: withoutNames(answer.reason ?? '') };
      }),
      grant: withoutNames(escalationError(policy, { user: { name: user, groups }, namespace }, rules) ?? ''),
    },
  };
}

/** The oracle's roles are in a list that names neither group nor role if one is missing. */
function withoutNames(text: string): string {
  const short = text.replace(
    /((?:cluster)?role)\.rbac\.authorization\.k8s\.io "[^"]*" not found/g,
    '$1 not found',
  );
  return short.replace(/\[((?:(?:cluster)?role not found(?:, )?)+)\]/g, (_, list: string) => {
    const all = list.split(', ');
    const texts = [...new Set(all)];
    return texts.length === 1 && all.length > 1 ? texts.join() : `[${texts.join(', ')}]`;
  });
}

function attributesOf(request: Request): AuthorizationAttributes {
  return {
    user: { name: request.user ?? '', groups: request.groups ?? [] },
    verb: request.verb,
    isResourceRequest: request.path === undefined,
    apiGroup: request.group ?? '',
    apiVersion: 'v1',
    resource: request.resource ?? '',
    subresource: request.subresource ?? '',
    namespace: request.namespace ?? '',
    name: request.name ?? '',
    path: request.path ?? '',
  };
}

function result(entry: Case, { expected, actual }: Answers): CaseResult {
  const { id, suite: suiteName } = entry;
  if (jsonEqual(expected as JsonValue, actual as JsonValue))
    return { id, suite: suiteName, outcome: 'passed' };
  return { id, suite: suiteName, outcome: 'failed', input: entry, expected, actual };
}
