import { type FieldError, FieldErrors, portNameErrors, requiredChoiceErrors } from '@ashlar/core';
import { each, follows, NO_ERRORS, portNumber, repetition, required } from '../field-rules.ts';
import { PROTOCOLS } from '../shapes/shared/enumerations.ts';
import type { Container, ContainerPort } from './container-types.ts';

/** Errors of the ports of a container. */
export function portsErrors(
  ports: readonly ContainerPort[] | undefined,
  path: string,
): readonly FieldError[] {
  const repeated = repetition();
  return each(path, ports, (port, at) => [
    ...nameErrors(port.name, `${at}.name`, repeated),
    ...(port.containerPort
      ? portNumber(`${at}.containerPort`, port.containerPort)
      : required(`${at}.containerPort`, undefined)),
    ...(port.hostPort ? portNumber(`${at}.hostPort`, port.hostPort) : NO_ERRORS),
    ...requiredChoiceErrors(`${at}.protocol`, port.protocol, PROTOCOLS),
  ]);
}

/** An invalid name is not a duplicate. */
function nameErrors(
  name: string | undefined,
  path: string,
  repeated: (name: string) => boolean,
): readonly FieldError[] {
  if (!name) return NO_ERRORS;
  const errors = follows(path, name, portNameErrors);
  if (errors.length > 0) return errors;
  return repeated(name) ? [FieldErrors.duplicate(path, name)] : NO_ERRORS;
}

/** Containers that run at the same time cannot have the same port of their host. */
export function hostPortErrors(containers: readonly Container[], path: string): readonly FieldError[] {
  const repeated = repetition();
  return each(path, containers, ({ ports }, container) =>
    each(`${container}.ports`, ports, ({ protocol = '', hostIP = '', hostPort }, at) => {
      const text = `${protocol}/${hostIP}/${hostPort}`;
      return hostPort && repeated(text) ? [FieldErrors.duplicate(`${at}.hostPort`, text)] : NO_ERRORS;
    }),
  );
}

/**
 * On the host's network the ports of containers are the host's. Pods have defaults for them, templates may
 * leave them out.
 */
export function hostNetworkErrors(
  containers: readonly Container[] | null | undefined,
  isPod: boolean,
  path: string,
): readonly FieldError[] {
  return each(path, containers, ({ ports }, container) =>
    each(`${container}.ports`, ports, ({ containerPort = 0, hostPort = 0 }, at) =>
      (isPod || hostPort !== 0) && hostPort !== containerPort
        ? [
            FieldErrors.invalid(
              `${at}.hostPort`,
              hostPort,
              'must match `containerPort` when `hostNetwork` is true',
            ),
          ]
        : NO_ERRORS,
    ),
  );
}
