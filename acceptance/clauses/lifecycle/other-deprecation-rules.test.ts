import {
  checkApiHistory,
  type ElementKind,
  type ElementStage,
  type ReleasedElement,
} from '@ashlar/lifecycle';
import { describe, expect, it } from 'vitest';
import { forEachVocabulary } from '../command/clause-command.fixture.ts';

const MONTH = (365 / 12) * 86_400_000;

/** Whether an element may be gone so many releases and months after its release before, in which it was announced or first there. */
function mayGo(
  element: Omit<ReleasedElement, 'name'>,
  { releases, months = releases * 12 }: { releases: number; months?: number },
): boolean {
  const history = Array.from({ length: releases + 1 }, (_, index) => ({
    ...{ name: `1.${index}`, definitions: [], published: Math.ceil((index * months * MONTH) / releases) },
    elements: index < releases ? [{ ...element, name: 'x' }] : [],
  }));
  return checkApiHistory(history).length === 0;
}

/** Checks for each stage how many releases, and how many months, are enough, and that one less of either is not. */
function lasts(
  kind: ElementKind,
  stages: Readonly<Partial<Record<ElementStage, readonly [releases: number, months: number]>>>,
  more: Partial<ReleasedElement> = { deprecated: true },
): void {
  for (const [stage, [releases, months]] of Object.entries(stages)) {
    const element = { kind, stage: stage as ElementStage, ...more };
    expect([kind, stage, mayGo(element, { releases, months })]).toEqual([kind, stage, true]);
    if (releases > 1) expect(mayGo(element, { releases: releases - 1, months })).toBe(false);
    expect([kind, stage, mayGo(element, { releases, months: months - 1 })]).toEqual([kind, stage, false]);
    expect(mayGo({ kind, stage: stage as ElementStage }, { releases, months })).toBe(
      more.deprecated !== true,
    );
  }
}

const replaced = (kind: ElementKind, stage: ElementStage, by: ElementStage): readonly string[] =>
  checkApiHistory([
    {
      name: '1.0',
      definitions: [],
      elements: [
        { kind, name: 'old', stage, deprecated: true, replacement: 'new' },
        { kind, name: 'new', stage: by },
      ],
    },
  ]).map(({ rule }) => rule);

describe('Other deprecation rules', () => {
  it('L070: flags of users last for two releases and twelve months, beta ones for one and three', () => {
    lasts('flag', { stable: [2, 12], beta: [1, 3] });
    expect(mayGo({ kind: 'flag', stage: 'alpha' }, { releases: 1, months: 0 })).toBe(true);
  });

  it('L071: flags of administrators last for one release and six months, beta ones for one and three', () => {
    lasts('admin-flag', { stable: [1, 6], beta: [1, 3] });
    expect(mayGo({ kind: 'admin-flag', stage: 'alpha' }, { releases: 1, months: 0 })).toBe(true);
  });

  it('L072: flags are not deprecated in favor of less stable ones', () => {
    for (const kind of ['flag', 'admin-flag'] as const) {
      expect(replaced(kind, 'stable', 'beta')).toEqual(['5c']);
      expect(replaced(kind, 'beta', 'alpha')).toEqual(['5c']);
      expect(replaced(kind, 'beta', 'stable')).toEqual([]);
      expect(replaced(kind, 'alpha', 'alpha')).toEqual([]);
    }
  });

  it('L074: behaviors last for a year after it is announced that they end', () => {
    const behavior = { kind: 'behavior', stage: 'stable' } as const;
    expect(mayGo({ ...behavior, deprecated: true }, { releases: 1, months: 12 })).toBe(true);
    expect(mayGo({ ...behavior, deprecated: true }, { releases: 9, months: 11 })).toBe(false);
    expect(mayGo(behavior, { releases: 9, months: 99 })).toBe(false);
  });

  it('L075: features and behaviors are not deprecated in favor of less stable ones', () => {
    for (const kind of ['gate', 'behavior'] as const) {
      expect(replaced(kind, 'stable', 'alpha')).toEqual(['8']);
      expect(replaced(kind, 'alpha', 'beta')).toEqual([]);
    }
  });

  it('L076: gates stay for two releases and six months once they are stable, and beta ones for one and three before they are dropped', () => {
    lasts('gate', { beta: [1, 3] });
    lasts('gate', { stable: [2, 6] }, {});
    expect(mayGo({ kind: 'gate', stage: 'alpha' }, { releases: 1, months: 0 })).toBe(true);
  });

  it('L078: metrics live for four releases and twelve months, beta ones for two and eight', () => {
    lasts('metric', { stable: [4, 12], beta: [2, 8] });
    expect(mayGo({ kind: 'metric', stage: 'alpha' }, { releases: 1, months: 0 })).toBe(true);
  });

  it('L079: metrics last for three releases and nine months after their announcement, beta ones for one and four', () => {
    const rulesOf = (stage: ElementStage, announced: number, months: number): readonly string[] => {
      const past = 5;
      const releases = Array.from({ length: past + announced }, (_, index) => ({
        ...{ name: `1.${index}`, definitions: [] },
        published: index < past ? 0 : Math.ceil(((index - past) * months * MONTH) / announced),
        elements: [{ kind: 'metric' as const, name: 'x', stage, deprecated: index >= past }],
      }));
      const last = { name: '2.0', definitions: [], published: Math.ceil(months * MONTH), elements: [] };
      const findings = checkApiHistory([...releases, last]);
      return findings.map(({ rule }) => rule).filter((rule) => rule === '11b');
    };
    expect([rulesOf('stable', 3, 9), rulesOf('stable', 2, 9), rulesOf('stable', 3, 8)]).toEqual([
      [],
      ['11b'],
      ['11b'],
    ]);
    expect([rulesOf('beta', 1, 4), rulesOf('beta', 1, 3), rulesOf('alpha', 1, 0)]).toEqual([[], ['11b'], []]);
  });
});

forEachVocabulary('Deprecated flags', ({ serve, refusal }) => {
  const WARNING = 'Flag --apiserver-count has been deprecated';

  it('L073: a deprecated flag works and is warned about, unless warnings are switched off', async () => {
    for (const [words, warned] of [
      [['--apiserver-count=3'], true],
      [['--apiserver-count=3', '--deprecation-warnings=false'], false],
      [[], false],
    ] as const) {
      await using server = await serve(...words);
      expect([words, server.stderr.includes(WARNING)]).toEqual([words, warned]);
    }
    expect(await refusal('--apiserver-count=0')).toContain('0 is not an integer from 1');
  });
});
