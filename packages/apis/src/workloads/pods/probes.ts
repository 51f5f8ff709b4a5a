import { choiceErrors, type FieldError, fieldErrorsOf, httpHeaderNameErrors } from '@ashlar/core';
import {
  follows,
  forbiddenWhen,
  invalidWhen,
  NO_ERRORS,
  nonNegative,
  portNumberOrName,
  required,
  requiredWhen,
} from '../field-rules.ts';
import type { Handler, Lifecycle, Probe } from './container-types.ts';

// What is done to a container to see whether it lives, and when it begins and ends.

type HandlerRule = (handler: Handler, path: string, gracePeriod: number | undefined) => readonly FieldError[];

/** The kinds of handlers in the order in which they are looked at; only one may be there. */
const HANDLERS: readonly (readonly [keyof Handler, HandlerRule])[] = [
  ['exec', ({ exec }, path) => required(`${path}.command`, exec?.command)],
  ['httpGet', httpErrors],
  ['tcpSocket', ({ tcpSocket }, path) => portNumberOrName(`${path}.port`, tcpSocket?.port)],
  ['grpc', ({ grpc }, path) => portNumberOrName(`${path}.port`, grpc?.port)],
  ['sleep', sleepErrors],
];

function httpErrors({ httpGet = {} }: Handler, path: string): readonly FieldError[] {
  return [
    ...required(`${path}.path`, httpGet.path),
    ...portNumberOrName(`${path}.port`, httpGet.port),
    ...choiceErrors(`${path}.scheme`, httpGet.scheme ?? '', ['HTTP', 'HTTPS']),
    ...fieldErrorsOf(httpGet.httpHeaders ?? [], ({ name = '' }) =>
      follows(`${path}.httpHeaders`, name, httpHeaderNameErrors),
    ),
  ];
}

/** A container cannot sleep longer than it has time to end. */
function sleepErrors(
  { sleep }: Handler,
  path: string,
  gracePeriod: number | undefined,
): readonly FieldError[] {
  const seconds = sleep?.seconds ?? 0;
  return invalidWhen(
    gracePeriod !== undefined && (seconds <= 0 || seconds > gracePeriod),
    path,
    seconds,
    `must be greater than 0 and less than terminationGracePeriodSeconds (${gracePeriod}). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`,
  );
}

function handlerErrors(
  handler: Handler,
  path: string,
  gracePeriod: number | undefined,
): readonly FieldError[] {
  const [first, ...others] = HANDLERS.filter(([name]) => handler[name]);
  return [
    ...(first ? first[1](handler, `${path}.${first[0]}`, gracePeriod) : NO_ERRORS),
    ...others.flatMap(([name]) =>
      forbiddenWhen(true, `${path}.${name}`, 'may not specify more than 1 handler type'),
    ),
    ...requiredWhen(!first, path, 'must specify a handler type'),
  ];
}

/** The probes of a container. */
interface Probes {
  readonly lifecycle?: Lifecycle;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
}

/** Errors of the probes and hooks of a container. */
export function probesErrors(
  { lifecycle, livenessProbe, readinessProbe, startupProbe }: Probes,
  gracePeriod: number | undefined,
  path: string,
): readonly FieldError[] {
  const { postStart, preStop } = lifecycle ?? {};
  const readiness = `${path}.readinessProbe`;
  const graceOfReadiness = readinessProbe?.terminationGracePeriodSeconds;
  return [
    ...(postStart ? handlerErrors(postStart, `${path}.lifecycle.postStart`, gracePeriod) : NO_ERRORS),
    ...(preStop ? handlerErrors(preStop, `${path}.lifecycle.preStop`, gracePeriod) : NO_ERRORS),
    ...onceErrors(livenessProbe, `${path}.livenessProbe`),
    ...(readinessProbe ? probeErrors(readinessProbe, readiness) : NO_ERRORS),
    ...invalidWhen(
      graceOfReadiness !== undefined,
      `${readiness}.terminationGracePeriodSeconds`,
      graceOfReadiness,
      'must not be set for readinessProbes',
    ),
    ...onceErrors(startupProbe, `${path}.startupProbe`),
  ];
}

/** Errors of a probe for which one success is enough. */
function onceErrors(probe: Probe | undefined, path: string): readonly FieldError[] {
  if (!probe) return NO_ERRORS;
  const { successThreshold = 0 } = probe;
  return [
    ...probeErrors(probe, path),
    ...invalidWhen(successThreshold !== 1, `${path}.successThreshold`, successThreshold, 'must be 1'),
  ];
}

const COUNTS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function probeErrors(probe: Probe, path: string): readonly FieldError[] {
  const { terminationGracePeriodSeconds: grace } = probe;
  return [
    ...handlerErrors(probe, path, undefined),
    ...COUNTS.flatMap((name) => nonNegative(`${path}.${name}`, probe[name])),
    ...invalidWhen(
      grace !== undefined && grace <= 0,
      `${path}.terminationGracePeriodSeconds`,
      grace,
      'must be greater than 0',
    ),
  ];
}
