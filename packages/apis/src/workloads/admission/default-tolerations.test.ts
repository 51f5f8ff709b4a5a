import type { AdmissionRequest } from '@ashlar/admission';
import { kubernetesVocabulary } from '@ashlar/core';
import { expect, it } from 'vitest';
import { createDefaultTolerations, type TolerationSeconds } from './default-tolerations.ts';

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {} };

it.each([
  [undefined, [300, 300]],
  [{ notReady: 5 }, [5, 300]],
  [{ notReady: 0, unreachable: 7 }, [0, 7]],
] satisfies [TolerationSeconds | undefined, number[]][])(
  'pods tolerate failing nodes for %j',
  async (seconds, expected) => {
    const plugin = createDefaultTolerations(kubernetesVocabulary, seconds);
    const admitted = (await plugin.admit?.(
      { object: pod } as unknown as AdmissionRequest,
      {} as never,
    )) as unknown as {
      readonly spec: { readonly tolerations: readonly { readonly tolerationSeconds: number }[] };
    };
    expect(admitted.spec.tolerations.map(({ tolerationSeconds }) => tolerationSeconds)).toEqual(expected);
  },
);
