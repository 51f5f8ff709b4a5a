import {
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  type JsonObject,
  utf8Length,
} from '@ashlar/core';
import { follows, NO_ERRORS, required } from '../../field-rules.ts';

const LONGEST_DRIVER_BYTES = 63;

/** Errors of the name of a driver, which may have capitals. */
export function driverNameErrors(name: string, path: string): readonly FieldError[] {
  return [
    ...required(path, name),
    ...(utf8Length(name) > LONGEST_DRIVER_BYTES
      ? [FieldErrors.tooLong(path, LONGEST_DRIVER_BYTES)]
      : NO_ERRORS),
    ...dns1123SubdomainErrors(name.toLowerCase()).map((why) => FieldErrors.invalid(path, name, why)),
  ];
}

/** Errors of the secret of a driver; those of its text name another place. */
export function secretNameErrors(secret: JsonObject | undefined, path: string): readonly FieldError[] {
  if (!secret) return NO_ERRORS;
  return secret.name
    ? follows(`${path}.name`, String(secret.name), dns1123SubdomainErrors)
    : required(`${path}.nodePublishSecretRef.name`, undefined);
}
