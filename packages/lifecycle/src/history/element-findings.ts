import type {
  ApiRelease,
  ElementKind,
  ElementStage,
  HistoryFinding,
  ReleasedElement,
} from './api-release.ts';

/** For how long something has to last: both must have passed. */
interface Window {
  readonly releases: number;
  readonly months: number;
}

type Windows = Readonly<Record<ElementStage, Window>>;

interface KindRules {
  /** The rule that limits removals, and for how long an element works after its announcement. */
  readonly removal: readonly [rule: string, windows: Windows];
  /** The rule about the time since an element is there. */
  readonly lifetime?: readonly [rule: string, windows: Windows];
  /** The rule against replacements that are less stable. */
  readonly replacement?: string;
}

const lasts = (releases: number, months: number): Window => ({ releases, months });
const NONE = lasts(0, 0);

const RULES: Readonly<Record<ElementKind, KindRules>> = {
  flag: {
    removal: ['5a', { stable: lasts(2, 12), beta: lasts(1, 3), alpha: NONE }],
    replacement: '5c',
  },
  'admin-flag': {
    removal: ['5b', { stable: lasts(1, 6), beta: lasts(1, 3), alpha: NONE }],
    replacement: '5c',
  },
  behavior: {
    removal: ['7', { stable: lasts(0, 12), beta: lasts(0, 12), alpha: lasts(0, 12) }],
    replacement: '8',
  },
  gate: {
    removal: ['9', { stable: lasts(2, 6), beta: lasts(1, 3), alpha: NONE }],
    replacement: '8',
  },
  metric: {
    removal: ['11b', { stable: lasts(3, 9), beta: lasts(1, 4), alpha: NONE }],
    lifetime: ['11a', { stable: lasts(4, 12), beta: lasts(2, 8), alpha: NONE }],
  },
};

const RANK: Readonly<Record<ElementStage, number>> = { alpha: 0, beta: 1, stable: 2 };

/**
 * Finds flags, behaviors, gates and metrics of a release that break the rules of deprecation: those that replace more stable ones (5c, 8), and
 * those that were removed too early (5a, 5b, 7, 9, 11a, 11b).
 * @param past the releases before it, oldest first
 */
export function elementFindings(past: readonly ApiRelease[], release: ApiRelease): readonly HistoryFinding[] {
  const removed = (past.at(-1)?.elements ?? []).filter((element) => !find(release, element));
  return [
    ...(release.elements ?? []).flatMap((element) => replacementFindings(release, element)),
    ...removed.flatMap((element) => removalFindings(past, release, element)),
  ];
}

const find = ({ elements = [] }: ApiRelease, { kind, name }: ReleasedElement): ReleasedElement | undefined =>
  elements.find((element) => element.kind === kind && element.name === name);

function finding(
  rule: string,
  release: ApiRelease,
  { kind, name }: ReleasedElement,
  message: string,
): HistoryFinding {
  return { rule, release: release.name, type: kind, version: name, message };
}

function replacementFindings(release: ApiRelease, element: ReleasedElement): readonly HistoryFinding[] {
  const { deprecated, replacement: name, stage, kind } = element;
  const rule = RULES[kind].replacement;
  const other = name === undefined ? undefined : find(release, { ...element, name });
  if (!deprecated || !other || rule === undefined || RANK[other.stage] >= RANK[stage]) return [];
  return [finding(rule, release, element, `is deprecated in favor of ${name}, which is less stable`)];
}

function removalFindings(
  past: readonly ApiRelease[],
  release: ApiRelease,
  element: ReleasedElement,
): readonly HistoryFinding[] {
  const { removal, lifetime } = RULES[element.kind];
  const announced = sinceIndex(past, element, isAnnounced);
  const first = sinceIndex(past, element, () => true);
  return [
    ...tooEarly(removal, announced, 'its announcement'),
    ...(lifetime ? tooEarly(lifetime, first, 'its first release') : []),
  ];

  function tooEarly(
    [rule, windows]: KindRules['removal'],
    since: number,
    event: string,
  ): readonly HistoryFinding[] {
    const window = windows[element.stage];
    if (window.releases === 0 && window.months === 0) return [];
    const message =
      since === past.length ? 'is gone, and was not deprecated before' : lasted(window, since, event);
    return message === undefined ? [] : [finding(rule, release, element, message)];
  }

  function lasted({ releases, months }: Window, since: number, event: string): string | undefined {
    const passed = past.length - since;
    const stage = `${element.stage} ${element.kind}s stay for`;
    if (passed < releases)
      return `is gone ${passed} ${passed === 1 ? 'release' : 'releases'} after ${event}: ${stage} ${releases}`;
    const days = daysBetween(past[since], release);
    if (days === undefined || days >= daysOf(months)) return undefined;
    return `is gone ${days} days after ${event}: ${stage} ${daysOf(months)}`;
  }
}

const isAnnounced = ({ deprecated, kind, stage }: ReleasedElement): boolean =>
  deprecated === true || (kind === 'gate' && stage === 'stable');

/** Returns the index of the first of the last releases in all of which an element fulfills a condition; their number if none does. */
function sinceIndex(
  past: readonly ApiRelease[],
  element: ReleasedElement,
  condition: (element: ReleasedElement) => boolean,
): number {
  let index = past.length;
  while (index > 0) {
    const found = find(past[index - 1] as ApiRelease, element);
    if (!found || !condition(found)) break;
    index--;
  }
  return index;
}

const DAY = 86_400_000;
const daysOf = (months: number): number => Math.floor((months * 365) / 12);

/** Undefined where a date is unknown. */
function daysBetween(from: ApiRelease | undefined, to: ApiRelease): number | undefined {
  if (from?.published === undefined || to.published === undefined) return undefined;
  return Math.floor((to.published - from.published) / DAY);
}
