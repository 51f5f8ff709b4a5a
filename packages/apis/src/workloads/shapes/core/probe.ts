import type { Schema } from '@ashlar/core';
import { atomic, int32, int64, optional, printed, string, type } from '../../../types/schema-fields.ts';
import {
  among,
  embedded,
  intOrString,
  listOf,
  part,
  textOf,
  texts,
  withDefault,
  withPublishedDefault,
} from '../../shape-fields.ts';

// Probes and lifecycle hooks of containers.

const execAction = type('api.core.v1.ExecAction', {
  command: texts(1, atomic),
});

const httpHeader = type(
  'api.core.v1.HTTPHeader',
  {
    name: printed(string(1)),
    value: printed(string(2)),
  },
  { required: ['name', 'value'] },
);

const httpGetAction = type(
  'api.core.v1.HTTPGetAction',
  {
    path: withDefault(string(1), '/'),
    port: printed(intOrString(2)),
    host: string(3),
    scheme: among(withDefault(textOf(4, 'api.core.v1.URIScheme'), 'HTTP'), ['HTTP', 'HTTPS']),
    httpHeaders: listOf(5, httpHeader, atomic),
  },
  { required: ['port'] },
);

const tcpSocketAction = type(
  'api.core.v1.TCPSocketAction',
  {
    port: printed(intOrString(1)),
    host: string(2),
  },
  { required: ['port'] },
);

const grpcAction = type(
  'api.core.v1.GRPCAction',
  {
    port: printed(int32(1)),
    service: withPublishedDefault(printed(optional(string(2))), ''),
  },
  { required: ['port'] },
);

const sleepAction = type(
  'api.core.v1.SleepAction',
  {
    seconds: printed(int64(1)),
  },
  { required: ['seconds'] },
);

const probeHandler = type('api.core.v1.ProbeHandler', {
  exec: optional(part(1, execAction)),
  httpGet: optional(part(2, httpGetAction)),
  tcpSocket: optional(part(3, tcpSocketAction)),
  grpc: optional(part(4, grpcAction)),
});

/** Schema of `Probe`. */
export const probe: Schema = type('api.core.v1.Probe', {
  ...embedded(1, probeHandler),
  initialDelaySeconds: int32(2),
  timeoutSeconds: withDefault(int32(3), 1),
  periodSeconds: withDefault(int32(4), 10),
  successThreshold: withDefault(int32(5), 1),
  failureThreshold: withDefault(int32(6), 3),
  terminationGracePeriodSeconds: optional(int64(7)),
});

const lifecycleHandler = type('api.core.v1.LifecycleHandler', {
  exec: optional(part(1, execAction)),
  httpGet: optional(part(2, httpGetAction)),
  tcpSocket: optional(part(3, tcpSocketAction)),
  sleep: optional(part(4, sleepAction)),
});

/** Schema of `Lifecycle`. */
export const lifecycle: Schema = type('api.core.v1.Lifecycle', {
  postStart: optional(part(1, lifecycleHandler)),
  preStop: optional(part(2, lifecycleHandler)),
});
