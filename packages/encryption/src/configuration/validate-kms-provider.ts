import { parseUrlReference } from '@ashlar/cel';
import { type FieldError, FieldErrors, goQuote, PrintedValue } from '@ashlar/core';
import type { KmsProvider } from './encryption-configuration.ts';

/** What is known about the other providers. */
export interface KmsProviderContext {
  /** The names of the providers before it. */
  readonly names: ReadonlySet<string>;
  readonly reload: boolean;
}

/** Returns the errors of a provider in the order of the reference: name, timeout, endpoint, cache size, version. */
export function validateKmsProvider(
  provider: KmsProvider,
  field: string,
  context: KmsProviderContext,
): readonly FieldError[] {
  return [
    ...validateName(provider, `${field}.name`, context),
    ...validateTimeout(provider, `${field}.timeout`),
    ...validateEndpoint(provider, `${field}.endpoint`),
    ...validateCacheSize(provider, `${field}.cachesize`),
    ...validateVersion(provider, `${field}.apiVersion`),
  ];
}

function* validateName(
  { name, apiVersion }: KmsProvider,
  field: string,
  { names, reload }: KmsProviderContext,
): Iterable<FieldError> {
  if (name === '') yield FieldErrors.required(field, 'name is a mandatory field for a provider');
  const isFirstVersion = apiVersion === 'v1';
  // the name ends with a colon where it is stored
  if (!isFirstVersion && name.includes(':'))
    yield FieldErrors.invalid(field, name, `invalid KMS provider name ${name}, must not contain ':'`);
  if ((reload || !isFirstVersion) && names.has(name))
    yield FieldErrors.invalid(field, name, `duplicate KMS provider name ${name}, names must be unique`);
}

function* validateTimeout({ timeout }: KmsProvider, field: string): Iterable<FieldError> {
  if (timeout > 0n) return;
  const printed = new PrintedValue(`v1.Duration{Duration:${timeout}}`);
  yield FieldErrors.invalid(field, printed, 'timeout should be a positive value');
}

function* validateEndpoint({ endpoint }: KmsProvider, field: string): Iterable<FieldError> {
  if (endpoint === '') {
    yield FieldErrors.invalid(field, '', 'endpoint is a mandatory field for a kms');
    return;
  }
  const url = parseUrlReference(endpoint);
  if (typeof url === 'string')
    yield FieldErrors.invalid(field, endpoint, `invalid endpoint for kms provider, error: ${url}`);
  else if (url.scheme !== 'unix')
    yield FieldErrors.invalid(
      field,
      endpoint,
      `unsupported scheme ${goQuote(url.scheme)} for KMS provider, only unix is supported`,
    );
}

function* validateCacheSize({ apiVersion, cachesize }: KmsProvider, field: string): Iterable<FieldError> {
  if (cachesize === undefined) return;
  if (apiVersion !== 'v1') yield FieldErrors.invalid(field, cachesize, 'cachesize is not supported in v2');
  else if (cachesize === 0)
    yield FieldErrors.invalid(
      field,
      cachesize,
      'cachesize should be a positive value, or negative to disable',
    );
}

function* validateVersion({ apiVersion }: KmsProvider, field: string): Iterable<FieldError> {
  if (apiVersion === 'v1' || apiVersion === 'v2') return;
  yield FieldErrors.invalid(
    field,
    apiVersion,
    'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported',
  );
}
