import { type FieldError, FieldErrors, type Vocabulary } from '@ashlar/core';
import type { AnonymousConfiguration, AuthenticationConfiguration } from './authentication-configuration.ts';
import { compileJwtRules } from './jwt-rules.ts';
import { validateIssuer } from './validate-issuer.ts';

const MAXIMUM_ISSUERS = 64;

/**
 * Validates a configuration; returns its errors in the order of its fields (semantics/access#jwt).
 * @param disallowedIssuers issuers that it may not name
 */
export function validateAuthenticationConfiguration(
  { jwt = [], anonymous }: AuthenticationConfiguration,
  vocabulary: Vocabulary,
  disallowedIssuers: readonly string[],
): readonly FieldError[] {
  if (jwt.length > MAXIMUM_ISSUERS) return [FieldErrors.tooMany('jwt', jwt.length, MAXIMUM_ISSUERS)];
  const urls = new Set<string>();
  const discoveryUrls = new Set<string>();
  const errors = jwt.flatMap((each, i) => {
    const { issuer = {} } = each;
    const field = `jwt[${i}]`;
    return [
      ...validateIssuer(`${field}.issuer`, issuer, disallowedIssuers),
      ...compileJwtRules(each, vocabulary, `${field}.`).errors,
      ...repeated(urls, `${field}.issuer.url`, issuer.url ?? ''),
      ...(issuer.discoveryURL
        ? repeated(discoveryUrls, `${field}.issuer.discoveryURL`, issuer.discoveryURL)
        : []),
    ];
  });
  return [...errors, ...validateAnonymous(anonymous)];
}

function repeated(seen: Set<string>, field: string, value: string): readonly FieldError[] {
  if (seen.has(value)) return [FieldErrors.duplicate(field, value)];
  seen.add(value);
  return [];
}

function validateAnonymous(anonymous: AnonymousConfiguration | undefined): readonly FieldError[] {
  const { enabled = false, conditions = [] } = anonymous ?? {};
  if (enabled || conditions.length === 0) return [];
  const detail = 'enabled should be set to true when conditions are defined';
  return [FieldErrors.invalid('anonymous.conditions', conditions, detail)];
}
