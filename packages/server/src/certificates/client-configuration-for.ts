import { optionError } from '@ashlar/core';

/** A server and its caller. */
export interface ClientConfigurationUser {
  /** Its URL. Tokens are sent over HTTPS only: `kubectl` leaves them out over plain HTTP. */
  readonly server: string;
  /** PEM, of the CA that signed the server's certificate; not needed for one that every machine trusts. */
  readonly certificateAuthority?: string;
  /** Of the user, in the file. Default `admin`. */
  readonly name?: string;
  readonly token?: string;
  /** A client certificate and its key, PEM. */
  readonly certificate?: string;
  readonly key?: string;
}

/**
 * The text of a client configuration for one user, as `kubectl --kubeconfig` and `loadConnection` read it.
 * @throws TypeError for a token without HTTPS, which `kubectl` would silently not send, and for a certificate without its key
 */
export function clientConfigurationFor(user: ClientConfigurationUser): string {
  const { server, certificateAuthority, name = 'admin', token, certificate, key } = user;
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw optionError('clientConfigurationFor', 'server', 'a URL, such as "https://127.0.0.1:6443"', server);
  const { protocol } = new URL(server);
  if (token !== undefined && protocol !== 'https:') {
    throw optionError(
      'clientConfigurationFor',
      'server',
      'an https URL, since kubectl sends no token over plain HTTP',
      server,
    );
  }
  if (certificateAuthority !== undefined && protocol !== 'https:') {
    throw optionError(
      'clientConfigurationFor',
      'server',
      'an https URL where a certificateAuthority is given',
      server,
    );
  }
  if ((certificate === undefined) !== (key === undefined)) {
    throw new TypeError('options "certificate" and "key" of clientConfigurationFor need each other');
  }
  const configuration = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'ashlar',
        cluster: {
          server,
          ...(certificateAuthority !== undefined && {
            'certificate-authority-data': base64(certificateAuthority),
          }),
          // there is nothing to verify, and the official JavaScript client refuses plain HTTP otherwise
          ...(protocol === 'http:' && { 'insecure-skip-tls-verify': true }),
        },
      },
    ],
    users: [
      {
        name,
        user: {
          ...(token !== undefined && { token }),
          ...(certificate !== undefined && { 'client-certificate-data': base64(certificate) }),
          ...(key !== undefined && { 'client-key-data': base64(key) }),
        },
      },
    ],
    contexts: [{ name: 'ashlar', context: { cluster: 'ashlar', user: name } }],
    'current-context': 'ashlar',
  };
  return `${JSON.stringify(configuration, null, 2)}\n`;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
