import type { Schema } from '@ashlar/core';
import {
  atomic,
  boolean,
  int32,
  keyedBy,
  optional,
  printed,
  string,
  type,
} from '../../../types/schema-fields.ts';
import {
  among,
  embedded,
  listOf,
  part,
  textOf,
  texts,
  withDefault,
  withPublishedDefault,
} from '../../shape-fields.ts';
import { MOUNT_PROPAGATIONS, PROTOCOLS, PULL_POLICIES } from '../shared/enumerations.ts';
import { envFromSource, envVar } from './environment.ts';
import { lifecycle, probe } from './probe.ts';
import { resourceRequirements } from './resource-requirements.ts';
import { securityContext } from './security-context.ts';

const TERMINATION_MESSAGE_POLICIES = ['FallbackToLogsOnError', 'File'];

// Containers.

const containerPort = type(
  'api.core.v1.ContainerPort',
  {
    name: string(1),
    hostPort: int32(2),
    containerPort: printed(int32(3)),
    protocol: among(withPublishedDefault(textOf(4, 'api.core.v1.Protocol'), 'TCP'), PROTOCOLS),
    hostIP: string(5),
  },
  { required: ['containerPort'] },
);

const volumeMount = type(
  'api.core.v1.VolumeMount',
  {
    name: printed(string(1)),
    readOnly: boolean(2),
    recursiveReadOnly: optional(textOf(7, 'api.core.v1.RecursiveReadOnlyMode')),
    mountPath: printed(string(3)),
    subPath: string(4),
    mountPropagation: among(optional(textOf(5, 'api.core.v1.MountPropagationMode')), MOUNT_PROPAGATIONS),
    subPathExpr: string(6),
  },
  { required: ['name', 'mountPath'] },
);

const volumeDevice = type(
  'api.core.v1.VolumeDevice',
  {
    name: printed(string(1)),
    devicePath: printed(string(2)),
  },
  { required: ['name', 'devicePath'] },
);

const containerResizePolicy = type(
  'api.core.v1.ContainerResizePolicy',
  {
    resourceName: printed(textOf(1, 'api.core.v1.ResourceName')),
    restartPolicy: printed(textOf(2, 'api.core.v1.ResourceResizeRestartPolicy')),
  },
  { required: ['resourceName', 'restartPolicy'] },
);

/** Schema of `Container`. */
export const container: Schema = type(
  'api.core.v1.Container',
  {
    name: printed(string(1)),
    image: string(2),
    command: texts(3, atomic),
    args: texts(4, atomic),
    workingDir: string(5),
    ports: listOf(6, containerPort, keyedBy('containerPort', 'protocol')),
    envFrom: listOf(19, envFromSource, atomic),
    env: listOf(7, envVar, keyedBy('name')),
    resources: part(8, resourceRequirements),
    resizePolicy: listOf(23, containerResizePolicy, atomic),
    restartPolicy: optional(textOf(24, 'api.core.v1.ContainerRestartPolicy')),
    volumeMounts: listOf(9, volumeMount, keyedBy('mountPath')),
    volumeDevices: listOf(21, volumeDevice, keyedBy('devicePath')),
    livenessProbe: optional(part(10, probe)),
    readinessProbe: optional(part(11, probe)),
    startupProbe: optional(part(22, probe)),
    lifecycle: optional(part(12, lifecycle)),
    terminationMessagePath: withDefault(string(13), '/dev/termination-log'),
    terminationMessagePolicy: among(
      withDefault(textOf(20, 'api.core.v1.TerminationMessagePolicy'), 'File'),
      TERMINATION_MESSAGE_POLICIES,
    ),
    imagePullPolicy: among(textOf(14, 'api.core.v1.PullPolicy'), PULL_POLICIES),
    securityContext: optional(part(15, securityContext)),
    stdin: boolean(16),
    stdinOnce: boolean(17),
    tty: boolean(18),
  },
  { required: ['name'] },
);

/** Schema of `EphemeralContainer`. */
export const ephemeralContainer: Schema = type(
  'api.core.v1.EphemeralContainer',
  {
    ...embedded(1, container),
    targetContainerName: string(2),
  },
  { required: ['name'] },
);
