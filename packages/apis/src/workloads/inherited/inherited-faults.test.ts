import {
  type ApiObject,
  doneSteps,
  type JsonObject,
  kubernetesVocabulary,
  runAtOnce,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { causesOf } from '../../types/in-memory-resource.fixture.ts';
import { mutatingWebhookConfigurations } from '../admissionregistration/webhook-configurations.ts';
import { daemonSets } from '../apps/daemon-sets.ts';
import { certificateSigningRequests } from '../certificates/signing-requests.ts';
import { persistentVolumeClaims } from '../core/persistent-volume-claims.ts';
import { pods, podTemplates } from '../core/pods.ts';
import { networkPolicies } from '../networking/network-policies.ts';
import { podDisruptionBudgets } from '../policy/pod-disruption-budgets.ts';
import { csiStorageCapacities } from '../storage/csi-storage-capacities.ts';
import { FormerObjects, withValue } from './former-objects.fixture.ts';

/** A fault: a value at a path of an object, and an error of it. */
type Fault = readonly [
  type: (vocabulary: Vocabulary) => ResourceDefinition,
  object: JsonObject,
  path: string,
  value: unknown,
  error: RegExp,
];

const metadata = { name: 'a' };
const values = /values\[0\]: Invalid value: "a\/b"/;
const malformed = { matchExpressions: [{ key: 'a', operator: 'In', values: ['a/b'] }] };
const podSpec = { serviceAccountName: 's', containers: [{ name: 'c', image: 'i' }] };
const template = { metadata: { labels: { a: 'b' } }, spec: podSpec };
const ofTemplate = { metadata, template };
const spread = { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' };
const webhook = {
  name: 'a.b.c',
  clientConfig: { url: 'https://a' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const ofWebhook = { metadata, webhooks: [webhook] };
const ofClaim = {
  metadata,
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
};
const cost = { 'controller.kubernetes.io/pod-deletion-cost': 'x' };
const required = 'affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution';
const selector = { matchLabels: { a: 'b' } };

const FAULTS: Readonly<Record<string, Fault>> = {
  'budget whose selector': [podDisruptionBudgets, { metadata, spec: {} }, 'spec.selector', malformed, values],
  'capacity whose topology': [
    csiStorageCapacities,
    { metadata, storageClassName: 's' },
    'nodeTopology',
    malformed,
    values,
  ],
  'network policy whose selector': [
    networkPolicies,
    { metadata, spec: { podSelector: {} } },
    'spec.podSelector',
    malformed,
    values,
  ],
  'claim whose selector': [persistentVolumeClaims, ofClaim, 'spec.selector', malformed, values],
  'webhook whose selector': [
    mutatingWebhookConfigurations,
    ofWebhook,
    'webhooks.0.objectSelector',
    malformed,
    values,
  ],
  'webhook whose effects': [
    mutatingWebhookConfigurations,
    ofWebhook,
    'webhooks.0.sideEffects',
    'Some',
    /sideEffects: Unsupported/,
  ],
  'webhook whose reviews': [
    mutatingWebhookConfigurations,
    ofWebhook,
    'webhooks.0.admissionReviewVersions',
    ['v2'],
    /at least one of/,
  ],
  'webhook whose name': [
    mutatingWebhookConfigurations,
    ofWebhook,
    'webhooks',
    [webhook, webhook],
    /name: Duplicate/,
  ],
  'webhook whose condition': [
    ...([mutatingWebhookConfigurations, ofWebhook, 'webhooks.0.matchConditions'] as const),
    ...([[{ name: 'a', expression: 'nothing' }], /compilation failed/] as const),
  ],
  'template whose affinity': [
    podTemplates,
    ofTemplate,
    `template.spec.${required}`,
    [{ topologyKey: 'z', labelSelector: malformed }],
    values,
  ],
  'set of daemons whose affinity': [
    ...([daemonSets, { metadata, spec: { selector, template } }, `spec.template.spec.${required}`] as const),
    ...([[{ topologyKey: 'z', namespaceSelector: malformed }], values] as const),
  ],
  'template whose spread': [
    podTemplates,
    ofTemplate,
    'template.spec.topologySpreadConstraints',
    [{ ...spread, labelSelector: malformed }],
    values,
  ],
  'template whose token': [
    ...([podTemplates, ofTemplate, 'template.spec.volumes'] as const),
    ...([
      [
        {
          name: 'v',
          projected: { sources: [{ serviceAccountToken: { path: '/a', expirationSeconds: 3600 } }] },
        },
      ],
      /projected\.path/,
    ] as const),
  ],
  'template whose pages': [
    ...([podTemplates, ofTemplate, 'template.spec.containers.0.resources'] as const),
    ...([
      { limits: { cpu: '1', 'hugepages-2Mi': '1Mi' }, requests: { cpu: '1', 'hugepages-2Mi': '1Mi' } },
      /integer multiple/,
    ] as const),
  ],
  'template whose sysctl': [
    ...([
      podTemplates,
      { metadata, template: { ...template, spec: { ...podSpec, hostNetwork: true } } },
      'template.spec.securityContext',
    ] as const),
    ...([{ sysctls: [{ name: 'net.core.a', value: '1' }] }, /'hostNetwork' is true/] as const),
  ],
  'template whose rest': [
    podTemplates,
    ofTemplate,
    'template.spec.containers.0.lifecycle',
    { preStop: { sleep: { seconds: 0 } } },
    /greater than 0/,
  ],
  'template whose cost': [podTemplates, ofTemplate, 'template.metadata.annotations', cost, /32bit/],
  'pod whose cost': [pods, { metadata, spec: podSpec }, 'metadata.annotations', cost, /32bit/],
  'template whose search': [
    podTemplates,
    ofTemplate,
    'template.spec.dnsConfig',
    { searches: ['_a.b', '.'] },
    /searches\[0\]/,
  ],
};

const more = (object: JsonObject): JsonObject => withValue(object, 'metadata.labels', { more: 'x' });

describe.each(Object.entries(FAULTS))('a %s is not valid', (_, [type, object, path, value, error]) => {
  it('is written with it if it is stored with it', async () => {
    const former = new FormerObjects(type);
    const stored = await former.store(object, (valid) => withValue(valid, path, value));
    const changed = await former.resource.replace('a', more(stored));
    expect(changed.metadata.labels).toEqual({ more: 'x' });
  });

  it('is refused if it is stored without it', async () => {
    const former = new FormerObjects(type);
    const stored = await former.store(object, (valid) => valid);
    const causes = await causesOf(former.resource.replace('a', withValue(stored, path, value)));
    expect(causes).toContainEqual(expect.stringMatching(error));
  });
});

it('a signing request keeps usages and the signer that former versions accepted', () => {
  const { strategy } = certificateSigningRequests(kubernetesVocabulary);
  const request = (spec: JsonObject): ApiObject => ({ metadata, spec }) as unknown as ApiObject;
  const causes = (spec: JsonObject, stored: JsonObject): readonly string[] =>
    runAtOnce(strategy.validateUpdateSteps?.(request(spec), request(stored)) ?? doneSteps([])).map(
      ({ field }) => field,
    );
  const former = { usages: ['x', 'x'], signerName: 'kubernetes.io/legacy-unknown' };
  const current = { usages: ['any'], signerName: 'a.io/b' };
  expect(causes(former, former)).toEqual([]);
  expect(causes(former, current)).toEqual([
    ...['spec.usages[0]', 'spec.usages[1]', 'spec.usages[1]', 'spec.signerName'],
  ]);
});

describe('a webhook with conditions that are not valid', () => {
  const conditions = (expression: string): JsonObject[] => [{ name: 'a', expression }];

  it('cannot get others', async () => {
    const former = new FormerObjects(mutatingWebhookConfigurations);
    const path = 'webhooks.0.matchConditions';
    const stored = await former.store(ofWebhook, (valid) => withValue(valid, path, conditions('nothing')));
    const other = withValue(stored, path, conditions('something'));
    expect(await causesOf(former.resource.replace('a', other))).toHaveLength(1);
  });
});

it('a fault allows no other', async () => {
  const former = new FormerObjects(podDisruptionBudgets);
  const stored = await former.store({ metadata, spec: {} }, (valid) =>
    withValue(valid, 'spec.selector', malformed),
  );
  const causes = await causesOf(former.resource.replace('a', withValue(stored, 'spec.minAvailable', -1)));
  expect(causes).toEqual([expect.stringMatching(/^spec\.minAvailable: /)]);
});
