import { type ApiObject, millisecondsOf, parseTime, type Vocabulary } from '@ashlar/core';

/** The fields of a bootstrap token secret; absent strings are empty. */
export interface BootstrapSecret {
  /** Six characters; public. */
  readonly id: string;
  /** Sixteen characters. */
  readonly secret: string;
  /** Expiry of the token in milliseconds since 1970; infinite without one; an invalid time has expired. */
  readonly ends: number;
  /** Whether it authenticates. */
  readonly authenticates: boolean;
  /** Whether it signs the public information of the cluster. */
  readonly signs: boolean;
  /** Separated by commas. */
  readonly extraGroups: string;
}

/** Type of the secrets that hold bootstrap tokens. */
export function bootstrapSecretType({ labelDomain }: Vocabulary): string {
  return `bootstrap.${labelDomain}/token`;
}

/** The secret of a token. */
export function bootstrapSecretName(id: string): string {
  return `bootstrap-token-${id}`;
}

/** Parses a bootstrap token secret (semantics/access#authentication); undefined for secrets of other types. */
export function readBootstrapSecret(
  { type, data }: ApiObject,
  vocabulary: Vocabulary,
): BootstrapSecret | undefined {
  if (type !== bootstrapSecretType(vocabulary)) return undefined;
  const fields = (data ?? {}) as Readonly<Record<string, string>>;
  const text = (name: string): string => (Object.hasOwn(fields, name) ? atob(fields[name] as string) : '');
  return {
    id: text('token-id'),
    secret: text('token-secret'),
    ends: endOf(text('expiration')),
    authenticates: text('usage-bootstrap-authentication') === 'true',
    signs: text('usage-bootstrap-signing') === 'true',
    extraGroups: text('auth-extra-groups'),
  };
}

function endOf(expiration: string): number {
  if (expiration === '') return Number.POSITIVE_INFINITY;
  try {
    return millisecondsOf(parseTime(expiration));
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}

/** @param now milliseconds since 1970 */
export function isBootstrapSecretExpired({ ends }: BootstrapSecret, now: number): boolean {
  return now >= ends;
}
