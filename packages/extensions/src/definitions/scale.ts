import { ageColumn, column, nameColumn, type Scale, scaleKind, scaleObject } from '@ashlar/apis';
import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  goQuote,
  goTypeName,
  goValue,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  StatusError,
} from '@ashlar/core';
import type { ViewSubresource } from '@ashlar/registry';
import type { ScaleSubresource } from './custom-resource-definition.ts';

const MAXIMUM_REPLICAS = 2_147_483_647;

/** Marks missing replicas; no client can submit it. */
const UNSET = -2_147_483_648;

/** Returns the `scale` subresource of a custom resource, with the paths of its definition (semantics/verbs#subresources). */
export function scaleSubresource(scale: ScaleSubresource): ViewSubresource {
  const { specReplicasPath } = scale;
  const paths = readPaths(scale);
  const show = (object: ApiObject, unset: number | undefined): ApiObject => {
    const replicas = readable(() => numberAt(object, paths.specReplicas));
    const shown = readable(() => toScale(object, replicas ?? unset ?? 0, paths));
    if (replicas === undefined && unset === undefined)
      throw StatusError.internalError(
        new Error(`the spec replicas field ${goQuote(specReplicasPath)} does not exist`),
      );
    return shown;
  };
  return {
    ...scaleKind,
    replicasPath: paths.specReplicas,
    columns: [
      nameColumn,
      { ...column('Desired', 'How many there are to be.', desired), type: 'integer' },
      { ...column('Available', 'How many there are.', available), type: 'integer' },
      { ...ageColumn, type: 'date' },
    ],
    view: (object) => show(object, undefined),
    viewForUpdate: (object) => show(object, UNSET),
    merge(submitted: Scale, stored) {
      const replicas = submitted.spec?.replicas ?? 0;
      if (replicas === UNSET)
        throw StatusError.badRequest(`the spec replicas field ${goQuote(specReplicasPath)} cannot be empty`);
      return withNumber(
        stored as unknown as JsonObject,
        paths.specReplicas,
        replicas,
      ) as unknown as ApiObject;
    },
    // the parent object is validated instead
    validate: () => [],
  };
}

/** Runs a function that reads values. @throws StatusError 500 for a value of another type */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) throw new StatusError({ code: 500, reason: '', message: error.message });
    throw error;
  }
}

const desired = ({ spec }: Scale): JsonValue => spec?.replicas ?? null;
const available = ({ status }: ApiObject): JsonValue =>
  isJsonObject(status as JsonValue) ? ((status as JsonObject).replicas ?? 0) : 0;

interface Paths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly selector: readonly string[] | undefined;
}

const readPaths = ({ specReplicasPath, statusReplicasPath, labelSelectorPath }: ScaleSubresource): Paths => ({
  specReplicas: stepsOf(specReplicasPath),
  statusReplicas: stepsOf(statusReplicasPath),
  selector: labelSelectorPath ? stepsOf(labelSelectorPath) : undefined,
});

const stepsOf = (path: string): readonly string[] => path.replace(/^\./, '').split('.');

function toScale(
  object: ApiObject,
  desired: number,
  { statusReplicas: present, selector }: Paths,
): ApiObject {
  const actual = numberAt(object, present) ?? 0;
  return scaleObject(object, { desired, actual }, (selector && textAt(object, selector)) ?? '');
}

/** Returns the value at a path. @throws TypeError if a value on the path is not an object */
function valueAtSteps(object: ApiObject, steps: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object as unknown as JsonValue;
  for (const [index, step] of steps.entries()) {
    if (value === undefined || value === null) return undefined;
    if (!isJsonObject(value)) throw notOfType(steps.slice(0, index + 1), value, 'map[string]interface{}');
    value = Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

const notOfType = (steps: readonly string[], value: JsonValue, expectedType: string): TypeError =>
  new TypeError(
    `.${steps.join('.')} accessor error: ${goValue(value)} is of the type ${goTypeName(value)}, expected ${expectedType}`,
  );

/** Large integers are bigints: a larger number was written with an exponent, which is no integer. @throws TypeError for a value of another type */
function numberAt(object: ApiObject, steps: readonly string[]): number | undefined {
  const value = valueAtSteps(object, steps);
  if (value === undefined || Number.isSafeInteger(value)) return value as number | undefined;
  if (typeof value === 'bigint') return Number(value);
  throw notOfType(steps, value, 'int64');
}

/** @throws TypeError for a value of another type */
function textAt(object: ApiObject, steps: readonly string[]): string | undefined {
  const value = valueAtSteps(object, steps);
  if (value === undefined || typeof value === 'string') return value;
  throw notOfType(steps, value, 'string');
}

/**
 * Returns an object with another number at a path.
 * @param before the path to the object
 * @throws StatusError 500 if a value on the path is not an object
 */
function withNumber(
  object: JsonObject,
  [step = '', ...rest]: readonly string[],
  number: number,
  before = '',
): JsonObject {
  if (rest.length === 0) return { ...object, [step]: number };
  const path = `${before}.${step}`;
  const inside = Object.hasOwn(object, step) ? object[step] : {};
  if (!isJsonObject(inside ?? null)) {
    const message = `value cannot be set because ${path} is not a map[string]interface{}`;
    throw new StatusError({ code: 500, reason: '', message });
  }
  return { ...object, [step]: withNumber(inside as JsonObject, rest, number, path) };
}

/** Errors of the replicas in an object; their field is the path itself. */
export function scaleErrors(
  object: ApiObject,
  scale: ScaleSubresource,
  statusOnly: boolean,
): readonly FieldError[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const paths = readPaths(scale);
  return [
    ...(statusOnly ? [] : numberErrors(object, paths.specReplicas, specReplicasPath)),
    ...numberErrors(object, paths.statusReplicas, statusReplicasPath),
    ...(paths.selector && labelSelectorPath ? textErrors(object, paths.selector, labelSelectorPath) : []),
  ];
}

function numberErrors(object: ApiObject, steps: readonly string[], field: string): readonly FieldError[] {
  try {
    const number = numberAt(object, steps) ?? 0;
    if (number < 0) return [FieldErrors.invalid(field, number, 'should be a non-negative integer')];
    if (number <= MAXIMUM_REPLICAS) return [];
    return [FieldErrors.invalid(field, number, `should be less than or equal to ${MAXIMUM_REPLICAS}`)];
  } catch (error) {
    if (error instanceof TypeError) return [FieldErrors.invalid(field, 0, error.message)];
    throw error;
  }
}

function textErrors(object: ApiObject, steps: readonly string[], field: string): readonly FieldError[] {
  try {
    textAt(object, steps);
    return [];
  } catch (error) {
    if (error instanceof TypeError) return [FieldErrors.invalid(field, '', error.message)];
    throw error;
  }
}
