import { expect, it } from 'vitest';
import { readRuntimeConfigFlag } from './runtime-config-flag.ts';

it.each(['v1', 'v1/pods', 'api/v1', 'api/v1/pods'])('%s is the core version', (key) => {
  expect(readRuntimeConfigFlag(` ${key} =false`)).toEqual(new Map([['/v1', 'false']]));
});

it('other keys stay, but for one of the past', () => {
  expect(readRuntimeConfigFlag('api/legacy=false,apps/v1,v10=true')).toEqual(
    new Map([
      ['apps/v1', ''],
      ['v10', 'true'],
    ]),
  );
});
