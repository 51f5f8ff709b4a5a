import {
  configMapKeyErrors,
  dns1123SubdomainErrors,
  type FieldError,
  type NameRule,
  validateDnsSubdomain,
} from '@ashlar/core';
import { each, follows, invalidWhen, NO_ERRORS, named, optionalFollows } from '../field-rules.ts';
import type { EnvFromSource, EnvVar, KeyReference } from './container-types.ts';
import {
  FIELDS_FOR_VARIABLES,
  fieldReferenceErrors,
  resourceReferenceErrors,
} from './volumes/downward-fields.ts';

/** Names that current programs accept: printable ASCII without an equals sign. */
const variableNameErrors: NameRule = (name) =>
  /^[ -<>-~]*$/.test(name)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];

/** Errors of environment variables. */
export function variablesErrors(
  variables: readonly EnvVar[] | undefined,
  path: string,
): readonly FieldError[] {
  return each(path, variables, (variable, at) => [
    ...named(`${at}.name`, variable.name, variableNameErrors),
    ...(variable.valueFrom ? sourceErrors(variable, `${at}.valueFrom`) : NO_ERRORS),
  ]);
}

const TOO_MANY = 'may not have more than one field specified at a time';

function sourceErrors({ value = '', valueFrom = {} }: EnvVar, path: string): readonly FieldError[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef].filter(Boolean).length;
  const none = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
  return [
    ...(fieldRef ? fieldReferenceErrors(fieldRef, FIELDS_FOR_VARIABLES, `${path}.fieldRef`) : NO_ERRORS),
    ...(resourceFieldRef
      ? resourceReferenceErrors(resourceFieldRef, false, `${path}.resourceFieldRef`)
      : NO_ERRORS),
    ...(configMapKeyRef ? keyErrors(configMapKeyRef, `${path}.configMapKeyRef`) : NO_ERRORS),
    ...(secretKeyRef ? keyErrors(secretKeyRef, `${path}.secretKeyRef`) : NO_ERRORS),
    ...invalidWhen(sources === 0, path, '', none),
    ...invalidWhen(sources > 0 && value !== '', path, '', 'may not be specified when `value` is not empty'),
    ...invalidWhen(sources > 1 && value === '', path, '', TOO_MANY),
  ];
}

/** A missing name is a wrong one, a missing key is missing. */
function keyErrors({ name = '', key }: KeyReference, path: string): readonly FieldError[] {
  return [
    ...follows(`${path}.name`, name, dns1123SubdomainErrors),
    ...named(`${path}.key`, key, configMapKeyErrors),
  ];
}

/** Here the name of an object may end with a dash. */
const objectNameErrors: NameRule = (name) => validateDnsSubdomain(name, true);

/** Errors of objects all of whose values are environment variables. */
export function variableSetsErrors(
  sources: readonly EnvFromSource[] | undefined,
  path: string,
): readonly FieldError[] {
  return each(path, sources, ({ prefix, configMapRef, secretRef }, at) => [
    ...optionalFollows(`${at}.prefix`, prefix, variableNameErrors),
    ...(configMapRef ? named(`${at}.configMapRef.name`, configMapRef.name, objectNameErrors) : NO_ERRORS),
    ...(secretRef ? named(`${at}.secretRef.name`, secretRef.name, objectNameErrors) : NO_ERRORS),
    ...invalidWhen(
      !configMapRef && !secretRef,
      path,
      '',
      'must specify one of: `configMapRef` or `secretRef`',
    ),
    ...invalidWhen(Boolean(configMapRef && secretRef), path, '', TOO_MANY),
  ]);
}
