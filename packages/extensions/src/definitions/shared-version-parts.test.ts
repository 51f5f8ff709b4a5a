import { runAtOnce } from '@ashlar/core';
import { expect, it } from 'vitest';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import { sharedPartsSteps } from './shared-version-parts.ts';

const definition = (versions: readonly object[]): CustomResourceDefinition =>
  ({ spec: { versions } }) as unknown as CustomResourceDefinition;

const version = (name: string, description: string): object => ({
  name,
  schema: { openAPIV3Schema: { type: 'object', description } },
});

it('separates what all versions have', () => {
  const { shared, versions } = runAtOnce(
    sharedPartsSteps(definition([version('v1', 'a'), version('v2', 'a')])),
  );
  expect(shared).toEqual({ schema: { openAPIV3Schema: { type: 'object', description: 'a' } } });
  expect(versions).toEqual([{ name: 'v1' }, { name: 'v2' }]);
  const different = runAtOnce(sharedPartsSteps(definition([version('v1', 'a'), version('v2', 'b')])));
  expect(different).toEqual({ shared: {}, versions: [version('v1', 'a'), version('v2', 'b')] });
  expect(runAtOnce(sharedPartsSteps(definition([])))).toEqual({ shared: {}, versions: [] });
});

it('pauses between many versions', () => {
  const many = Array.from({ length: 5_000 }, (_, i) => version(`v${i}`, 'a'));
  let pauses = 0;
  for (const _ of sharedPartsSteps(definition(many))) pauses++;
  expect(pauses).toBeGreaterThan(40);
});
