import { CERTIFICATE_OF_SHA1, CERTIFICATE_WITHOUT_NAMES, Metrics, type Transport } from '@ashlar/core';
import { expect, test } from 'vitest';
import { RejectedCertificates } from './rejected-certificates.ts';

const failing = (code: string): Transport => {
  const fail = () => Promise.reject(Object.assign(new Error(code), { code }));
  return { request: fail, forward: fail };
};

test('rejected certificates are counted by reason, other failures are not', async () => {
  const metrics = new Metrics();
  const rejected = new RejectedCertificates(metrics, 'webhooks');
  for (const code of [CERTIFICATE_WITHOUT_NAMES, CERTIFICATE_OF_SHA1, 'ECONNREFUSED'])
    await expect(
      rejected.of(failing(code)).request('https://hook', { method: 'POST' }),
    ).rejects.toMatchObject({ code });
  const { forward } = rejected.of(failing(CERTIFICATE_WITHOUT_NAMES));
  await expect(forward?.('https://hook', {} as never)).rejects.toMatchObject({
    code: CERTIFICATE_WITHOUT_NAMES,
  });
  expect(metrics.text().match(/^apiserver.*/gm)).toEqual([
    'apiserver_webhooks_x509_insecure_sha1_total 1',
    'apiserver_webhooks_x509_missing_san_total 2',
  ]);
});

test('they are 0 before anything is rejected, and abilities that a transport lacks are still absent', () => {
  const metrics = new Metrics();
  const { request } = failing('');
  const transport = new RejectedCertificates(metrics, 'kube_aggregator').of({ request });
  expect(Object.keys(transport)).toEqual(['request']);
  expect(metrics.text()).toContain('apiserver_kube_aggregator_x509_missing_san_total 0');
});
