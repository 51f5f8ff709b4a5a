import { LISTENER } from './flag-groups.ts';
import { concatenated } from './flag-kinds.ts';
import type { Flag } from './flags.ts';

/** The files of a certificate for clients that ask for certain names. */
export interface NamedCertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Absent for the names within the certificate. */
  readonly names?: readonly string[];
}

/** `--tls-sni-cert-key`: one certificate each time it is given. */
export const namedCertificateFiles: Flag<readonly NamedCertificateFiles[]> = {
  group: LISTENER,
  value: 'CERT,KEY[:NAME,NAME]',
  meaning:
    'files of a certificate and its key for clients that ask for the names, such as api.example.org,*.example.org (default: the names within the certificate), PEM; reloaded when they change; can be repeated, the first certificate of a name counts',
  parse(argument) {
    const colon = argument.indexOf(':');
    const trimmed = (list: string): string[] => list.split(',').map((part) => part.trim());
    const names = colon < 0 ? undefined : argument.slice(colon + 1).trim();
    if (names === '') throw new Error('empty names list is not allowed');
    const files = trimmed(colon < 0 ? argument : argument.slice(0, colon));
    const [certificateFile, keyFile] = files;
    if (!certificateFile || !keyFile || files.length !== 2)
      throw new Error('expected comma separated certificate and key file paths');
    return [{ certificateFile, keyFile, ...(names !== undefined && { names: trimmed(names) }) }];
  },
  join: concatenated,
};
