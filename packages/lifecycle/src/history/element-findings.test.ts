import { describe, expect, it } from 'vitest';
import type { ElementKind, ElementStage, ReleasedElement } from './api-release.ts';
import { checkApiHistory } from './check-api-history.ts';

/** 30 days, about a month. */
const MONTH = 30 * 86_400_000;

/** Finds the faults of a history of one element: what it is in each release, and when that was published, in months. */
const faults = (releases: readonly (ReleasedElement | undefined)[], months: readonly number[] = []) =>
  checkApiHistory(
    releases.map((element, index) => ({
      name: `1.${index}`,
      definitions: [],
      elements: element ? [element] : [],
      ...(months[index] !== undefined && { published: months[index] * MONTH }),
    })),
  ).map(({ rule, release, message }) => `${rule} ${release} ${message}`);

const element = (kind: ElementKind, stage: ElementStage, more = {}): ReleasedElement => ({
  ...{ kind, stage, name: 'x' },
  ...more,
});

describe('the history of an element', () => {
  it('allows removals only after an announcement', () => {
    const flag = element('flag', 'stable');
    expect(faults([flag, undefined])).toEqual(['5a 1.1 is gone, and was not deprecated before']);
    const old = { ...flag, deprecated: true };
    expect(faults([old, flag, undefined])).toHaveLength(1);
    expect(faults([flag, old, undefined])).toEqual([
      '5a 1.2 is gone 1 release after its announcement: stable flags stay for 2',
    ]);
    expect(faults([flag, old, old, undefined])).toEqual([]);
  });

  it('counts releases and time, of which the longer one counts', () => {
    const [flag, old] = [element('flag', 'stable'), element('flag', 'stable', { deprecated: true })];
    expect(faults([flag, old, old, undefined], [0, 4, 8, 12])).toEqual([
      '5a 1.3 is gone 240 days after its announcement: stable flags stay for 365',
    ]);
    expect(faults([flag, old, old, undefined], [0, 4, 10, 17])).toEqual([]);
    expect(faults([flag, old, undefined], [0, 4, 40])).toHaveLength(1);
  });

  it('lets alpha elements go at any time, except behaviors', () => {
    for (const kind of ['flag', 'admin-flag', 'gate', 'metric'] as const)
      expect(faults([element(kind, 'alpha'), undefined])).toEqual([]);
    expect(faults([element('behavior', 'alpha'), undefined])).toHaveLength(1);
  });

  it('takes a gate that became stable as announced', () => {
    const [beta, stable] = [element('gate', 'beta'), element('gate', 'stable')];
    expect(faults([beta, stable, undefined])).toHaveLength(1);
    expect(faults([beta, stable, stable, undefined])).toEqual([]);
    expect(faults([beta, undefined])).toEqual(['9 1.1 is gone, and was not deprecated before']);
  });
});
