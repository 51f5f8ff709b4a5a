/** Milliseconds. */
export const DAY = 86_400_000;

/** A certificate that the recorded exchanges present, or an issuer of others. */
export interface CertificateSubject {
  /** Name of the file, without its extension. */
  readonly file: string;
  /** Attributes of the subject in order. */
  readonly name: readonly (readonly ['O' | 'CN', string])[];
  /** File of its issuer; default: `ca`. */
  readonly issuer?: string;
  readonly isRoot?: boolean;
  readonly isServer?: boolean;
  /** Default: `clientAuth`. */
  readonly usage?: 'clientAuth' | 'serverAuth' | 'both' | 'authority';
  /** Validity, in milliseconds from now; default: an hour ago until in thirty days. */
  readonly lifetime?: readonly [number, number];
  /** Whether its issuer's certificate is presented with it. */
  readonly sendsIssuer?: boolean;
}

/** Carol with the administrators' group, which no server may trust. */
const pretender = (file: string, more: Partial<CertificateSubject>): CertificateSubject => ({
  file,
  name: [
    ['O', 'system:masters'],
    ['CN', 'carol'],
  ],
  ...more,
});
const named = (file: string, commonName: string, ...organizations: string[]): CertificateSubject => ({
  file,
  name: [...organizations.map((name) => ['O', name] as const), ['CN', commonName] as const],
});

/** The same as in `trace/certificates.sh`; issuers before their certificates. */
export const clientCertificates: readonly CertificateSubject[] = [
  { ...named('ca', 'test-ca'), isRoot: true, usage: 'authority' },
  { ...named('server', 'server'), isServer: true, usage: 'serverAuth' },
  named('admin', 'admin', 'system:masters'),
  named('carol', 'carol', 'dev', 'ops'),
  named('dave', 'dave'),
  named('chief', 'chief', 'system:masters'),
  named('robot', 'system:serviceaccount:default:robot'),
  named('node', 'system:node:n1', 'system:nodes'),
  named('marked', 'Zoë = one', 'a,b', 'system:authenticated'),
  { file: 'nameless', name: [['O', 'dev']] },
  {
    file: 'twice',
    name: [
      ['CN', 'first'],
      ['CN', 'second'],
    ],
  },
  pretender('expired', { lifetime: [-60 * DAY, -30 * DAY] }),
  pretender('early', { lifetime: [10 * DAY, 30 * DAY] }),
  pretender('serving', { usage: 'serverAuth' }),
  { ...named('both', 'carol', 'dev'), usage: 'both' },
  { ...named('other-ca', 'other-ca'), isRoot: true, usage: 'authority' },
  pretender('stranger', { issuer: 'other-ca' }),
  { ...named('between', 'between'), usage: 'authority' },
  { ...named('chained', 'carol', 'dev'), issuer: 'between', sendsIssuer: true },
  { ...named('alone', 'carol', 'dev'), issuer: 'between' },
  named('front-proxy', 'front-proxy'),
];
