import { constants } from 'node:crypto';
import { DEFAULT_CIPHERS } from 'node:tls';

/** Other libraries than OpenSSL, which some runtimes have, refuse a list with a level. Runtimes that imitate it claim a version before 3. */
const hasLevels: boolean = Number.parseInt(process.versions.openssl ?? '0', 10) >= 3;

/** Whether the list of the process is Node's, and none that was given to it. */
export const isUsualList: boolean = DEFAULT_CIPHERS === constants.defaultCoreCipherList;

/**
 * A list of ciphers with which RSA keys of 1024 bits are accepted, as by programs in Go: releases of Node differ in what OpenSSL accepts by
 * default. A list that names a level of its own stays as it is.
 * @param ciphers names of OpenSSL, separated by colons
 */
export function withShortKeys(ciphers: string): string {
  if (!hasLevels || ciphers.includes('@SECLEVEL=')) return ciphers;
  // levels belong to the list of earlier versions, which must not be empty
  return `${ciphers}${isOfTls13(ciphers) ? ':DEFAULT' : ''}:@SECLEVEL=1`;
}

/** Whether a list names ciphers of TLS 1.3 alone. */
export function isOfTls13(ciphers = ''): boolean {
  return ciphers.split(':').every((name) => name.startsWith('TLS_'));
}

/** The list of clients: that of the process if it was given one. */
export const clientCiphers: string = isUsualList ? withShortKeys(DEFAULT_CIPHERS) : DEFAULT_CIPHERS;
