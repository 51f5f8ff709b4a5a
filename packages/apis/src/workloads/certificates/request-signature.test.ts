import { decodeBase64, encodeBase64, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { readCertificateRequestSteps } from './certificate-bytes.ts';
import { isSignedByKey } from './request-signature.ts';

/** Requests in PKCS #10, created by another program, in base64. */
const REQUESTS: Readonly<Record<string, string>> = {
  'ECDSA on P-256':
    'MIHUMHwCAQAwGjEMMAoGA1UECgwDZGV2MQowCAYDVQQDDAF4MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEj1KSgDDZYHXoHp9aht50ShIfJuUx3q945zLvspODLUR1LRdmMZrlHvWIVQUauB7EuWUUOxxWHvEcBR4Tym4XR6AAMAoGCCqGSM49BAMCA0gAMEUCIQCieT6pO3CReZQIhtQzBPBw9w6M5FWAQF0LwyTDfLBAyQIgU5ltQwOr4DGmVrNqlha2ekStw2kfVKxaVzS9KjdslJc=',
  'ECDSA on P-521':
    'MIIBXDCBvwIBADAaMQwwCgYDVQQKDANkZXYxCjAIBgNVBAMMAXgwgZswEAYHKoZIzj0CAQYFK4EEACMDgYYABAGBOFwEb79kkOTVW9QX/F3JHDVbj61tRg9RlCEcUBZACYYrQqBAj4mCo84g2UeXH1LM5m8I+pjaVP6YIUxYMKV3TgDdFF4UmfyjBxCbZkJ1dcb+YFiiRjJuI7V7qLUhOclLC+6MCHizQrY/gVBiy4sqYpHn23SvrGQFj9VR8b+dOTC3V6AAMAoGCCqGSM49BAMCA4GLADCBhwJCAccsaCHflNxHpVUzJNQEM+xUizY/wUPrArfd+26oZjJ32pfM+WiYiH/gfCtnotTAEb91NCrb0o+YKghFeixTpWI2AkEvymm+4MM/zKwg2JZGNdymyH00I40hCaejvjWohszbB8Izsoem5f1ZLsLOdC2L7eRn6qP7amJSsZJF9rW/I8HFCA==',
  RSA: 'MIICXzCCAUcCAQAwGjEMMAoGA1UECgwDZGV2MQowCAYDVQQDDAF4MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAzt2e2Z2MyOI/OFaSWgCwQk95zmb9pDaxO5T2ZCxWEwfK7wqhgA1mk8Ei3pHnT/HC8LlBVQzKtkVvFC6noVKf8Oa+X+clIA0CEbJrDhUfs9vfw076YxdHje8/L2zUBXSv4X52uE+t07o8TY1BC1nXhoyU2V/T8DH50eMtecWbn7rF4HlGS3nlq4rqkLaNrr2OCZ3JLocnn/NsAiYGXS3Pg/dvry5a6yuTTpWHu64Xf0e4mVbIbE8XofI//jjef2XTrVY+ldSrE5g/3cvZMfv3x4Pvfau/6EdfRJHO1QEBbX69HXHDy5FvcrcCMumj/cAzTxvjKWOAewA55ooUbza2EQIDAQABoAAwDQYJKoZIhvcNAQELBQADggEBAMmUEHJVnqauf7SrO21ekXEpfWdxIaZNdzub7OVYnZ5mfUtyjZr/6s5psLoIka7xy+zNawTSpXrvBJhFUirAPVsKDydeDg0t69dmnCif1LXf5U7hpQ9VBGf8YGsvOsAQcG7jzJZGAkLczsdwkGGGJkmWeyzx0s0bWt7iKg8RfkyRKY/kitH7B1NZ/MnQVd0CSg8F38E6n2NSmNDpvn4Dd7h8flO9iWbzNriQ9GdpgOB7QjSY3s1nroo3yOatBqiMZmFXbYCdVA7VuPxYryh2U2g0alZE8uviinYAGgqAlW4W6flsE7di0yhOFZlZdbwvWTEgsZmDvWzvA6cVl72ascg=',
  Ed25519:
    'MIGZME0CAQAwGjEMMAoGA1UECgwDZGV2MQowCAYDVQQDDAF4MCowBQYDK2VwAyEAsbBtpSwegg1R11aMN7OkW/gujZe+QebDijOiqlbmOcCgADAFBgMrZXADQQDddxg/zC+qZ9Z4FsUf+9oIUMuvgd+zIAQot+3T5YXB8WHsLRAhVZMp6Eh0HYKuKzsDvIxMmzgLtk4N0LXT0x0K',
  'RSA-PSS':
    'MIICkzCCAUcCAQAwGjEMMAoGA1UECgwDZGV2MQowCAYDVQQDDAF4MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAzt2e2Z2MyOI/OFaSWgCwQk95zmb9pDaxO5T2ZCxWEwfK7wqhgA1mk8Ei3pHnT/HC8LlBVQzKtkVvFC6noVKf8Oa+X+clIA0CEbJrDhUfs9vfw076YxdHje8/L2zUBXSv4X52uE+t07o8TY1BC1nXhoyU2V/T8DH50eMtecWbn7rF4HlGS3nlq4rqkLaNrr2OCZ3JLocnn/NsAiYGXS3Pg/dvry5a6yuTTpWHu64Xf0e4mVbIbE8XofI//jjef2XTrVY+ldSrE5g/3cvZMfv3x4Pvfau/6EdfRJHO1QEBbX69HXHDy5FvcrcCMumj/cAzTxvjKWOAewA55ooUbza2EQIDAQABoAAwQQYJKoZIhvcNAQEKMDSgDzANBglghkgBZQMEAgEFAKEcMBoGCSqGSIb3DQEBCDANBglghkgBZQMEAgEFAKIDAgEgA4IBAQAdGnY5BhZh3Xy6LIhA3R+6WkLuItKFvZO6+OsrEtyJ03Q1fDSBEKJmv7x1hTIM7vP3r+tLtpgZhigqTjhmVxW5zVfhrBr15DZbM3Wo31/ROOyXbxIe4g7hV+eSbajyQbhcsX8M5pBKbWapVxyrftguiVKm/1rHAPH2vheGRHb1UEp/4qDQIFJXghLuYVOoNxtDJxJ2fi4mAsstp0vIr1pkJXwVbBAKTB5z3ysD2jP54QllhsRgkM9FrBjKqR+7HGpD4k2rYG8pV+42PjtKWH+OZrrTdRzftvzAfbSgE4Pmb6ErYy3Mi1DFRDyOSl1PUwBnNgcbY83oYBcMIQs0Q5bd',
};

const signedOf = (bytes: Uint8Array) =>
  runAtOnce(
    readCertificateRequestSteps(
      btoa(
        `-----BEGIN CERTIFICATE REQUEST-----\n${encodeBase64(bytes)}\n-----END CERTIFICATE REQUEST-----\n`,
      ),
    ),
  ).signed;

describe.each(Object.entries(REQUESTS))('a request signed by %s', (_, base64) => {
  const bytes = decodeBase64(base64);

  it('is verified', async () => {
    expect(await isSignedByKey(signedOf(bytes))).toBe(true);
  });

  it('is rejected with another signature or content', async () => {
    for (const place of [bytes.length - 3, bytes.indexOf('dev'.charCodeAt(0), 8)]) {
      const broken = Uint8Array.from(bytes);
      broken[place] = (broken[place] ?? 0) ^ 1;
      expect(await isSignedByKey(signedOf(broken))).toBe(false);
    }
  });
});
