import { runAtOnce } from '@ashlar/core';
import { expect, it } from 'vitest';
import { toRequest } from '../testing/test-api.fixture.ts';
import { sourceAddresses } from './source-addresses.ts';

it.each([
  [{}, '127.0.0.1', ['127.0.0.1']],
  [{}, '::ffff:127.0.0.1', ['127.0.0.1']],
  [{}, '', []],
  [{ 'x-forwarded-for': '10.1.2.3, 10.1.2.4' }, '127.0.0.1', ['10.1.2.3', '10.1.2.4', '127.0.0.1']],
  [{ 'x-forwarded-for': 'somebody,10.1.2.4,127.0.0.1' }, '127.0.0.1', ['10.1.2.4', '127.0.0.1']],
  [{ 'x-real-ip': '10.9.9.9', 'x-forwarded-for': '10.1.2.3' }, '::1', ['10.1.2.3', '10.9.9.9', '::1']],
  [{ 'x-real-ip': '10.1.2.3', 'x-forwarded-for': '10.1.2.3' }, '::1', ['10.1.2.3', '::1']],
  [{ 'x-forwarded-for': '2001:DB8::1' }, '127.0.0.1', ['2001:db8::1', '127.0.0.1']],
])('%j from %s', (headers, remoteAddress, addresses) => {
  const request = { ...toRequest('GET', '/', { headers }), connection: { encrypted: true, remoteAddress } };
  expect(runAtOnce(sourceAddresses(request))).toEqual(addresses);
});

it('reads no more than 16 KiB of a list, no address in part, and with pauses', () => {
  const list = Array(5000).fill('10.1.2.3').join(',');
  const request = toRequest('GET', '/', { headers: { 'x-forwarded-for': list } });
  const steps = sourceAddresses(request);
  let pauses = 0;
  while (!steps.next().done) pauses++;
  expect(pauses).toBe(28);
  const proxies = runAtOnce(sourceAddresses(request)).filter((each) => each !== '127.0.0.1');
  expect(proxies).toEqual(Array(1820).fill('10.1.2.3'));
});
