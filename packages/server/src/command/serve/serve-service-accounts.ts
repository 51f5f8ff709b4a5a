import { existsSync } from 'node:fs';
import type { ServiceAccountKey } from '@ashlar/authn';
import type { Vocabulary } from '@ashlar/core';
import type { ServiceAccountOptions } from '../../assembly/service-accounts.ts';
import {
  generateServiceAccountKey,
  readSigningKey,
  readVerifyingKeys,
} from '../../certificates/service-account-signing-keys.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { readFile, readTextFile } from '../read-text-file.ts';
import type { StateFolder } from '../storage/state-folder.ts';
import { UsageError } from '../usage-error.ts';

const KEY_FILE = 'service-account.key';

/**
 * Returns the options of service account tokens. Without a key one is generated, and stored in the state folder if there is one: tokens then
 * stay valid after a restart.
 * @throws UsageError
 */
export function serviceAccountsOf(
  flags: ServeFlags,
  vocabulary: Vocabulary,
  folder: StateFolder | undefined,
): ServiceAccountOptions {
  const issuers = serviceAccountIssuersOf(flags, vocabulary);
  const keyFile = flags['service-account-signing-key-file'];
  const signingKey =
    keyFile === undefined
      ? ownKey(folder)
      : parsed('service-account-signing-key-file', keyFile, readSigningKey);
  const keyFiles = flags['service-account-key-file'];
  const keys = keyFiles
    ? keyFiles.flatMap((file) => parsed('service-account-key-file', file, readVerifyingKeys))
    : [signingKey, ...tlsKeys(flags)];
  const maximum = flags['service-account-max-token-expiration'];
  const extendsMounted = flags['service-account-extend-token-expiration'];
  return {
    issuers: issuers as readonly [string, ...string[]],
    signingKey,
    keys,
    ...(maximum && { maxExpirationSeconds: Math.floor(maximum / 1_000) }),
    ...(extendsMounted !== undefined && { extendsMounted }),
    ...(flags['service-account-lookup'] !== undefined && { lookup: flags['service-account-lookup'] }),
    ...(flags['service-account-jwks-uri'] && { keySetUri: flags['service-account-jwks-uri'] }),
  };
}

/** Returns the key of the server's certificate, where keys of its type sign tokens (semantics/access#authentication). */
function tlsKeys(flags: ServeFlags): readonly ServiceAccountKey[] {
  const file = flags['tls-private-key-file'];
  if (file === undefined) return [];
  const pem = readTextFile('tls-private-key-file', file);
  try {
    return readVerifyingKeys(pem);
  } catch {
    return [];
  }
}

/** Returns the accepted issuers of service account tokens; the first is this server. */
export function serviceAccountIssuersOf(flags: ServeFlags, { name }: Vocabulary): readonly string[] {
  return flags['service-account-issuer'] ?? [`https://${name}.default.svc`];
}

function ownKey(folder: StateFolder | undefined): ServiceAccountOptions['signingKey'] {
  const file = folder?.file(KEY_FILE);
  if (file !== undefined && existsSync(file)) {
    try {
      return readSigningKey(readFile(file));
    } catch (error) {
      throw new UsageError(`${file}: ${(error as Error).message}`);
    }
  }
  const { key, pem } = generateServiceAccountKey();
  folder?.write(KEY_FILE, pem);
  return key;
}

function parsed<T>(flag: string, file: string, read: (pem: string) => T): T {
  const pem = readTextFile(flag, file);
  try {
    return read(pem);
  } catch (error) {
    throw new UsageError(`flag --${flag}: ${file}: ${(error as Error).message}`);
  }
}
