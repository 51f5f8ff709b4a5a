import { fieldErrorText } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { serviceStatusErrors } from './service-status-validation.ts';
import type { LoadBalancerIngress, Service } from './service-types.ts';

describe('the status of a load balancer', () => {
  it.each<[LoadBalancerIngress, string[]]>([
    [{ ip: '192.0.2.1', ipMode: 'VIP' }, []],
    [{ hostname: 'a.example.com' }, []],
    [{ ip: '192.0.2.1' }, ['ipMode: Required value: must be specified when `ip` is set']],
    [{ ipMode: 'VIP' }, ['ipMode: Forbidden: may not be specified when `ip` is not set']],
    [{ ip: '192.0.2.1', ipMode: 'X' }, ['ipMode: Unsupported value: "X": supported values: "Proxy", "VIP"']],
  ])('has the mode of its address and of no other: %j', (ingress, expected) => {
    const service = { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [ingress] } } };
    expect(serviceStatusErrors(service as unknown as Service).map(fieldErrorText)).toEqual(
      expected.map((text) => `status.loadBalancer.ingress[0].${text}`),
    );
  });
});
