import type { Attack, Target } from '../../attack.ts';
import { bodyRequest, listed } from '../../bodies.ts';
import { createMany } from '../../repeated.ts';

const JSON_TYPE = 'application/json';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const APPROVAL = `${REQUESTS}/conditions/approval`;

/** A request of PKCS #10 for the name `x`, signed by its key (Ed25519). */
const CERTIFICATE_REQUEST = `-----BEGIN CERTIFICATE REQUEST-----
MIGZME0CAQAwGjEMMAoGA1UECgwDZGV2MQowCAYDVQQDDAF4MCowBQYDK2VwAyEAsbBtpSwegg1R11aMN7OkW/gujZe+QebDijOiqlbmOcCgADAFBgMrZXADQQDddxg/zC+qZ9Z4FsUf+9oIUMuvgd+zIAQot+3T5YXB8WHsLRAhVZMp6Eh0HYKuKzsDvIxMmzgLtk4N0LXT0x0K
-----END CERTIFICATE REQUEST-----
`;
const STORED_CONDITIONS = 10_000;

const spec = {
  request: btoa(CERTIFICATE_REQUEST),
  signerName: 'example.com/a',
  usages: ['client auth'],
};

/** An object of that request with conditions of types of one letter. */
const decided = (letter: string, n: number): string =>
  `{"metadata":{"name":"conditions"},"spec":${JSON.stringify(spec)},"status":{"conditions":[${listed(n, (i) => `{"type":"${letter}${i}","status":"True"}`)}]}}`;

/** A request with conditions by the thousand; nothing happens if it is there. */
async function prepare(target: Target): Promise<void> {
  try {
    await createMany(target, REQUESTS, [{ metadata: { name: 'conditions' }, spec }]);
  } catch (error) {
    if (String(error).includes(': 409')) return;
    throw error;
  }
  const { status, body } = await target.send({
    ...bodyRequest('PUT', APPROVAL, JSON_TYPE, decided('T', STORED_CONDITIONS)),
    headers: [target.credentials('operator'), `Content-Type: ${JSON_TYPE}`],
  });
  if (status !== 200) throw new Error(`PUT ${APPROVAL}: ${status} ${body.slice(0, 500)}`);
}

function approval(name: string, sends: string, letter: string): Attack {
  return {
    ...{ name, sends, caller: 'operator', n: STORED_CONDITIONS / 4, prepare },
    request: (size) => bodyRequest('PUT', `${APPROVAL}?dryRun=All`, JSON_TYPE, decided(letter, size)),
  };
}

/** Certificate signing requests whose conditions are compared with stored ones. */
export const attacks: readonly Attack[] = [
  approval('other conditions of a request', 'conditions that a signing request did not have', 'U'),
  approval('the same conditions of a request', 'conditions that a signing request has', 'T'),
];
