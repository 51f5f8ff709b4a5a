import { decodeJson } from '@ashlar/codec';
import {
  type ApiObject,
  decodeBase64,
  type FieldError,
  FieldErrors,
  isJsonObject,
  type JsonValue,
  jsonTypeError,
  type Vocabulary,
} from '@ashlar/core';
import { keyPairWarnings } from '../keys/key-pair.ts';
import type { DataMap } from './data-keys.ts';

/** Required keys by secret type (semantics/lifecycle#events-and-leases). */
interface SecretType {
  validate(secret: SecretContent): readonly FieldError[];
  warnings?(data: DataMap): readonly string[];
}

interface SecretContent extends ApiObject {
  readonly data?: DataMap;
}

/** The types with required keys, by name. */
export type SecretTypes = ReadonlyMap<string, SecretType>;

const TLS_CERTIFICATE = 'tls.crt';
const TLS_KEY = 'tls.key';

/** The types of secrets with rules, under the vocabulary's names. */
export function compileSecretTypes({ labelDomain }: Vocabulary): SecretTypes {
  const account = `${labelDomain}/service-account.name`;
  return new Map<string, SecretType>([
    [`${labelDomain}/service-account-token`, { validate: (secret) => annotationErrors(secret, account) }],
    [`${labelDomain}/dockercfg`, { validate: ({ data }) => jsonErrors(data, '.dockercfg') }],
    [`${labelDomain}/dockerconfigjson`, { validate: ({ data }) => jsonErrors(data, '.dockerconfigjson') }],
    [`${labelDomain}/basic-auth`, { validate: ({ data }) => basicAuthErrors(data) }],
    [
      `${labelDomain}/ssh-auth`,
      { validate: ({ data }) => (data?.['ssh-privatekey'] ? [] : required('ssh-privatekey')) },
    ],
    [
      `${labelDomain}/tls`,
      {
        validate: ({ data }) => [...keyErrors(data, TLS_CERTIFICATE), ...keyErrors(data, TLS_KEY)],
        warnings: (data) => keyPairWarnings(data[TLS_CERTIFICATE] ?? '', data[TLS_KEY] ?? ''),
      },
    ],
  ]);
}

const required = (key: string): FieldError[] => [FieldErrors.required(`data[${key}]`)];

const keyErrors = (data: DataMap | undefined, key: string): FieldError[] =>
  data?.[key] === undefined ? required(key) : [];

function annotationErrors({ metadata }: ApiObject, annotation: string): FieldError[] {
  if (metadata.annotations?.[annotation]) return [];
  return [FieldErrors.required(`metadata.annotations[${annotation}]`)];
}

/** One of the two is required, and may be empty. */
function basicAuthErrors(data: DataMap | undefined): FieldError[] {
  const errors = [...keyErrors(data, 'username'), ...keyErrors(data, 'password')];
  return errors.length === 2 ? errors : [];
}

/** The value must be a JSON object; errors do not contain it. */
function jsonErrors(data: DataMap | undefined, key: string): FieldError[] {
  const base64 = data?.[key];
  if (base64 === undefined) return required(key);
  const why = whyNoJsonObject(decodeBase64(base64));
  return why === undefined ? [] : [FieldErrors.invalid(`data[${key}]`, '<secret contents redacted>', why)];
}

function whyNoJsonObject(bytes: Uint8Array): string | undefined {
  const value = decoded(bytes);
  if (value instanceof Error) return value.message;
  if (value === null || isJsonObject(value)) return undefined;
  return jsonTypeError(value, 'map[string]interface {}').message;
}

function decoded(bytes: Uint8Array): JsonValue | Error {
  try {
    return decodeJson(bytes).value;
  } catch (error) {
    return error as Error;
  }
}
