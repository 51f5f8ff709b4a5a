import {
  type ApiObject,
  encodeBase64,
  type FieldError,
  FieldErrors,
  fieldErrorsOfSteps,
  jsonEqual,
  runAtOnce,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { builtInType } from '../types/built-in-type.ts';
import { ageColumn, column, nameColumn } from '../types/columns.ts';
import { kindSchema } from '../types/kind-schema.ts';
import { boolean, bytesMap, optional, string, stringMap } from '../types/schema-fields.ts';
import { withEntriesSteps } from '../types/sorted-map.ts';
import {
  base64BytesSteps,
  type DataMap,
  dataKeyErrors,
  frozen,
  MAXIMUM_DATA_BYTES,
  withoutNullsSteps,
} from './data-keys.ts';
import { compileSecretTypes, type SecretTypes } from './secret-types.ts';

/** Confidential bytes by key (semantics/lifecycle#events-and-leases). */
export interface Secret extends ApiObject {
  readonly immutable?: boolean;
  /** Base64. */
  readonly data?: DataMap;
  /** Strings that are merged into `data`; never stored. */
  readonly stringData?: DataMap;
  readonly type?: string;
}

const schema = kindSchema('api.core.v1.Secret', 'Confidential bytes by key.', {
  immutable: optional(boolean(5, 'Whether the data are frozen; cannot be taken back.')),
  data: bytesMap(2, 'Bytes by key.'),
  stringData: stringMap(4, 'Texts by key that are written into data; never read.'),
  type: string(3, 'What the secret is for; cannot change.', { typeName: 'api.core.v1.SecretType' }),
});

/** Secrets (semantics/lifecycle#events-and-leases). */
export function secrets(vocabulary: Vocabulary): ResourceDefinition {
  const types = compileSecretTypes(vocabulary);
  return builtInType({
    group: '',
    kind: 'Secret',
    plural: 'secrets',
    scope: 'Namespaced',
    version: {
      schema,
      complete: (object) => runAtOnce(completeSteps(object)),
      completeSteps,
      columns: [
        nameColumn,
        column('Type', 'What the secret is for.', typeOf),
        column('Data', 'Number of keys.', ({ data = {} }: Secret) => Object.keys(data).length),
        ageColumn,
      ],
      selectableFields: { names: ['type'], valueOf: typeOf },
    },
    strategy: {
      validateSteps: (object) => errorsOfSteps(object, types),
      updateChecks: ['metadata-change', 'change', 'metadata', 'object'],
      validateUpdate: changeErrors,
      warnings: (object: Secret) => types.get(typeOf(object))?.warnings?.(object.data ?? {}) ?? [],
    },
  });
}

const typeOf = ({ type }: Secret): string => type ?? '';

const utf8 = new TextEncoder();

/** Merges `stringData` into `data`, and sets the default type `Opaque`. */
function* completeSteps(object: Secret): Steps<Secret> {
  const { stringData, data, type, ...rest } = object;
  const bytes = data && (yield* withoutNullsSteps(data));
  const isFolded = stringData && Object.keys(stringData).length > 0;
  const folded = isFolded ? yield* withEntriesSteps(bytes ?? {}, bytesOf(stringData)) : bytes;
  return { ...rest, ...(folded && { data: folded }), type: type || 'Opaque' } as Secret;
}

/** Texts as bytes, encoded one by one as they are asked for. */
function* bytesOf(texts: DataMap): Iterable<readonly [key: string, base64: string]> {
  for (const key of Object.keys(texts)) yield [key, encodeBase64(utf8.encode(texts[key]))];
}

function* errorsOfSteps(object: Secret, types: SecretTypes): Steps<readonly FieldError[]> {
  const { data = {} } = object;
  const errors = yield* fieldErrorsOfSteps(Object.keys(data), (key) => dataKeyErrors('data', key));
  const isTooMuch = (yield* base64BytesSteps(data)) > MAXIMUM_DATA_BYTES;
  return [
    ...errors,
    ...(isTooMuch ? [FieldErrors.tooLong('data', MAXIMUM_DATA_BYTES)] : []),
    ...(types.get(typeOf(object))?.validate(object) ?? []),
  ];
}

function changeErrors(object: Secret, stored: Secret): readonly FieldError[] {
  const type = typeOf(object);
  const errors = type === typeOf(stored) ? [] : [FieldErrors.invalid('type', type, 'field is immutable')];
  if (!stored.immutable) return errors;
  if (!object.immutable) errors.push(frozen('immutable'));
  if (!jsonEqual(object.data, stored.data)) errors.push(frozen('data'));
  return errors;
}
