import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  fieldErrorsOfSteps,
  jsonEqual,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { builtInType } from '../types/built-in-type.ts';
import { ageColumn, column, nameColumn } from '../types/columns.ts';
import { kindSchema } from '../types/kind-schema.ts';
import { boolean, bytesMap, optional, stringMap } from '../types/schema-fields.ts';
import {
  type DataMap,
  dataKeyErrors,
  frozen,
  isTooMuchSteps,
  MAXIMUM_DATA_BYTES,
  withoutNulls,
} from './data-keys.ts';

/** Configuration by key (semantics/lifecycle#events-and-leases). */
export interface ConfigMap extends ApiObject {
  readonly immutable?: boolean;
  readonly data?: DataMap;
  /** Base64. */
  readonly binaryData?: DataMap;
}

const schema = kindSchema('api.core.v1.ConfigMap', 'Settings by key.', {
  immutable: optional(boolean(4, 'Whether the data are frozen; cannot be taken back.')),
  data: stringMap(2, 'Texts by key; the keys must not be those of binaryData.'),
  binaryData: bytesMap(3, 'Bytes by key; the keys must not be those of data.'),
});

/** ConfigMaps (semantics/lifecycle#events-and-leases). */
export function configMaps(_vocabulary: Vocabulary): ResourceDefinition {
  return builtInType({
    group: '',
    kind: 'ConfigMap',
    plural: 'configmaps',
    shortNames: ['cm'],
    scope: 'Namespaced',
    version: { schema, columns: [nameColumn, column('Data', 'Number of keys.', countKeys), ageColumn] },
    strategy: {
      prepareForCreate: complete,
      prepareForUpdate: complete,
      validateSteps,
      updateChecks: ['metadata-change', 'change', 'metadata', 'object'],
      validateUpdate: frozenErrors,
    },
  });
}

function complete(object: ConfigMap): ConfigMap {
  const binaryData = withoutNulls(object.binaryData);
  return binaryData === object.binaryData ? object : ({ ...object, binaryData } as ConfigMap);
}

const countKeys = ({ data = {}, binaryData = {} }: ConfigMap): number =>
  Object.keys(data).length + Object.keys(binaryData).length;

function* validateSteps({ data = {}, binaryData = {} }: ConfigMap): Steps<readonly FieldError[]> {
  const errors = [
    ...(yield* fieldErrorsOfSteps(Object.keys(data), (key) => {
      const own = dataKeyErrors('data', key);
      if (!Object.hasOwn(binaryData, key)) return own;
      return [...own, FieldErrors.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')];
    })),
    ...(yield* fieldErrorsOfSteps(Object.keys(binaryData), (key) => dataKeyErrors('binaryData', key))),
  ];
  const isTooMuch = yield* isTooMuchSteps(data, binaryData);
  return isTooMuch ? [...errors, FieldErrors.tooLong('[]', MAXIMUM_DATA_BYTES)] : errors;
}

function frozenErrors(object: ConfigMap, stored: ConfigMap): readonly FieldError[] {
  if (!stored.immutable) return [];
  return [
    ...(object.immutable ? [] : [frozen('immutable')]),
    ...(jsonEqual(object.data, stored.data) ? [] : [frozen('data')]),
    ...(jsonEqual(object.binaryData, stored.binaryData) ? [] : [frozen('binaryData')]),
  ];
}
