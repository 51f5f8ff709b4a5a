import type { ServeFlags } from '../../flags/serve-flags.ts';
import { readTextFile } from '../../read-text-file.ts';
import type { ServerIdentity } from '../../storage/server-identity.ts';
import { certificatesIn } from './certificates-in.ts';

const FILE = 'root-ca-file';

/**
 * Returns the CA certificate that is published in every namespace: that of --root-ca-file, or the generated one where the admission
 * plugin ServiceAccount is enabled.
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
