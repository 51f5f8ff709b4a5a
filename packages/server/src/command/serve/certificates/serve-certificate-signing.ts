import {
  type CertificateSigning,
  readAuthority,
  readAuthorityKey,
} from '../../../certificates/certificate-signing.ts';
import type { ServeFlags } from '../../flags/serve-flags.ts';
import { readTextFile } from '../../read-text-file.ts';
import { UsageError } from '../../usage-error.ts';

const CERTIFICATE = 'cluster-signing-cert-file';
const KEY = 'cluster-signing-key-file';
const DURATION = 'cluster-signing-duration';

/**
 * Returns the signing CA that the flags name; undefined without these flags.
 * @throws UsageError
 */
export function certificateSigningOf(flags: ServeFlags): CertificateSigning | undefined {
  const { [CERTIFICATE]: certificateFile, [KEY]: keyFile, [DURATION]: duration } = flags;
  if (certificateFile === undefined || keyFile === undefined) {
    const setFlag = [CERTIFICATE, KEY, DURATION].find(
      (flag) => flags[flag as typeof CERTIFICATE] !== undefined,
    );
    if (setFlag === undefined) return undefined;
    throw new UsageError(`flag --${setFlag} needs --${certificateFile === undefined ? CERTIFICATE : KEY}`);
  }
  const certificate = readTextFile(CERTIFICATE, certificateFile);
  const key = readTextFile(KEY, keyFile);
  const authority = parsed(CERTIFICATE, () => readAuthority(certificate));
  parsed(KEY, () => readAuthorityKey(key, authority));
  return {
    certificate,
    key,
    ...(duration !== undefined && { durationSeconds: Math.floor(duration / 1000) }),
  };
}

/** Parses the content of a file. @throws UsageError that names the flag of the file */
function parsed<T>(flag: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`flag --${flag}: ${(error as Error).message}`);
  }
}
