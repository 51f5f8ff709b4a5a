import {
  choiceErrors,
  type FieldError,
  FieldErrors,
  ParseError,
  parseQuantity,
  qualifiedNameErrors,
} from '@ashlar/core';
import { follows, NO_ERRORS, required } from '../../field-rules.ts';

// Fields of a pod, and resources of its containers, as values for its own containers.

/** A reference to a field of the pod. */
export interface FieldReference {
  readonly apiVersion?: string;
  readonly fieldPath?: string;
}

/** A reference to a limit or a request of a container. */
export interface ResourceReference {
  readonly containerName?: string;
  readonly resource?: string;
  readonly divisor?: string;
}

/** Fields that environment variables may have as their value. */
export const FIELDS_FOR_VARIABLES: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

/** Fields that files may have as their content. */
export const FIELDS_FOR_FILES: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** Further fields that can be named, though neither variables nor files may have them. */
const OTHER_FIELDS: readonly string[] = ['spec.restartPolicy', 'spec.schedulerName', 'status.phase'];

const FIELDS: ReadonlySet<string> = new Set([...FIELDS_FOR_VARIABLES, ...FIELDS_FOR_FILES, ...OTHER_FIELDS]);

/** Errors of a reference to a field of the pod. @param allowed the fields that may be referred to */
export function fieldReferenceErrors(
  { apiVersion, fieldPath }: FieldReference,
  allowed: readonly string[],
  path: string,
): readonly FieldError[] {
  if (!apiVersion) return required(`${path}.apiVersion`, apiVersion);
  if (!fieldPath) return required(`${path}.fieldPath`, fieldPath);
  try {
    const { name, key } = namedField(apiVersion, fieldPath);
    if (key === undefined) return choiceErrors(`${path}.fieldPath`, name, allowed);
    return follows(path, name === 'metadata.annotations' ? key.toLowerCase() : key, qualifiedNameErrors);
  } catch (error) {
    if (!ParseError.is(error)) throw error;
    const why = `error converting fieldPath: ${error.message}`;
    return [FieldErrors.invalid(`${path}.fieldPath`, fieldPath, why)];
  }
}

/** @throws ParseError if there is no such field */
function namedField(apiVersion: string, fieldPath: string): { name: string; key?: string } {
  if (apiVersion !== 'v1') throw new ParseError(`unsupported pod version: ${apiVersion}`);
  const bracket = fieldPath.indexOf("['");
  if (bracket > 0 && fieldPath.endsWith("']")) {
    const name = fieldPath.slice(0, bracket);
    const key = fieldPath.slice(bracket + 2, -2);
    if (name === 'metadata.annotations' || name === 'metadata.labels') return { name, key };
    throw new ParseError(`field label does not support subscript: ${fieldPath}`);
  }
  if (fieldPath === 'spec.host') return { name: 'spec.nodeName' };
  if (!FIELDS.has(fieldPath)) throw new ParseError(`field label not supported: ${fieldPath}`);
  return { name: fieldPath };
}

const RESOURCES: readonly string[] = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

const HUGE_PAGES: RegExp = /^(?:limits|requests)\.hugepages-/;

/** Errors of a reference to a resource of a container. @param inFile whether it must name the container */
export function resourceReferenceErrors(
  { containerName, resource = '', divisor }: ResourceReference,
  inFile: boolean,
  path: string,
): readonly FieldError[] {
  const name =
    inFile && !containerName
      ? required(`${path}.containerName`, containerName)
      : resourceErrors(resource, `${path}.resource`);
  return [...name, ...divisorErrors(resource, divisor, `${path}.divisor`)];
}

function resourceErrors(resource: string, path: string): readonly FieldError[] {
  if (resource === '') return required(path, resource);
  return HUGE_PAGES.test(resource) ? NO_ERRORS : choiceErrors(path, resource, RESOURCES);
}

/** Divisors of memory and storage. */
const SIZES: readonly string[] = [
  ...['1', '1k', '1M', '1G', '1T', '1P', '1E'],
  ...['1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'],
];

/** The divisors of each resource, and how errors list them and name it. */
const DIVISORS: readonly (readonly [
  resource: RegExp,
  values: readonly string[],
  text: string,
  name: string,
])[] = [
  [/^(?:limits|requests)\.cpu$/, ['1m', '1'], '1m and 1', 'cpu'],
  [/^(?:limits|requests)\.memory$/, SIZES, SIZES.join(', '), 'memory'],
  [/^(?:limits|requests)\.ephemeral-storage$/, SIZES, SIZES.join(', '), 'local ephemeral storage'],
  [HUGE_PAGES, SIZES, SIZES.join(', '), 'hugepages'],
];

/** A divisor of zero is none. */
function divisorErrors(resource: string, divisor: string | undefined, path: string): readonly FieldError[] {
  const allowed = DIVISORS.find(([matches]) => matches.test(resource));
  if (!allowed || divisor === undefined || parseQuantity(divisor).sign === 0) return NO_ERRORS;
  const [, values, text, name] = allowed;
  if (values.includes(parseQuantity(divisor).toString())) return NO_ERRORS;
  const why = `only divisor's values ${text} are supported with the ${name} resource`;
  return [FieldErrors.invalid(path, resource, why)];
}
