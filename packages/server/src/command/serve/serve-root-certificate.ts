import type { ServeFlags } from '../flags/serve-flags.ts';
import { readTextFile } from '../read-text-file.ts';
import type { ServerIdentity } from '../storage/server-identity.ts';
import { certificatesIn } from './certificates-in.ts';

const FILE = 'root-ca-file';

/**
 * The authority of the server's certificate that every namespace is told, by the flags: where pods are given tokens, they are given that of
 * a server that made its own, too.
 * @throws UsageError
 */
export function rootCertificateOf(
  flags: ServeFlags,
  identity: ServerIdentity | undefined,
): string | undefined {
  const file = flags[FILE];
  if (file === undefined)
    return flags['enable-admission-plugins']?.includes('ServiceAccount')
      ? identity?.certificateAuthority
      : undefined;
  const text = readTextFile(FILE, file);
  certificatesIn(FILE, file, text);
  return text;
}
