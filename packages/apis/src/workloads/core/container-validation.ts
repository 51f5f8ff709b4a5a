import {
  dns1123LabelErrors,
  type FieldError,
  FieldErrors,
  type NameRule,
  portNameErrors,
} from '@ashlar/core';
import {
  each,
  follows,
  named,
  oneOf,
  optionalOneOf,
  PROTOCOLS,
  portNumber,
  repetition,
  required,
} from '../field-rules.ts';
import type { Container, ContainerPort, EnvVar, PodSpec, VolumeMount } from './pod-types.ts';
import { resourceErrors } from './resource-amounts.ts';

/** Errors of the containers of a pod: main, init and ephemeral ones. */
export function containersErrors(spec: PodSpec, path: string): readonly FieldError[] {
  const { containers, initContainers, ephemeralContainers } = spec;
  const volumes = new Set((spec.volumes ?? []).map(({ name }) => name));
  const repeated = repetition();
  const errorsOf = (container: Container, at: string): readonly FieldError[] => [
    ...containerErrors(container, at, volumes),
    ...(repeated(container.name) ? [FieldErrors.duplicate(`${at}.name`, container.name)] : []),
  ];
  const proper = `${path}.containers`;
  return [
    ...(containers && containers.length > 0 ? [] : [FieldErrors.required(proper)]),
    ...each(proper, containers, (container, at) => [
      ...errorsOf(container, at),
      ...(container.restartPolicy === undefined
        ? []
        : [FieldErrors.forbidden(`${at}.restartPolicy`, 'may not be set for non-init containers')]),
    ]),
    ...hostPortErrors(containers ?? [], proper),
    ...each(`${path}.initContainers`, initContainers, (container, at) => [
      ...errorsOf(container, at),
      ...optionalOneOf(`${at}.restartPolicy`, container.restartPolicy, ['Always']),
      ...hostPortErrors([container], `${path}.initContainers`),
    ]),
    ...each(`${path}.ephemeralContainers`, ephemeralContainers, errorsOf),
  ];
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
  const repeated = repetition();
  return each(path, ports, (port, at) => [
    ...nameErrors(port.name, `${at}.name`, repeated),
    ...(port.containerPort
      ? portNumber(`${at}.containerPort`, port.containerPort)
      : [FieldErrors.required(`${at}.containerPort`)]),
    ...(port.hostPort ? portNumber(`${at}.hostPort`, port.hostPort) : []),
    ...oneOf(`${at}.protocol`, port.protocol, PROTOCOLS),
  ]);
}

/** An invalid name is not a duplicate. */
function nameErrors(
  name: string | undefined,
  path: string,
  repeated: (name: string) => boolean,
): readonly FieldError[] {
  if (!name) return [];
  const errors = follows(path, name, portNameErrors);
  if (errors.length > 0) return errors;
  return repeated(name) ? [FieldErrors.duplicate(path, name)] : [];
}

function hostPortErrors(containers: readonly Container[], path: string): readonly FieldError[] {
  const repeated = repetition();
  return each(path, containers, ({ ports }, container) =>
    each(`${container}.ports`, ports, ({ protocol = '', hostIP = '', hostPort }, at) => {
      const text = `${protocol}/${hostIP}/${hostPort}`;
      return hostPort && repeated(text) ? [FieldErrors.duplicate(`${at}.hostPort`, text)] : [];
    }),
  );
}

/** Names that current programs accept: printable ASCII without an equals sign. */
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
    const isDuplicate = places.has(mountPath);
    places.add(mountPath);
    return [
      ...required(`${at}.name`, name),
      ...(volumes.has(name) ? [] : [FieldErrors.notFound(`${at}.name`, name)]),
      ...required(`${at}.mountPath`, mountPath),
      ...(isDuplicate ? [FieldErrors.invalid(`${at}.mountPath`, mountPath, 'must be unique')] : []),
    ];
  });
}
