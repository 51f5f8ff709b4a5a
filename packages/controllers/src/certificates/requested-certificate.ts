// the certificate library uses decorators and needs this import first
import 'reflect-metadata';
import {
  type GeneralNameType,
  type JsonGeneralName,
  type Name,
  Pkcs10CertificateRequest,
  type PublicKey,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';

/** The requested content of a certificate, from PKCS #10 (RFC 2986). */
export interface RequestedCertificate {
  readonly subject: Name;
  /** The last common name of the subject; empty if there is none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Alternative names: DNS, email, addresses and URIs; those of other kinds are skipped. */
  readonly alternativeNames: readonly JsonGeneralName[];
  readonly publicKey: PublicKey;
  /** Whether the holder of the key has signed the request. */
  isSignedByKey(): Promise<boolean>;
}

const NAME_TYPES: readonly GeneralNameType[] = ['dns', 'email', 'ip', 'url'];

/** @param pem a block `CERTIFICATE REQUEST`. @throws Error if it is invalid */
export function readRequestedCertificate(pem: string): RequestedCertificate {
  const request = new Pkcs10CertificateRequest(pem);
  const other = request.extensions.find((extension) => extension instanceof SubjectAlternativeNameExtension);
  const names = other?.names.toJSON() ?? [];
  const { subjectName: subject, publicKey } = request;
  return {
    subject,
    commonName: subject.getField('CN').at(-1) ?? '',
    organizations: subject.getField('O'),
    alternativeNames: names.filter(({ type }) => NAME_TYPES.includes(type)),
    publicKey,
    isSignedByKey: () => request.verify(),
  };
}
