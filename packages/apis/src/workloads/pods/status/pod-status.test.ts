import { fieldErrorText, kubernetesVocabulary, runAtOnce } from '@ashlar/core';
import { expect, it } from 'vitest';
import type { Pod } from '../../core/pod-types.ts';
import { podStatusErrorsSteps } from './pod-status.ts';

it('the families of addresses of a pod that cannot be read are unknown', () => {
  const pod = (status: object): Pod =>
    ({ metadata: { name: 'a' }, spec: { containers: [] }, status }) as unknown as Pod;
  const broken = pod({ podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }, { ip: 'fe80::1%a' }] });
  const errors = runAtOnce(podStatusErrorsSteps(broken, pod({}), kubernetesVocabulary)).map(fieldErrorText);
  expect(errors).toContain(
    'status.podIPs: Internal error: failed to check for dual stack with error:invalid IP[1]: fe80::1%a',
  );
});
