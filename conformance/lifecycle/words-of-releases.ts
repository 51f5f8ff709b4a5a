import { compareReleases, type Release, requireRelease } from '@ashlar/lifecycle';

/** A message that a release began to give, and what earlier ones said; nothing if they had no such rule. */
interface Rewording {
  readonly since: string;
  readonly now: RegExp;
  readonly before?: string;
}

/** Messages of 1.32 that older releases worded otherwise. */
const REWORDINGS: readonly Rewording[] = [
  // names of stateful sets became DNS labels
  { since: '1.32', now: /^metadata\.name: Invalid value: .*: must not contain dots$/ },
  {
    since: '1.28',
    now: /^metadata\.annotations: Forbidden: annotation '.*preserve-zero-concurrency-shares' is forbidden$/,
  },
  {
    since: '1.25',
    now: /^(.*)must contain at least one letter \(a-z\)$/,
    before: '$1must contain at least one letter or number (a-z, 0-9)',
  },
  {
    since: '1.25',
    now: /^spec\.schedule: .*: cannot use TZ or CRON_TZ in schedule, use timeZone field instead$/,
  },
  { since: '1.32', now: /^(spec\.usages: Required value)$/, before: '$1: usages must be provided' },
  { since: '1.32', now: /^(spec\.signerName: Required value)$/, before: '$1: signerName must be provided' },
  {
    since: '1.30',
    now: /^(.*\.containerResource: Required value: must populate information for the given metric source)$/,
    before: '$1 (only allowed when HPAContainerMetrics feature is enabled)',
  },
  {
    since: '1.32',
    now: /^(spec\.preserveUnknownFields: Invalid value: true: cannot set to true, set x-)kubernetes-(.*)$/,
    before: '$1$2',
  },
  {
    since: '1.32',
    now: /^(status\.storedVersions: Invalid value: )\[\](: must have at least one stored version)$/,
    before: '$1[]string(nil)$2',
  },
];

/** Returns the messages of errors as a release gave them. */
export function inWordsOf(release: Release, texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const rewording = REWORDINGS.find(
      ({ since, now }) => compareReleases(release, requireRelease(since)) < 0 && now.test(text),
    );
    if (!rewording) return [text];
    return rewording.before === undefined ? [] : [text.replace(rewording.now, rewording.before)];
  });
}
