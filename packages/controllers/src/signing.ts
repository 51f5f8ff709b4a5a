export type { CertificateAuthority } from './certificates/certificate-authority.ts';
export {
  type CertificateSigningOptions,
  createCertificateSigningController,
} from './certificates/signing-controller.ts';
