import type { Vocabulary } from '@ashlar/core';
import type { RequestedCertificate } from './requested-certificate.ts';

/** Why a signer rejects a request; undefined if it does not. */
export type SignerRule = (requested: RequestedCertificate, usages: readonly string[]) => string | undefined;

/**
 * The signers of a server, by name, and what each of them rejects
 * (semantics/access#certificate-signing-requests; README, "CSR signers").
 */
export function signerRules({ labelDomain, namespacePrefix }: Vocabulary): ReadonlyMap<string, SignerRule> {
  return new Map<string, SignerRule>([
    [`${labelDomain}/${namespacePrefix}-apiserver-client`, clientFault],
    [`${labelDomain}/${namespacePrefix}-apiserver-client-kubelet`, nodeClientFault],
    [`${labelDomain}/kubelet-serving`, nodeServingFault],
    [`${labelDomain}/legacy-unknown`, () => undefined],
  ]);
}

const SIGNATURE = 'digital signature';
const ENCIPHERMENT = 'key encipherment';
const CLIENT = 'client auth';
const SERVER = 'server auth';

/** Any subject; admission rejects those of the privileged group. */
const clientFault: SignerRule = (_, usages) => {
  const other = usages.find((usage) => ![CLIENT, SIGNATURE, ENCIPHERMENT].includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes(CLIENT) ? undefined : `missing required usage for client certificate: ${CLIENT}`;
};

const nodeClientFault: SignerRule = (requested, usages) =>
  organizationFault(requested) ??
  alternativeNameFault(requested, ['dns', 'email', 'ip', 'url']) ??
  commonNameFault(requested) ??
  usagesFault(usages, CLIENT);

const nodeServingFault: SignerRule = (requested, usages) =>
  organizationFault(requested) ??
  (requested.alternativeNames.some(({ type }) => type === 'dns' || type === 'ip')
    ? undefined
    : 'DNS or IP subjectAltName is required') ??
  alternativeNameFault(requested, ['email', 'url']) ??
  usagesFault(usages, SERVER) ??
  commonNameFault(requested);

const organizationFault = ({ organizations }: RequestedCertificate): string | undefined =>
  organizations.length === 1 && organizations[0] === 'system:nodes'
    ? undefined
    : 'subject organization is not system:nodes';

const commonNameFault = ({ commonName }: RequestedCertificate): string | undefined =>
  commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';

const KINDS = { dns: 'DNS', email: 'Email', ip: 'IP', url: 'URI' } as const;

function alternativeNameFault(
  { alternativeNames }: RequestedCertificate,
  refused: readonly (keyof typeof KINDS)[],
): string | undefined {
  const found = refused.find((kind) => alternativeNames.some(({ type }) => type === kind));
  return found && `${KINDS[found]} subjectAltNames are not allowed`;
}

/** Signature and client usages, and key encipherment, which only RSA keys support. */
function usagesFault(usages: readonly string[], purpose: string): string | undefined {
  const requested = new Set(usages.filter((usage) => usage !== ENCIPHERMENT));
  if (requested.size === 2 && requested.has(SIGNATURE) && requested.has(purpose)) return undefined;
  return `usages did not match [${[purpose, SIGNATURE, ENCIPHERMENT].sort().join(' ')}]`;
}
