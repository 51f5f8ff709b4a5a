import { groupName, systemNamespace, type Vocabulary } from '@ashlar/core';
import type {
  FlowResourceRule,
  FlowRule,
  FlowSchema,
  FlowSubject,
  PriorityLevel,
} from '@ashlar/flow-control';

/** Objects of one type that a server keeps up. */
export interface DefaultFlowObjects<T> {
  /** Restored whenever they are changed. */
  readonly mandatory: readonly T[];
  /** Restored unless their annotation says otherwise. */
  readonly suggested: readonly T[];
}

/** The name of the annotation that says whether the server keeps an object up. */
export const autoUpdateAnnotation = ({ labelDomain }: Vocabulary): string =>
  `apf.${labelDomain}/autoupdate-spec`;

type Spec<T extends { readonly spec?: unknown }> = NonNullable<T['spec']>;
type Named<T extends { readonly spec?: unknown }> = readonly [name: string, spec: Spec<T>];

/** The priorities that every server has (semantics/lifecycle#objects-at-start). */
export function defaultPriorityLevels(vocabulary: Vocabulary): DefaultFlowObjects<PriorityLevel> {
  return {
    mandatory: objectsOf(vocabulary, 'PriorityLevelConfiguration', MANDATORY_LEVELS),
    suggested: objectsOf(vocabulary, 'PriorityLevelConfiguration', SUGGESTED_LEVELS),
  };
}

const MANDATORY_LEVELS: readonly Named<PriorityLevel>[] = [
  [
    'catch-all',
    {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
    },
  ],
  ['exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }],
];

const SUGGESTED_LEVELS: readonly Named<PriorityLevel>[] = [
  queued('system', 30, 33, [64, 6]),
  queued('node-high', 40, 25, [64, 6]),
  queued('leader-election', 10, 0, [16, 4]),
  queued('workload-high', 40, 50, [128, 6]),
  queued('workload-low', 100, 90, [128, 6]),
  queued('global-default', 20, 50, [128, 6]),
];

function queued(
  name: string,
  nominalConcurrencyShares: number,
  lendablePercent: number,
  [queues, handSize]: readonly [number, number],
): Named<PriorityLevel> {
  const limitResponse = { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } };
  return [name, { type: 'Limited', limited: { nominalConcurrencyShares, lendablePercent, limitResponse } }];
}

/** The schemas that every server has, with the priorities of {@link defaultPriorityLevels}. */
export function defaultFlowSchemas(vocabulary: Vocabulary): DefaultFlowObjects<FlowSchema> {
  return {
    mandatory: objectsOf(vocabulary, 'FlowSchema', mandatorySchemas),
    suggested: objectsOf(vocabulary, 'FlowSchema', suggestedSchemas(vocabulary)),
  };
}

const user = (name: string): FlowSubject => ({ kind: 'User', user: { name } });
const group = (name: string): FlowSubject => ({ kind: 'Group', group: { name } });
const account = (namespace: string, name: string): FlowSubject => ({
  kind: 'ServiceAccount',
  serviceAccount: { namespace, name },
});
const EVERYBODY = [group('system:unauthenticated'), group('system:authenticated')];

/** A rule for all requests of some callers. */
const everything = (...subjects: readonly FlowSubject[]): FlowRule => ({
  subjects,
  resourceRules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
  ],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
});

function schema(
  name: string,
  [level, matchingPrecedence, distinguisher]: readonly [string, number, ('ByUser' | 'ByNamespace')?],
  rule: FlowRule,
): Named<FlowSchema> {
  const spec: Spec<FlowSchema> = {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence,
    ...(distinguisher && { distinguisherMethod: { type: distinguisher } }),
    rules: [rule],
  };
  return [name, spec];
}

const mandatorySchemas: readonly Named<FlowSchema>[] = [
  schema('exempt', ['exempt', 1], everything(group('system:masters'))),
  schema('catch-all', ['catch-all', 10_000, 'ByUser'], everything(...EVERYBODY)),
];

function suggestedSchemas(vocabulary: Vocabulary): readonly Named<FlowSchema>[] {
  const prefix = vocabulary.namespacePrefix;
  const system = systemNamespace(vocabulary, 'system');
  const manager = `${prefix}-controller-manager`;
  const scheduler = `${prefix}-scheduler`;
  const leases = leasesOf(vocabulary, ['get', 'create', 'update']);
  const paths = { verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] };
  const [managing, scheduling] = [user(`system:${manager}`), user(`system:${scheduler}`)];
  const everyAccount = account(system, '*');
  const writing = (resources: readonly string[]): FlowResourceRule => ({
    ...{ verbs: ['get', 'create', 'update'], apiGroups: [''], resources, namespaces: ['*'] },
  });
  return [
    schema('system-nodes', ['system', 500, 'ByUser'], everything(group('system:nodes'))),
    schema('system-node-high', ['node-high', 400, 'ByUser'], {
      subjects: [group('system:nodes')],
      resourceRules: [nodeWrites, leasesOf(vocabulary, ['*'])],
    }),
    schema('probes', ['exempt', 2], { subjects: EVERYBODY, nonResourceRules: [paths] }),
    schema('system-leader-election', ['leader-election', 100, 'ByUser'], {
      subjects: [managing, scheduling, everyAccount],
      resourceRules: [leases],
    }),
    schema('workload-leader-election', ['leader-election', 200, 'ByUser'], {
      subjects: [everyAccount],
      resourceRules: [writing(['endpoints', 'configmaps']), leases],
    }),
    schema('endpoint-controller', ['workload-high', 150, 'ByUser'], {
      subjects: [
        managing,
        account(system, 'endpoint-controller'),
        account(system, 'endpointslicemirroring-controller'),
      ],
      resourceRules: [writing(['endpoints'])],
    }),
    schema(manager, ['workload-high', 800, 'ByNamespace'], everything(managing)),
    schema(scheduler, ['workload-high', 800, 'ByNamespace'], everything(scheduling)),
    schema(`${system}-service-accounts`, ['workload-high', 900, 'ByNamespace'], everything(everyAccount)),
    schema('service-accounts', ['workload-low', 9000, 'ByUser'], everything(group('system:serviceaccounts'))),
    schema('global-default', ['global-default', 9900, 'ByUser'], everything(...EVERYBODY)),
  ];
}

const nodeWrites: FlowResourceRule = {
  ...{
    verbs: ['*'],
    apiGroups: [''],
    resources: ['nodes', 'nodes/status'],
    clusterScope: true,
    namespaces: ['*'],
  },
};

const leasesOf = (vocabulary: Vocabulary, verbs: readonly string[]): FlowResourceRule => ({
  ...{ verbs, apiGroups: [groupName(vocabulary, 'coordination.')], resources: ['leases'], namespaces: ['*'] },
});

function objectsOf<S>(
  vocabulary: Vocabulary,
  kind: string,
  specs: readonly (readonly [name: string, spec: S])[],
): readonly { apiVersion: string; kind: string; metadata: object; spec: S }[] {
  const apiVersion = `${groupName(vocabulary, 'flowcontrol.apiserver.')}/v1`;
  const annotations = { [autoUpdateAnnotation(vocabulary)]: 'true' };
  return specs.map(([name, spec]) => ({ apiVersion, kind, metadata: { name, annotations }, spec }));
}
