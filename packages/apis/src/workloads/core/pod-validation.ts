import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  type JsonValue,
  jsonEqual,
  qualifiedNameErrors,
  toLabelSelector,
  validateAnnotations,
  validateLabels,
} from '@ashlar/core';
import {
  each,
  follows,
  named,
  oneOf,
  optionalFollows,
  optionalOneOf,
  repetition,
  unchanged,
} from '../field-rules.ts';
import { containersErrors } from './container-validation.ts';
import type { Container, Pod, PodSpec, PodTemplateSpec, Volume } from './pod-types.ts';

/** Errors of a pod spec, at any path. */
function podSpecErrors(spec: PodSpec, path: string): readonly FieldError[] {
  const { activeDeadlineSeconds: deadline } = spec;
  return [
    ...volumesErrors(spec.volumes, `${path}.volumes`),
    ...containersErrors(spec, path),
    ...oneOf(`${path}.restartPolicy`, spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...oneOf(`${path}.dnsPolicy`, spec.dnsPolicy, [
      'ClusterFirstWithHostNet',
      'ClusterFirst',
      'Default',
      'None',
    ]),
    ...validateLabels(spec.nodeSelector, `${path}.nodeSelector`),
    ...each(`${path}.schedulingGates`, spec.schedulingGates, ({ name = '' }, at) =>
      follows(at, name, qualifiedNameErrors),
    ),
    ...optionalFollows(`${path}.serviceAccountName`, spec.serviceAccountName, dns1123SubdomainErrors),
    ...optionalFollows(`${path}.nodeName`, spec.nodeName, dns1123SubdomainErrors),
    ...(deadline !== undefined && deadline < 1
      ? [
          FieldErrors.invalid(
            `${path}.activeDeadlineSeconds`,
            deadline,
            'must be between 1 and 2147483647, inclusive',
          ),
        ]
      : []),
    ...optionalFollows(`${path}.hostname`, spec.hostname, dns1123LabelErrors),
    ...optionalFollows(`${path}.subdomain`, spec.subdomain, dns1123LabelErrors),
    ...tolerationErrors(spec, path),
  ];
}

function volumesErrors(volumes: readonly Volume[] = [], path: string): readonly FieldError[] {
  const repeated = repetition();
  return each(path, volumes, ({ name, ...sources }, at) => {
    const errors = [
      ...Object.keys(sources)
        .sort((a, b) => Number(b === 'emptyDir') - Number(a === 'emptyDir'))
        .slice(1)
        .map((source) => FieldErrors.forbidden(`${at}.${source}`, 'may not specify more than 1 volume type')),
      ...named(`${at}.name`, name, dns1123LabelErrors),
    ];
    return errors.length === 0 && repeated(name) ? [FieldErrors.duplicate(`${at}.name`, name)] : errors;
  });
}

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function tolerationErrors({ tolerations }: PodSpec, path: string): readonly FieldError[] {
  return each(`${path}.tolerations`, tolerations, (toleration, at) => {
    const { key = '', operator = '', value = '', effect, tolerationSeconds } = toleration as Toleration;
    const exists = "value must be empty when `operator` is 'Exists'";
    return [
      ...(key === '' && operator !== 'Exists'
        ? [
            FieldErrors.invalid(
              `${at}.operator`,
              operator,
              'operator must be Exists when `key` is empty, which means "match all values and all keys"',
            ),
          ]
        : []),
      ...(tolerationSeconds !== undefined && effect !== 'NoExecute'
        ? [
            FieldErrors.invalid(
              `${at}.effect`,
              effect ?? '',
              "effect must be 'NoExecute' when `tolerationSeconds` is set",
            ),
          ]
        : []),
      ...optionalOneOf(`${at}.operator`, operator || undefined, ['Equal', 'Exists']),
      ...(operator === 'Exists' && value !== ''
        ? [FieldErrors.invalid(`${at}.operator`, value, exists)]
        : []),
      ...optionalOneOf(`${at}.effect`, effect || undefined, EFFECTS),
    ];
  });
}

/** Errors of a pod template. */
export function podTemplateErrors(template: PodTemplateSpec, path: string): readonly FieldError[] {
  const { metadata = {}, spec = {} } = template;
  return [
    ...validateLabels(metadata.labels, `${path}.labels`),
    ...validateAnnotations(metadata.annotations, `${path}.annotations`),
    ...podSpecErrors(spec, `${path}.spec`),
    ...(spec.ephemeralContainers?.length
      ? [
          FieldErrors.forbidden(
            `${path}.spec.ephemeralContainers`,
            'ephemeral containers not allowed in pod template',
          ),
        ]
      : []),
  ];
}

/** The labels of a template must match the selector of its owner. */
export function selectedErrors(
  selector: Parameters<typeof toLabelSelector>[0],
  template: PodTemplateSpec | undefined,
  path: string,
): readonly FieldError[] {
  const labels = template?.metadata?.labels ?? {};
  try {
    const compiled = toLabelSelector(selector);
    if (compiled.isEmpty || compiled.matches(labels)) return [];
  } catch {
    // the selector's own check reports its errors
    return [];
  }
  const why = '`selector` does not match template `labels`';
  return [FieldErrors.invalid(`${path}.metadata.labels`, labels, why)];
}

/** Errors of a new pod. */
export function podErrors({ spec = {} }: Pod): readonly FieldError[] {
  return [
    ...podSpecErrors(spec, 'spec'),
    ...(spec.ephemeralContainers?.length
      ? [FieldErrors.forbidden('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(spec.nodeName && spec.schedulingGates?.length
      ? [FieldErrors.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')]
      : []),
  ];
}

const CHANGEABLE =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,' +
  '`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` ' +
  '(allow it to be set to 1 if it was previously negative)';

/** Errors of an update: hardly any field is mutable. */
export function podUpdateErrors(pod: Pod, stored: Pod): readonly FieldError[] {
  const { spec = {} } = pod;
  const was = stored.spec ?? {};
  const errors = podSpecErrors(spec, 'spec');
  const counts = [
    ...sameCount(spec.containers ?? [], was.containers ?? [], 'spec.containers'),
    ...sameCount(spec.initContainers ?? [], was.initContainers ?? [], 'spec.initContainers'),
  ].slice(0, 1);
  if (counts.length > 0) return [...errors, ...counts];
  return [...errors, ...deadlineErrors(spec, was), ...addedOnlyErrors(spec, was), ...restErrors(spec, was)];
}

function sameCount(
  containers: readonly Container[],
  before: readonly Container[],
  path: string,
): readonly FieldError[] {
  if (containers.length === before.length) return [];
  return [FieldErrors.forbidden(path, 'pod updates may not add or remove containers')];
}

function deadlineErrors(spec: PodSpec, was: PodSpec): readonly FieldError[] {
  const path = 'spec.activeDeadlineSeconds';
  const { activeDeadlineSeconds: next } = spec;
  const { activeDeadlineSeconds: before } = was;
  if (before === undefined || next === before) return [];
  if (next === undefined)
    return [FieldErrors.invalid(path, null, 'must not update from a positive integer to nil value')];
  return next > before
    ? [FieldErrors.invalid(path, next, 'must be less than or equal to previous value')]
    : [];
}

function addedOnlyErrors(spec: PodSpec, was: PodSpec): readonly FieldError[] {
  const key = (toleration: object): string => JSON.stringify({ ...toleration, tolerationSeconds: undefined });
  const remaining = new Set((spec.tolerations ?? []).map(key));
  const lost = (was.tolerations ?? []).some((toleration) => !remaining.has(key(toleration)));
  const gates = new Set((was.schedulingGates ?? []).map(({ name }) => name));
  return [
    ...(lost
      ? [
          FieldErrors.forbidden(
            'spec.tolerations',
            'existing toleration can not be modified except its tolerationSeconds',
          ),
        ]
      : []),
    ...each('spec.schedulingGates', spec.schedulingGates, ({ name }, at) =>
      gates.has(name)
        ? []
        : [
            FieldErrors.forbidden(
              `${at}.name`,
              `only deletion is allowed, but found new scheduling gate '${name}'`,
            ),
          ],
    ),
  ];
}

/** Everything else is immutable. */
function restErrors(spec: PodSpec, was: PodSpec): readonly FieldError[] {
  const withImages = (
    containers: readonly Container[] | null = [],
    images: readonly Container[] | null = [],
  ) => (containers ?? []).map((container, index) => ({ ...container, image: images?.[index]?.image }));
  const {
    activeDeadlineSeconds: _,
    schedulingGates: __,
    tolerations: ___,
    terminationGracePeriodSeconds: grace,
    ...rest
  } = spec;
  const graceBefore = was.terminationGracePeriodSeconds ?? 0;
  const munged = {
    ...rest,
    containers: withImages(spec.containers, was.containers),
    ...(spec.initContainers && { initContainers: withImages(spec.initContainers, was.initContainers) }),
    ...(was.activeDeadlineSeconds !== undefined && { activeDeadlineSeconds: was.activeDeadlineSeconds }),
    ...(was.schedulingGates && { schedulingGates: was.schedulingGates }),
    ...(was.tolerations && { tolerations: was.tolerations }),
    terminationGracePeriodSeconds: graceBefore < 0 && grace === 1 ? graceBefore : grace,
  };
  if (jsonEqual(munged as unknown as JsonValue, was as unknown as JsonValue)) return [];
  return [FieldErrors.forbidden('spec', `pod updates may not change fields other than ${CHANGEABLE}\n`)];
}

/** Errors of containers added to a running pod: existing ones are immutable. */
export function ephemeralUpdateErrors({ spec = {} }: Pod, stored: Pod): readonly FieldError[] {
  const path = 'spec.ephemeralContainers';
  const byName = new Map((spec.ephemeralContainers ?? []).map((container) => [container.name, container]));
  return [
    ...podSpecErrors(spec, 'spec'),
    ...(stored.spec?.ephemeralContainers ?? []).flatMap((before) => {
      const { name = '' } = before;
      const now = byName.get(name);
      if (!now)
        return [FieldErrors.forbidden(path, `existing ephemeral containers "${name}" may not be removed\n`)];
      return jsonEqual(now as unknown as JsonValue, before as unknown as JsonValue)
        ? []
        : [FieldErrors.forbidden(path, `existing ephemeral containers "${name}" may not be changed\n`)];
    }),
  ];
}

/** Errors of a new pod status. */
export function podStatusErrors({ status = {} }: Pod, stored: Pod): readonly FieldError[] {
  const before = stored.status ?? {};
  return [
    ...(status.nominatedNodeName && status.nominatedNodeName !== before.nominatedNodeName
      ? follows('status.nominatedNodeName', status.nominatedNodeName, dns1123SubdomainErrors)
      : []),
    ...unchanged('status.qosClass', status.qosClass, before.qosClass),
  ];
}
