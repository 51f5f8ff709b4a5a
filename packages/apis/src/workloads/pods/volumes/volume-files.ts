import { type FieldError, fieldErrorsOf, type JsonObject } from '@ashlar/core';
import { each, forbiddenWhen, invalidWhen, NO_ERRORS, required, requiredWhen } from '../../field-rules.ts';
import {
  FIELDS_FOR_FILES,
  type FieldReference,
  fieldReferenceErrors,
  type ResourceReference,
  resourceReferenceErrors,
} from './downward-fields.ts';
import { fileMode, unreservedPath } from './file-paths.ts';
import type { VolumeProjection } from './volume-types.ts';

// Volumes whose files the platform writes: from secrets, config maps and the pod itself.

/** One key of an object and the file that gets its value. */
interface KeyFile {
  readonly key?: string;
  readonly path?: string;
  readonly mode?: number;
}

/** A file with a field of the pod. */
interface FieldFile {
  readonly path?: string;
  readonly fieldRef?: FieldReference;
  readonly resourceFieldRef?: ResourceReference;
  readonly mode?: number;
}

interface Files<T> {
  readonly name?: string;
  readonly secretName?: string;
  readonly defaultMode?: number;
  readonly items?: readonly T[];
}

/** Errors of a volume from a secret. */
export function secretErrors(source: JsonObject, path: string): readonly FieldError[] {
  const { secretName, defaultMode, items } = source as Files<KeyFile> & JsonObject;
  return [
    ...required(`${path}.secretName`, secretName),
    ...fileMode(`${path}.defaultMode`, defaultMode),
    ...each(`${path}.items`, items, keyFileErrors),
  ];
}

/** Errors of a volume from a config map. */
export function configMapErrors(source: JsonObject, path: string): readonly FieldError[] {
  const { name, defaultMode, items } = source as Files<KeyFile> & JsonObject;
  return [
    ...required(`${path}.name`, name),
    ...fileMode(`${path}.defaultMode`, defaultMode),
    ...each(`${path}.items`, items, keyFileErrors),
  ];
}

function keyFileErrors({ key, path: file, mode }: KeyFile, path: string): readonly FieldError[] {
  return [
    ...required(`${path}.key`, key),
    ...required(`${path}.path`, file),
    ...unreservedPath(`${path}.path`, file),
    ...fileMode(`${path}.mode`, mode),
  ];
}

/** Errors of a volume from fields of the pod; those of a file name the volume. */
export function downwardApiErrors(source: JsonObject, path: string): readonly FieldError[] {
  const { defaultMode, items } = source as Files<FieldFile> & JsonObject;
  return [
    ...fileMode(`${path}.defaultMode`, defaultMode),
    ...fieldErrorsOf(items ?? [], (file) => fieldFileErrors(file, path)),
  ];
}

function fieldFileErrors(file: FieldFile, path: string): readonly FieldError[] {
  return [
    ...required(`${path}.path`, file.path),
    ...unreservedPath(`${path}.path`, file.path),
    ...referenceErrors(file, path),
    ...fileMode(`${path}.mode`, file.mode),
  ];
}

function referenceErrors({ fieldRef, resourceFieldRef }: FieldFile, path: string): readonly FieldError[] {
  const both = 'fieldRef and resourceFieldRef can not be specified simultaneously';
  if (fieldRef)
    return [
      ...fieldReferenceErrors(fieldRef, FIELDS_FOR_FILES, `${path}.fieldRef`),
      ...invalidWhen(resourceFieldRef !== undefined, path, 'resource', both),
    ];
  return resourceFieldRef
    ? resourceReferenceErrors(resourceFieldRef, true, `${path}.resourceFieldRef`)
    : requiredWhen(true, path, 'one of fieldRef and resourceFieldRef is required');
}

/** Errors of a volume from several sources, which must not write the same file. */
export function projectedErrors(source: JsonObject, path: string): readonly FieldError[] {
  const { sources, defaultMode } = source as {
    readonly sources?: readonly VolumeProjection[];
    readonly defaultMode?: number;
  };
  const paths = new Set<string>();
  const conflict = (file: string | undefined, shown: string): readonly FieldError[] => {
    const isRepeated = Boolean(file) && paths.has(file ?? '');
    if (file) paths.add(file);
    return invalidWhen(isRepeated, path, shown, 'conflicting duplicate paths');
  };
  return [
    ...fileMode(`${path}.defaultMode`, defaultMode),
    ...each(`${path}.sources`, sources, (projection, at) =>
      projectionErrors(projection, { at, volume: path, conflict }),
    ),
  ];
}

interface ProjectionPlace {
  readonly at: string;
  readonly volume: string;
  /** @param shown what the error names */
  conflict(file: string | undefined, shown: string): readonly FieldError[];
}

function projectionErrors(
  { secret, configMap, downwardAPI, serviceAccountToken }: VolumeProjection,
  place: ProjectionPlace,
): readonly FieldError[] {
  const { at, volume, conflict } = place;
  const sources = [secret, configMap, downwardAPI, serviceAccountToken].filter(Boolean).length;
  return [
    ...keysErrors(secret as Files<KeyFile> | undefined, `${at}.secret`, place),
    ...keysErrors(configMap as Files<KeyFile> | undefined, `${at}.configMap`, place),
    ...fieldErrorsOf((downwardAPI as Files<FieldFile> | undefined)?.items ?? [], (file) => [
      ...fieldFileErrors(file, `${at}.downwardAPI`),
      ...conflict(file.path, file.path ?? ''),
    ]),
    ...(serviceAccountToken
      ? tokenErrors(serviceAccountToken, `${at}.serviceAccountToken`, volume)
      : NO_ERRORS),
    ...forbiddenWhen(sources > 1, at, 'may not specify more than 1 volume type per source'),
  ];
}

function keysErrors(
  files: Files<KeyFile> | undefined,
  path: string,
  { conflict }: ProjectionPlace,
): readonly FieldError[] {
  if (!files) return NO_ERRORS;
  const { name = '', items } = files;
  return [
    ...required(`${path}.name`, name),
    ...each(`${path}.items`, items, (file, at) => [...keyFileErrors(file, at), ...conflict(file.path, name)]),
  ];
}

const SHORTEST_SECONDS = 600;
const LONGEST_SECONDS = 2 ** 32;

interface TokenFile {
  readonly expirationSeconds?: number;
  readonly path?: string;
}

/** Errors of the file name the volume. */
function tokenErrors(
  { expirationSeconds: seconds = 0, path: file = '' }: TokenFile,
  path: string,
  volume: string,
): readonly FieldError[] {
  const at = `${path}.expirationSeconds`;
  return [
    ...invalidWhen(
      seconds < SHORTEST_SECONDS,
      at,
      seconds,
      'may not specify a duration less than 10 minutes',
    ),
    ...invalidWhen(
      seconds > LONGEST_SECONDS,
      at,
      seconds,
      'may not specify a duration larger than 2^32 seconds',
    ),
    ...required(`${volume}.path`, file),
    ...(file === '' ? NO_ERRORS : unreservedPath(`${volume}.path`, file)),
  ];
}
