import { byteString, decodeUtf8, encodeUtf8 } from '@ashlar/codec';
import { ClientConfigurationError, type UserEntry } from '../configuration/client-configuration.ts';

/**
 * The headers of impersonation (semantics/access#impersonation); none without it.
 * @throws ClientConfigurationError if groups, uid or extra fields are impersonated without a user
 */
export function impersonationHeaders(
  { as, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra }: UserEntry,
  name: string,
): Readonly<Record<string, string | readonly string[]>> {
  if (as === undefined) {
    if (uid === undefined && groups.length === 0 && extra.size === 0) return {};
    throw new ClientConfigurationError(
      `user ${JSON.stringify(name)}: as-uid, as-groups and as-user-extra need as`,
    );
  }
  return {
    'impersonate-user': byteString(as),
    ...(uid !== undefined && { 'impersonate-uid': byteString(uid) }),
    ...(groups.length > 0 && { 'impersonate-group': groups.map(byteString) }),
    ...Object.fromEntries(
      [...extra].map(([key, values]) => [`impersonate-extra-${headerKey(key)}`, values.map(byteString)]),
    ),
  };
}

/** A key as part of a header name: invalid characters are escaped, lone surrogates are replaced. */
const headerKey = (key: string): string =>
  encodeURIComponent(decodeUtf8(encodeUtf8(key)))
    .replace(/[()]/g, (bracket) => `%${bracket.charCodeAt(0).toString(16)}`)
    .toLowerCase();
