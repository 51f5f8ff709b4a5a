import { describe, expect, it } from 'vitest';
import type { Toleration } from '../pods/placement-types.ts';
import { mergeTolerations } from './tolerations.ts';

const all: Toleration = { operator: 'Exists' };
const key: Toleration = { key: 'k', operator: 'Exists', effect: 'NoSchedule' };
const equal: Toleration = { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' };
const short: Toleration = { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 };
const long: Toleration = { ...short, tolerationSeconds: 20 };

describe('mergeTolerations', () => {
  it.each<[readonly Toleration[], readonly Toleration[], readonly Toleration[]]>([
    [[key], [key], [key]],
    [[all], [key, short], [all]],
    [[key], [all], [all]],
    [[equal], [key], [key]],
    [[short], [long], [long]],
    [[{ ...equal, value: 'w' }], [equal], [{ ...equal, value: 'w' }, equal]],
    [[{ ...key, key: 'l' }], [key], [{ ...key, key: 'l' }, key]],
    [[{ ...key, effect: 'NoExecute' }], [key], [{ ...key, effect: 'NoExecute' }, key]],
  ])('%j and %j', (first, second, merged) => {
    expect(mergeTolerations(first, second)).toEqual(merged);
  });
});
