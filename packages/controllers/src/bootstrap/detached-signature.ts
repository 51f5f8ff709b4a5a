import { CompactSign } from 'jose';

/**
 * Signs a text for nodes that join a cluster with a bootstrap token: JSON Web Signature (RFC 7515) by HMAC
 * with SHA-256, the token's id as key id, without the text itself (appendix F).
 *
 * @returns `<header>..<signature>`
 */
export async function detachedSignature(text: string, id: string, secret: string): Promise<string> {
  const encoder = new TextEncoder();
  const signed = await new CompactSign(encoder.encode(text))
    .setProtectedHeader({ alg: 'HS256', kid: id })
    .sign(encoder.encode(secret));
  const [header, , signature] = signed.split('.');
  return `${header}..${signature}`;
}
