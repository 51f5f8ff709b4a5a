export type { CertificateAuthority } from './lib/certificates/certificate-authority.ts';
export {
  type CertificateSigningOptions,
  createCertificateSigningController,
} from './lib/certificates/signing-controller.ts';
