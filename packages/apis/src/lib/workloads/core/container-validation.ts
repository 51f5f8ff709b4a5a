import {
  dns1123LabelErrors,
  type FieldError,
  FieldErrors,
  type NameRule,
  portNameErrors,
} from '@ashlar/core';
import { distinct, each, follows, named, oneOf, PROTOCOLS, portNumber, required } from '../field-rules.ts';
import type { Container, ContainerPort, EnvVar, PodSpec, VolumeMount } from './pod-types.ts';
import { resourceErrors } from './resource-amounts.ts';

/** Errors of the containers of a pod: those proper, those that run before them, and those that are added later. */
export function containersErrors(spec: PodSpec, path: string): readonly FieldError[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  const volumes = new Set((spec.volumes ?? []).map(({ name }) => name));
  const all = [...(containers ?? []), ...initContainers, ...ephemeralContainers];
  return [
    ...(containers && containers.length > 0 ? [] : [FieldErrors.required(`${path}.containers`)]),
    ...each(`${path}.containers`, containers, (container, at) => [
      ...containerErrors(container, at, volumes),
      ...(container.restartPolicy === undefined
        ? []
        : [FieldErrors.forbidden(`${at}.restartPolicy`, 'may not be set for non-init containers')]),
    ]),
    ...each(`${path}.initContainers`, initContainers, (container, at) => [
      ...containerErrors(container, at, volumes),
      ...(container.restartPolicy === undefined
        ? []
        : oneOf(`${at}.restartPolicy`, container.restartPolicy, ['Always'])),
    ]),
    ...each(`${path}.ephemeralContainers`, ephemeralContainers, (container, at) =>
      containerErrors(container, at, volumes),
    ),
    ...distinct(
      all,
      ({ name }) => name,
      (index) => `${path}.${placeOf(index, spec)}.name`,
    ),
    ...hostPortErrors(containers ?? [], `${path}.containers`),
  ];
}

/** Where the container of an index over all lists stands. */
function placeOf(index: number, { containers, initContainers = [] }: PodSpec): string {
  const proper = containers?.length ?? 0;
  if (index < proper) return `containers[${index}]`;
  const before = index - proper;
  return before < initContainers.length
    ? `initContainers[${before}]`
    : `ephemeralContainers[${before - initContainers.length}]`;
}

function containerErrors(
  container: Container,
  path: string,
  volumes: ReadonlySet<string | undefined>,
): readonly FieldError[] {
  const { name, image, ports, env, volumeMounts, resources = {} } = container;
  return [
    ...named(`${path}.name`, name, dns1123LabelErrors),
    ...required(`${path}.image`, image),
    ...oneOf(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...portsErrors(ports, `${path}.ports`),
    ...each(`${path}.env`, env, envErrors),
    ...mountsErrors(volumeMounts, `${path}.volumeMounts`, volumes),
    ...oneOf(`${path}.imagePullPolicy`, container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never']),
    ...resourceErrors(resources, `${path}.resources`),
  ];
}

function portsErrors(ports: readonly ContainerPort[] = [], path: string): readonly FieldError[] {
  return [
    ...each(path, ports, (port, at) => [
      ...(port.name ? follows(`${at}.name`, port.name, portNameErrors) : []),
      ...(port.containerPort
        ? portNumber(`${at}.containerPort`, port.containerPort)
        : [FieldErrors.required(`${at}.containerPort`)]),
      ...(port.hostPort ? portNumber(`${at}.hostPort`, port.hostPort) : []),
      ...oneOf(`${at}.protocol`, port.protocol, PROTOCOLS),
    ]),
    ...distinct(
      ports,
      ({ name }) => name,
      (index) => `${path}[${index}].name`,
    ),
  ];
}

function hostPortErrors(containers: readonly Container[], path: string): readonly FieldError[] {
  const ports = containers.flatMap(({ ports = [] }, container) =>
    ports.map((port, index) => ({ port, at: `${path}[${container}].ports[${index}].hostPort` })),
  );
  const text = ({ hostIP = '', hostPort, protocol = '' }: ContainerPort): string =>
    hostPort ? `${protocol}/${hostIP || '0.0.0.0'}/${hostPort}` : '';
  return distinct(
    ports,
    ({ port }) => text(port),
    (index) => ports[index]?.at ?? path,
  );
}

/** Names that programs of today take: printable ASCII without an equals sign. */
const relaxedNameErrors: NameRule = (name) =>
  /^[ -<>-~]*$/.test(name)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];

function envErrors({ name, value = '', valueFrom }: EnvVar, path: string): readonly FieldError[] {
  const errors = [...named(`${path}.name`, name, relaxedNameErrors)];
  if (!valueFrom) return errors;
  const sources = Object.keys(valueFrom).length;
  if (sources === 0) {
    const why = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
    errors.push(FieldErrors.invalid(`${path}.valueFrom`, '', why));
  }
  if (value !== '' && sources > 0)
    errors.push(
      FieldErrors.invalid(`${path}.valueFrom`, '', 'may not be specified when `value` is not empty'),
    );
  if (sources > 1)
    errors.push(
      FieldErrors.invalid(`${path}.valueFrom`, '', 'may not have more than one field specified at a time'),
    );
  return errors;
}

function mountsErrors(
  mounts: readonly VolumeMount[] = [],
  path: string,
  volumes: ReadonlySet<string | undefined>,
): readonly FieldError[] {
  const places = new Set<string>();
  return each(path, mounts, ({ name = '', mountPath = '' }, at) => {
    const isTaken = places.has(mountPath);
    places.add(mountPath);
    return [
      ...required(`${at}.name`, name),
      ...(volumes.has(name) ? [] : [FieldErrors.notFound(`${at}.name`, name)]),
      ...required(`${at}.mountPath`, mountPath),
      ...(isTaken ? [FieldErrors.invalid(`${at}.mountPath`, mountPath, 'must be unique')] : []),
    ];
  });
}
