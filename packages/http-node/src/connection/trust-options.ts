import type { SecureContextOptions } from 'node:tls';

/**
 * Which certificates of servers are trusted, as options of Node. Each is trusted as it is, as by programs in Go: a bundle may also consist of the
 * certificate of a server itself, or of an intermediate authority.
 * @param authorities PEM; undefined for those of Node
 */
export function trustOptions(
  authorities: string | undefined,
): Pick<SecureContextOptions, 'ca' | 'allowPartialTrustChain'> {
  return authorities === undefined ? {} : { ca: authorities, allowPartialTrustChain: true };
}
