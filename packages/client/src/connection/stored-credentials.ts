import { encodeUtf8 } from '@ashlar/codec';
import { encodeBase64 } from '@ashlar/core';
import { ClientConfigurationError, type UserEntry } from '../configuration/client-configuration.ts';
import type { CredentialReader } from '../configuration/connection-surroundings.ts';
import { bearerAuthorization, type Credentials } from './credentials.ts';

/**
 * The credentials of a user without a plugin. Data take precedence over a file, a token file over a token
 * (semantics/access#client-configuration).
 * @throws ClientConfigurationError if a file cannot be read, or fields contradict each other
 */
export function storedCredentials(user: UserEntry, name: string, reader: CredentialReader): Credentials {
  try {
    const authorization = authorizationOf(user, reader);
    return { ...(authorization !== undefined && { authorization }), ...certificateOf(user, reader) };
  } catch (error) {
    throw new ClientConfigurationError(`user ${JSON.stringify(name)}: ${(error as Error).message}`);
  }
}

function authorizationOf(
  { token, tokenFile, username, password, origin }: UserEntry,
  { readFile }: CredentialReader,
): string | undefined {
  const isBasic = username !== undefined || password !== undefined;
  const hasToken = token !== undefined || tokenFile !== undefined;
  if (isBasic && hasToken) throw new Error('it has both a token and a username or password');
  if (isBasic) return `Basic ${encodeBase64(encodeUtf8(`${username ?? ''}:${password ?? ''}`))}`;
  if (tokenFile === undefined) return token === undefined ? undefined : bearerAuthorization(token);
  const read = readFile(tokenFile, origin).trim();
  if (read === '') throw new Error(`${tokenFile} is empty`);
  return bearerAuthorization(read);
}

function certificateOf(
  user: UserEntry,
  { readFile, checkKeyPair }: CredentialReader,
): Pick<Credentials, 'certificate' | 'key'> {
  const part = (name: 'client-certificate' | 'client-key'): string | undefined => {
    const file = user[name];
    return user[`${name}-data`] ?? (file === undefined ? undefined : readFile(file, user.origin));
  };
  const certificate = part('client-certificate');
  const key = part('client-key');
  if (certificate === undefined && key === undefined) return {};
  if (certificate === undefined || key === undefined)
    throw new Error('it has a client-certificate without a client-key, or a client-key without one');
  checkKeyPair(certificate, key);
  return { certificate, key };
}
