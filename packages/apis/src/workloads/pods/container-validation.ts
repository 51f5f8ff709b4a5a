import {
  choiceErrors,
  dns1123LabelErrors,
  type FieldError,
  FieldErrors,
  requiredChoiceErrors,
  trimSpace,
  type Vocabulary,
} from '@ashlar/core';
import type { PodSpec } from '../core/pod-types.ts';
import { each, forbiddenWhen, invalidWhen, NO_ERRORS, named, required } from '../field-rules.ts';
import { PULL_POLICIES } from '../shapes/shared/enumerations.ts';
import { hostPortErrors, portsErrors } from './container-ports.ts';
import { resourceErrors } from './container-resources.ts';
import type { Container, EphemeralContainer, ResizePolicy } from './container-types.ts';
import { variableSetsErrors, variablesErrors } from './environment.ts';
import { probesErrors } from './probes.ts';
import { securityContextErrors } from './security-context.ts';
import { mountsErrors } from './volumes/volume-mounts.ts';
import type { VolumeSources } from './volumes/volumes.ts';

/** What containers are checked against. */
export interface ContainerContext {
  readonly vocabulary: Vocabulary;
  /** The pod's valid volumes. */
  readonly volumes: VolumeSources;
  /** Names of the pod's claims of resources. */
  readonly claims: ReadonlySet<string>;
}

/** Errors of the containers of a pod: main, init and ephemeral ones. */
export function containersErrors(
  spec: PodSpec,
  context: ContainerContext,
  path: string,
): readonly FieldError[] {
  return [
    ...mainErrors(spec, context, `${path}.containers`),
    ...initErrors(spec, context, `${path}.initContainers`),
    ...ephemeralErrors(spec, context, `${path}.ephemeralContainers`),
  ];
}

function mainErrors(spec: PodSpec, context: ContainerContext, path: string): readonly FieldError[] {
  const { containers } = spec;
  if (!containers || containers.length === 0) return required(path, containers);
  const names = new Set<string>();
  return [
    ...each(path, containers, (container, at) => [
      ...containerErrors(container, spec, context, at),
      ...repeatedName(container, names, at),
      ...probesErrors(container, spec.terminationGracePeriodSeconds, at),
      ...forbiddenWhen(
        container.restartPolicy !== undefined,
        `${at}.restartPolicy`,
        'may not be set for non-init containers',
      ),
    ]),
    ...hostPortErrors(containers, path),
  ];
}

function repeatedName({ name = '' }: Container, names: Set<string>, path: string): readonly FieldError[] {
  const isRepeated = names.has(name);
  names.add(name);
  return isRepeated ? [FieldErrors.duplicate(`${path}.name`, name)] : NO_ERRORS;
}

/** Init containers run one after another, except those that go on while the others run. */
function initErrors(spec: PodSpec, context: ContainerContext, path: string): readonly FieldError[] {
  const names = new Set((spec.containers ?? []).map(({ name = '' }) => name));
  return each(path, spec.initContainers, (container, at) => [
    ...containerErrors(container, spec, context, at),
    ...choiceErrors(`${at}.restartPolicy`, container.restartPolicy, ['Always']),
    ...(container.name || names.has('') ? repeatedName(container, names, at) : NO_ERRORS),
    ...hostPortErrors([container], path),
    ...(container.restartPolicy === 'Always'
      ? probesErrors(container, spec.terminationGracePeriodSeconds, at)
      : noProbesErrors(container, at)),
    ...invalidWhen(
      (container.resizePolicy?.length ?? 0) > 0,
      `${at}.resizePolicy`,
      container.resizePolicy,
      'must not be set for init containers',
    ),
  ]);
}

const PROBES = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

const noProbesErrors = (container: Container, path: string): readonly FieldError[] =>
  PROBES.flatMap((name) =>
    forbiddenWhen(
      container[name] !== undefined,
      `${path}.${name}`,
      'may not be set for init containers without restartPolicy=Always',
    ),
  );

const NOT_EPHEMERAL = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/** Containers that are added to look at others, and that nothing relies on. */
function ephemeralErrors(spec: PodSpec, context: ContainerContext, path: string): readonly FieldError[] {
  const others = new Set(
    [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name = '' }) => name),
  );
  const names = new Set(others);
  return each(path, spec.ephemeralContainers, (container, at) => [
    ...containerErrors(container, spec, context, at),
    ...imageErrors(container, at),
    ...repeatedName(container, names, at),
    ...(container.targetContainerName && !others.has(container.targetContainerName)
      ? [FieldErrors.notFound(`${at}.targetContainerName`, container.targetContainerName)]
      : NO_ERRORS),
    ...extrasErrors(container, at),
  ]);
}

function extrasErrors(container: EphemeralContainer, path: string): readonly FieldError[] {
  const why = 'cannot be set for an Ephemeral Container';
  const isThere = (value: unknown): boolean =>
    value !== undefined && value !== '' && (typeof value !== 'object' || Object.keys(value ?? {}).length > 0);
  const isPart = (name: (typeof NOT_EPHEMERAL)[number]): boolean =>
    name === 'ports' || name === 'resources' || name === 'resizePolicy'
      ? isThere(container[name])
      : container[name] !== undefined;
  return [
    ...NOT_EPHEMERAL.flatMap((name) => forbiddenWhen(isPart(name), `${path}.${name}`, why)),
    ...each(`${path}.volumeMounts`, container.volumeMounts, ({ subPath, subPathExpr }, at) => [
      ...forbiddenWhen(Boolean(subPath), `${at}.subPath`, why),
      ...forbiddenWhen(Boolean(subPathExpr), `${at}.subPathExpr`, why),
    ]),
  ];
}

/** Errors of the image of a container of a pod; templates may have spaces around it. */
export function imageErrors({ image = '' }: Container, path: string): readonly FieldError[] {
  return invalidWhen(
    trimSpace(image) !== image,
    `${path}.image`,
    image,
    'must not have leading or trailing whitespace',
  );
}

/** Errors that any container can have. */
function containerErrors(
  container: Container,
  spec: PodSpec,
  context: ContainerContext,
  path: string,
): readonly FieldError[] {
  const { name, image, ports, env, envFrom, resources = {}, securityContext } = container;
  return [
    ...named(`${path}.name`, name, dns1123LabelErrors),
    ...required(`${path}.image`, image),
    ...requiredChoiceErrors(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...portsErrors(ports, `${path}.ports`),
    ...variablesErrors(env, `${path}.env`),
    ...variableSetsErrors(envFrom, `${path}.envFrom`),
    ...mountsErrors(container, context.volumes, path),
    ...requiredChoiceErrors(`${path}.imagePullPolicy`, container.imagePullPolicy, PULL_POLICIES),
    ...resourceErrors(resources, context, `${path}.resources`),
    ...resizeErrors(container.resizePolicy, spec.restartPolicy, `${path}.resizePolicy`),
    ...securityContextErrors(securityContext, spec.hostUsers !== false, `${path}.securityContext`),
  ];
}

/** Errors of how a container takes other resources while it runs; most name the list. */
function resizeErrors(
  policies: readonly ResizePolicy[] | undefined,
  restartPolicy: string | undefined,
  path: string,
): readonly FieldError[] {
  const resources = new Set<string>();
  return each(path, policies, ({ resourceName = '', restartPolicy: policy = '' }, at) => {
    const isRepeated = resources.has(resourceName);
    resources.add(resourceName);
    return [
      ...(isRepeated ? [FieldErrors.duplicate(at, resourceName)] : NO_ERRORS),
      ...requiredChoiceErrors(path, resourceName, ['cpu', 'memory']),
      ...requiredChoiceErrors(path, policy, ['NotRequired', 'RestartContainer']),
      ...invalidWhen(
        restartPolicy === 'Never' && policy !== 'NotRequired',
        path,
        policy,
        "must be 'NotRequired' when `restartPolicy` is 'Never'",
      ),
    ];
  });
}
