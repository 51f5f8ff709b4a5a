import { LISTENER } from './flag-groups.ts';
import { integer, text } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** Where the server listens, and with which certificate. */
export interface ListenerFlags {
  readonly 'bind-address'?: string;
  readonly 'secure-port'?: number;
  readonly 'http-socket'?: string;
  readonly 'tls-cert-file'?: string;
  readonly 'tls-private-key-file'?: string;
}

export const listenerFlags: FlagTableOf<ListenerFlags> = {
  'bind-address': text(LISTENER, 'ADDRESS', 'address of the HTTPS listener (default 127.0.0.1)'),
  'secure-port': integer(
    LISTENER,
    'PORT',
    'its port; 0 picks a free one (default 6443, or the next free one)',
    65_535,
  ),
  'http-socket': text(LISTENER, 'PATH', 'plain HTTP on a unix socket, readable by its owner alone'),
  'tls-cert-file': text(LISTENER, 'FILE', 'served certificate, PEM; reread when it changes'),
  'tls-private-key-file': text(LISTENER, 'FILE', 'its key, PEM'),
};
