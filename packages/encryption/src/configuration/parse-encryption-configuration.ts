import { fieldErrorText, joinedMessages, parseDuration, type Vocabulary } from '@ashlar/core';
import { decodeEncryptionConfiguration } from './decode-encryption-configuration.ts';
import type { EncryptionConfiguration, EncryptionProvider, KmsProvider } from './encryption-configuration.ts';
import { EncryptionConfigurationError } from './encryption-configuration-error.ts';
import { validateEncryptionConfiguration } from './validate-encryption-configuration.ts';
import type {
  WrittenEncryptionConfiguration,
  WrittenKeys,
  WrittenKms,
  WrittenProvider,
} from './written-encryption-configuration.ts';

export interface ParseEncryptionOptions {
  readonly vocabulary: Vocabulary;
  /** Name of the file in messages. */
  readonly file: string;
  /** Whether the configuration may change while the server runs: names of key services must be unique then. Default false */
  readonly reload?: boolean;
}

/** Default limit of a call to a key service, in nanoseconds. */
const DEFAULT_TIMEOUT = 3_000_000_000n;
/** Default cache size of version 1. */
const DEFAULT_CACHE_SIZE = 1000;

/**
 * Parses an `EncryptionConfiguration` in JSON or YAML and validates it (semantics/lifecycle#encryption-at-rest).
 *
 * @throws EncryptionConfigurationError that says what is wrong with it
 */
export function parseEncryptionConfiguration(
  document: Uint8Array,
  options: ParseEncryptionOptions,
): EncryptionConfiguration {
  const configuration = read(document, options);
  const errors = validateEncryptionConfiguration(configuration, options);
  if (errors.length === 0) return configuration;
  const message = joinedMessages(errors.map((error) => new Error(fieldErrorText(error))));
  throw new EncryptionConfigurationError(`error while parsing file: ${message}`, errors);
}

function read(document: Uint8Array, { file, vocabulary }: ParseEncryptionOptions): EncryptionConfiguration {
  const named = `encryption provider configuration file "${file}"`;
  if (document.length === 0)
    throw new EncryptionConfigurationError(
      `error while parsing file: error while loading file: ${named} is empty`,
    );
  try {
    return withDefaults(decodeEncryptionConfiguration(document, vocabulary));
  } catch (error) {
    const { message } = error as Error;
    if (EncryptionConfigurationError.is(error)) throw error;
    throw new EncryptionConfigurationError(
      `error while parsing file: error decoding ${named}: ${message}`,
      [],
      error,
    );
  }
}

function withDefaults({ resources = [] }: WrittenEncryptionConfiguration): EncryptionConfiguration {
  return {
    resources: resources.map(({ resources: names = [], providers = [] }) => ({
      resources: names,
      providers: providers.map(providerOf),
    })),
  };
}

function providerOf({ aesgcm, aescbc, secretbox, identity, kms }: WrittenProvider): EncryptionProvider {
  return {
    ...(aesgcm && { aesgcm: keyed(aesgcm) }),
    ...(aescbc && { aescbc: keyed(aescbc) }),
    ...(secretbox && { secretbox: keyed(secretbox) }),
    ...(identity && { identity }),
    ...(kms && { kms: kmsOf(kms) }),
  };
}

const keyed = ({ keys = [] }: WrittenKeys): NonNullable<EncryptionProvider['aesgcm']> => ({
  keys: keys.map(({ name = '', secret = '' }) => ({ name, secret })),
});

function kmsOf({
  apiVersion: written,
  name = '',
  endpoint = '',
  timeout,
  cachesize,
}: WrittenKms): KmsProvider {
  const apiVersion = written || 'v1';
  const size = cachesize ?? (apiVersion === 'v1' ? DEFAULT_CACHE_SIZE : undefined);
  return {
    apiVersion,
    name,
    endpoint,
    timeout: timeout === undefined ? DEFAULT_TIMEOUT : parseDuration(timeout),
    ...(size !== undefined && { cachesize: size }),
  };
}
