import { parseUrlReference } from '@ashlar/cel';
import { type FieldError, FieldErrors, readPem, withoutTrailing } from '@ashlar/core';
import { parseCertificate } from '../certificates/certificate.ts';
import type { IssuerConfiguration } from './authentication-configuration.ts';

/** Validates the configuration of an issuer (semantics/access#jwt). */
export function validateIssuer(
  field: string,
  issuer: IssuerConfiguration,
  disallowed: readonly string[],
): FieldError[] {
  const { url = '', discoveryURL = '', audiences = [], certificateAuthority = '' } = issuer;
  return [
    ...(url === ''
      ? [FieldErrors.required(`${field}.url`, 'URL is required')]
      : validateUrl(`${field}.url`, url, disallowed)),
    ...validateDiscoveryUrl(`${field}.discoveryURL`, url, discoveryURL),
    ...validateAudiences(field, audiences, issuer.audienceMatchPolicy ?? ''),
    ...validateAuthority(`${field}.certificateAuthority`, certificateAuthority),
  ];
}

function validateUrl(field: string, url: string, disallowed: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const invalid = (detail: string): void => void errors.push(FieldErrors.invalid(field, url, detail));
  if (disallowed.includes(url))
    invalid(`URL must not overlap with disallowed issuers: [${[...new Set(disallowed)].sort().join(' ')}]`);
  const parts = parseUrlReference(url);
  if (typeof parts === 'string') {
    invalid(parts);
    return errors;
  }
  if (parts.scheme !== 'https') invalid('URL scheme must be https');
  if (/^[^:/?#]*:?\/\/[^/?#]*@/.test(url)) invalid('URL must not contain a username or password');
  if (parts.query !== '') invalid('URL must not contain a query');
  if (/#./s.test(url)) invalid('URL must not contain a fragment');
  return errors;
}

function validateDiscoveryUrl(field: string, url: string, discoveryUrl: string): FieldError[] {
  if (discoveryUrl === '') return [];
  const isSame = url !== '' && withoutTrailing(url, '/') === withoutTrailing(discoveryUrl, '/');
  return [
    ...(isSame ? [FieldErrors.invalid(field, discoveryUrl, 'discoveryURL must be different from URL')] : []),
    ...validateUrl(field, discoveryUrl, []),
  ];
}

function validateAudiences(field: string, audiences: readonly string[], policy: string): FieldError[] {
  const list = `${field}.audiences`;
  if (audiences.length === 0) return [FieldErrors.required(list, `at least one ${list} is required`)];
  const seen = new Set<string>();
  const errors = audiences.flatMap((audience, i) => {
    const repeated = seen.has(audience);
    seen.add(audience);
    return [
      ...(audience === '' ? [FieldErrors.required(`${list}[${i}]`, "audience can't be empty")] : []),
      ...(repeated ? [FieldErrors.duplicate(`${list}[${i}]`, audience)] : []),
    ];
  });
  const isKnown = policy === 'MatchAny' || (policy === '' && audiences.length === 1);
  if (isKnown) return errors;
  const detail =
    audiences.length > 1
      ? 'audienceMatchPolicy must be MatchAny for multiple audiences'
      : 'audienceMatchPolicy must be empty or MatchAny for single audience';
  return [...errors, FieldErrors.invalid(`${field}.audienceMatchPolicy`, policy, detail)];
}

function validateAuthority(field: string, pem: string): FieldError[] {
  if (pem === '') return [];
  const invalid = (detail: string): FieldError[] => [FieldErrors.invalid(field, '<omitted>', detail)];
  const blocks = readPem(pem).filter(({ type }) => type === 'CERTIFICATE');
  if (blocks.length === 0) return invalid('data does not contain any valid RSA or ECDSA certificates');
  try {
    for (const { bytes } of blocks) parseCertificate(bytes);
    return [];
  } catch {
    return invalid('x509: malformed certificate');
  }
}
