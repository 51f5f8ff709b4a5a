import type { Schema } from '@ashlar/core';
import {
  atomic,
  boolean,
  int32,
  int64,
  keyedBy,
  optional,
  printed,
  string,
  time,
  type,
} from '../../../types/schema-fields.ts';
import { listOf, ownedBy, part, quantities, textOf } from '../../shape-fields.ts';
import { resourceRequirements } from './resource-requirements.ts';

// Status of containers.

const containerStateWaiting = type('api.core.v1.ContainerStateWaiting', {
  reason: string(1),
  message: string(2),
});

const containerStateRunning = type('api.core.v1.ContainerStateRunning', {
  startedAt: time(1),
});

const containerStateTerminated = type(
  'api.core.v1.ContainerStateTerminated',
  {
    exitCode: printed(int32(1)),
    signal: int32(2),
    reason: string(3),
    message: string(4),
    startedAt: time(5),
    finishedAt: time(6),
    containerID: string(7),
  },
  { required: ['exitCode'] },
);

const containerState = type('api.core.v1.ContainerState', {
  waiting: optional(part(1, containerStateWaiting)),
  running: optional(part(2, containerStateRunning)),
  terminated: optional(part(3, containerStateTerminated)),
});

const volumeMountStatus = type(
  'api.core.v1.VolumeMountStatus',
  {
    name: printed(string(1)),
    mountPath: printed(string(2)),
    readOnly: boolean(3),
    recursiveReadOnly: optional(textOf(4, 'api.core.v1.RecursiveReadOnlyMode')),
  },
  { required: ['name', 'mountPath'] },
);

const linuxContainerUser = type(
  'api.core.v1.LinuxContainerUser',
  {
    uid: printed(int64(1)),
    gid: printed(int64(2)),
    supplementalGroups: listOf(3, { type: 'integer', format: 'int64', default: 0 }, atomic),
  },
  { required: ['uid', 'gid'] },
);

const containerUser = type('api.core.v1.ContainerUser', {
  linux: optional(part(1, linuxContainerUser)),
});

const resourceHealth = type(
  'api.core.v1.ResourceHealth',
  {
    resourceID: printed(textOf(1, 'api.core.v1.ResourceID')),
    health: textOf(2, 'api.core.v1.ResourceHealthStatus'),
  },
  { required: ['resourceID'] },
);

const resourceStatus = type(
  'api.core.v1.ResourceStatus',
  {
    name: printed(textOf(1, 'api.core.v1.ResourceName')),
    resources: listOf(2, resourceHealth, ownedBy('resourceID')),
  },
  { required: ['name'] },
);

/** Schema of `ContainerStatus`. */
export const containerStatus: Schema = type(
  'api.core.v1.ContainerStatus',
  {
    name: printed(string(1)),
    state: part(2, containerState),
    lastState: part(3, containerState),
    ready: printed(boolean(4)),
    restartCount: printed(int32(5)),
    image: printed(string(6)),
    imageID: printed(string(7)),
    containerID: string(8),
    started: optional(boolean(9)),
    allocatedResources: quantities(10),
    resources: optional(part(11, resourceRequirements)),
    volumeMounts: listOf(12, volumeMountStatus, keyedBy('mountPath')),
    user: optional(part(13, containerUser)),
    allocatedResourcesStatus: listOf(14, resourceStatus, keyedBy('name')),
  },
  { required: ['name', 'ready', 'restartCount', 'image', 'imageID'] },
);
