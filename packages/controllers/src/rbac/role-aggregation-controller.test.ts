import type { Client } from '@ashlar/client';
import { type Ambient, kubernetesVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { expect, it } from 'vitest';
import { createRoleAggregationController } from './role-aggregation-controller.ts';

it('looks at the roles once for all changes that come together', async () => {
  let reads = 0;
  const count = 2000;
  const items = Array.from({ length: count }, (_, i) => ({
    metadata: { name: `r-${i}`, resourceVersion: '1' },
    get aggregationRule() {
      reads++;
      return undefined;
    },
  }));
  const ambient: Ambient = {
    clock: createSteppedClock(),
    random: { bytes: (into) => into },
    vocabulary: kubernetesVocabulary,
  };
  const roles = {
    ambient,
    async *pages() {
      yield { metadata: { resourceVersion: '1' }, items };
    },
    async *watch({ signal }: { readonly signal: AbortSignal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  };
  const client = { resource: () => roles } as unknown as Client;
  await using controller = createRoleAggregationController({ client, ambient });
  controller.start();
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(reads).toBeGreaterThanOrEqual(count);
  expect(reads).toBeLessThanOrEqual(3 * count);
});
