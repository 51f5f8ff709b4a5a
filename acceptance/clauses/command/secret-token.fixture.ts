import { createPrivateKey, sign } from 'node:crypto';
import type { Vocabulary } from '@ashlar/core';

/** A token in a secret of the namespace `default` for the service account `robot`, and the secret. */
export interface SecretToken {
  readonly token: string;
  readonly secret: {
    readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
    readonly type: string;
    readonly stringData: { readonly token: string };
  };
}

/**
 * Signs a legacy token.
 * @param pem a private key on the curve P-256
 * @param uid of the account
 */
export function secretToken(
  { name, labelDomain }: Vocabulary,
  pem: string,
  secret: string,
  uid: string,
): SecretToken {
  const prefix = `${labelDomain}/serviceaccount`;
  const token = signed(pem, {
    iss: `${name}/serviceaccount`,
    sub: 'system:serviceaccount:default:robot',
    [`${prefix}/namespace`]: 'default',
    [`${prefix}/secret.name`]: secret,
    [`${prefix}/service-account.name`]: 'robot',
    [`${prefix}/service-account.uid`]: uid,
  });
  return {
    token,
    secret: {
      metadata: { name: secret, annotations: { [`${labelDomain}/service-account.name`]: 'robot' } },
      type: `${labelDomain}/service-account-token`,
      stringData: { token },
    },
  };
}

function signed(pem: string, claims: object): string {
  const text = [{ alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const key = { key: createPrivateKey(pem), dsaEncoding: 'ieee-p1363' as const };
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}
