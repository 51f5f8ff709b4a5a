import {
  decodeBase64,
  type FieldError,
  FieldErrors,
  goSyntax,
  PrintedValue,
  type Vocabulary,
} from '@ashlar/core';
import type {
  EncryptionConfiguration,
  EncryptionKey,
  EncryptionProvider,
  KeyedProvider,
} from './encryption-configuration.ts';
import { validateEncryptedResources } from './validate-encrypted-resources.ts';
import { validateKmsProvider } from './validate-kms-provider.ts';

export interface ValidateEncryptionOptions {
  readonly vocabulary: Vocabulary;
  readonly reload?: boolean;
}

const AES_KEY_BYTES: readonly number[] = [16, 24, 32];
const SECRETBOX_KEY_BYTES: readonly number[] = [32];

/** Returns every error of a configuration, in the order of its fields (semantics/lifecycle#encryption-at-rest). */
export function validateEncryptionConfiguration(
  { resources }: EncryptionConfiguration,
  { vocabulary, reload = false }: ValidateEncryptionOptions,
): readonly FieldError[] {
  if (resources.length === 0) return [atLeastOne('resources')];
  const kmsNames = new Set<string>();
  return resources.flatMap((entry, index) => {
    const names = `resources[${index}].resources`;
    const providers = `resources[${index}].providers`;
    return [
      ...(entry.resources.length === 0 ? [atLeastOne(names)] : []),
      ...validateEncryptedResources(entry.resources, names, vocabulary),
      ...(entry.providers.length === 0 ? [atLeastOne(providers)] : []),
      ...entry.providers.flatMap((provider, at) => {
        const path = `${providers}[${at}]`;
        const { kms } = provider;
        const errors = [...validateSingle(provider, path)];
        if (kms) errors.push(...validateKmsProvider(kms, `${path}.kms`, { names: kmsNames, reload }));
        else errors.push(...validateKeyed(provider, path));
        if (kms) kmsNames.add(kms.name);
        return errors;
      }),
    ];
  });
}

const atLeastOne = (field: string, what: string = field): FieldError =>
  FieldErrors.required(field, `at least one ${what} is required`);

const PROVIDERS = ['kms', 'aesgcm', 'aescbc', 'secretbox', 'identity'] as const;

function validateSingle(provider: EncryptionProvider, field: string): readonly FieldError[] {
  const found = PROVIDERS.filter((name) => provider[name] !== undefined);
  if (found.length === 1) return [];
  // secrets are not printed: the message names the members only
  const printed = new PrintedValue(goSyntax(found));
  return [
    FieldErrors.invalid(
      field,
      printed,
      found.length === 0
        ? 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity'
        : 'more than one provider specified in a single element, should split into different list elements',
    ),
  ];
}

/** Of several members only the first one's keys are validated. */
function validateKeyed(
  { aesgcm, aescbc, secretbox }: EncryptionProvider,
  path: string,
): readonly FieldError[] {
  if (aesgcm) return validateKeys(aesgcm, `${path}.aesgcm.keys`, AES_KEY_BYTES);
  if (aescbc) return validateKeys(aescbc, `${path}.aescbc.keys`, AES_KEY_BYTES);
  return secretbox ? validateKeys(secretbox, `${path}.secretbox.keys`, SECRETBOX_KEY_BYTES) : [];
}

function validateKeys(
  { keys }: KeyedProvider,
  field: string,
  lengths: readonly number[],
): readonly FieldError[] {
  if (keys.length === 0) return [atLeastOne(field, 'keys')];
  return keys.flatMap((key, index) => [...validateKey(key, `${field}[${index}]`, lengths)]);
}

function* validateKey(
  { name, secret }: EncryptionKey,
  field: string,
  lengths: readonly number[],
): Iterable<FieldError> {
  if (name === '') yield FieldErrors.required(`${field}.name`, 'name is a mandatory field for a key');
  if (secret === '') {
    yield FieldErrors.required(`${field}.secret`, 'secret is a mandatory field for a key');
    return;
  }
  const length = decodedLength(secret);
  if (length === undefined)
    yield FieldErrors.invalid(`${field}.secret`, 'REDACTED', 'secrets must be base64 encoded');
  else if (!lengths.includes(length))
    yield FieldErrors.invalid(
      `${field}.secret`,
      'REDACTED',
      `secret is not of the expected length, got ${length}, expected one of [${lengths.join(' ')}]`,
    );
}

function decodedLength(secret: string): number | undefined {
  try {
    return decodeBase64(secret).length;
  } catch {
    return undefined;
  }
}
