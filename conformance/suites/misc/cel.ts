// Type checks of admission policies by the reference server: suite policy-types of oracles/misc*.jsonl.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PolicyVariable, policyTypeChecker, schemaType, serverEnvironment } from '@ashlar/cel';
import { kubernetesVocabulary as vocabulary } from '@ashlar/core';
import { builtInSchema } from '../../built-in-schemas.ts';
import type { CaseResult, Suite } from '../../suite.ts';

interface Warning {
  readonly fieldRef: string;
  readonly warning: string;
}

interface Case {
  readonly id: string;
  readonly suite: string;
  readonly resources: string;
  readonly policy: {
    readonly variables: readonly PolicyVariable[] | null;
    readonly validations: readonly { readonly expression: string; readonly messageExpression?: string }[];
  };
  readonly warnings: readonly Warning[] | null;
}

const environment = serverEnvironment({ vocabulary, release: '1.32' });

/** Kinds of resources in the server's discovery. */
const KINDS: Readonly<Record<string, string>> = {
  '/v1/configmaps': 'ConfigMap',
  '/v1/endpoints': 'Endpoints',
  '/v1/events': 'Event',
  '/v1/limitranges': 'LimitRange',
  '/v1/namespaces': 'Namespace',
  '/v1/nodes': 'Node',
  '/v1/persistentvolumeclaims': 'PersistentVolumeClaim',
  '/v1/persistentvolumes': 'PersistentVolume',
  '/v1/pods': 'Pod',
  '/v1/podtemplates': 'PodTemplate',
  '/v1/replicationcontrollers': 'ReplicationController',
  '/v1/resourcequotas': 'ResourceQuota',
  '/v1/secrets': 'Secret',
  '/v1/serviceaccounts': 'ServiceAccount',
  '/v1/services': 'Service',
  'apps/v1/daemonsets': 'DaemonSet',
  'apps/v1/deployments': 'Deployment',
  'apps/v1/replicasets': 'ReplicaSet',
  'apps/v1/statefulsets': 'StatefulSet',
  'batch/v1/cronjobs': 'CronJob',
  'batch/v1/jobs': 'Job',
  'coordination.k8s.io/v1/leases': 'Lease',
  'networking.k8s.io/v1/ingresses': 'Ingress',
  'networking.k8s.io/v1/networkpolicies': 'NetworkPolicy',
  'policy/v1/poddisruptionbudgets': 'PodDisruptionBudget',
  'rbac.authorization.k8s.io/v1/clusterroles': 'ClusterRole',
  'rbac.authorization.k8s.io/v1/rolebindings': 'RoleBinding',
  'rbac.authorization.k8s.io/v1/roles': 'Role',
};

interface Matched {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The checked kinds: those named in full, in order. */
function matchedKinds(resources: string): Matched[] {
  const found = resources.split(',').flatMap((resource) => {
    const kind = KINDS[resource];
    const [group = '', version = ''] = resource.split('/');
    return kind === undefined ? [] : [{ group, version, kind }];
  });
  return found.sort(
    (a, b) => compare(a.group, b.group) || compare(a.version, b.version) || compare(a.kind, b.kind),
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function runCase(one: Case): CaseResult {
  const { id, suite } = one;
  const actual = warningsOf(one);
  const expected = one.warnings ?? [];
  const same = JSON.stringify(actual) === JSON.stringify(expected);
  return same
    ? { id, suite, outcome: 'passed' }
    : { id, suite, outcome: 'failed', input: one, expected, actual };
}

function warningsOf({ resources, policy }: Case): Warning[] {
  const checkers = matchedKinds(resources).map(({ group, version, kind }) => {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const object = schemaType(builtInSchema(`${apiVersion} ${kind}`), { name: kind, isResourceRoot: true });
    if (!object) throw new Error(`${kind} has no type`);
    const checker = policyTypeChecker({ environment, vocabulary, object, variables: policy.variables ?? [] });
    return { name: `${group}/${version}, Kind=${kind}`, checker };
  });
  const check = (fieldRef: string, expression: string): Warning[] => {
    const faults = checkers.flatMap(({ name, checker }) => {
      const fault = checker.check(expression);
      return fault === undefined ? [] : [`${name}: ${fault}\n`];
    });
    return faults.length === 0 ? [] : [{ fieldRef, warning: faults.join('\n') }];
  };
  return policy.validations.flatMap(({ expression, messageExpression }, i) => [
    ...check(`spec.validations[${i}].expression`, expression),
    ...(messageExpression ? check(`spec.validations[${i}].messageExpression`, messageExpression) : []),
  ]);
}

export const suite: Suite = {
  name: 'oracles/misc',
  async *run(dataDirectory) {
    const folder = join(dataDirectory, 'oracles');
    for (const file of readdirSync(folder)
      .filter((name) => /^misc.*\.jsonl$/.test(name))
      .sort()) {
      for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
        if (line.includes('"suite":"policy-types"')) yield runCase(JSON.parse(line) as Case);
      }
    }
  },
};
