import { describe, expect, it } from 'vitest';
import type { ApiRelease, ReleasedVersion } from './api-release.ts';
import { checkApiHistory } from './check-api-history.ts';

const DAY = 86_400_000;

const version = (name: string, more: Partial<ReleasedVersion> = {}): ReleasedVersion => ({
  name,
  served: true,
  storage: false,
  schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
  },
  ...more,
});

const release = (name: string, versions: readonly ReleasedVersion[], published?: number): ApiRelease => ({
  name,
  ...(published !== undefined && { published }),
  definitions: [
    {
      group: 'example.com',
      names: { plural: 'widgets', kind: 'Widget' },
      scope: 'Namespaced',
      versions,
    },
  ],
});

const rules = (...history: readonly ApiRelease[]) =>
  checkApiHistory(history).map(
    ({ rule, release: at, version: of, message }) => `${rule} ${at} ${of}: ${message}`,
  );

const stored = { storage: true };
const beta = (more: Partial<ReleasedVersion> = {}) => version('v1beta1', { ...stored, ...more });

describe('checkApiHistory', () => {
  it('accepts a version that is introduced, replaced, deprecated and removed in time, but for what clients prefer at once', () => {
    const gone = { deprecated: true, replacement: 'v1', storage: false };
    expect(
      rules(
        release('1', [beta()]),
        release('2', [beta(), version('v1')]),
        release('3', [version('v1', stored), beta(gone)]),
        release('4', [version('v1', stored), beta(gone)]),
        release('5', [version('v1', stored), beta(gone)]),
        release('6', [version('v1', stored)]),
      ),
    ).toEqual([
      '4b 2 v1: became the preferred version in its first release: the release before has to serve it and v1beta1',
    ]);
  });

  it('rule 1: elements of a version stay', () => {
    const other = {
      schema: { type: 'object', properties: { spec: { type: 'object', properties: {} } } },
    } as const;
    expect(
      rules(release('1', [version('v1', stored)]), release('2', [version('v1', { ...stored, ...other })])),
    ).toEqual([expect.stringMatching(/^1 2 v1: spec\.size is gone.*only in a new version$/)]);
  });

  it('rule 3: nothing is deprecated in favor of the less stable', () => {
    const history = release('1', [
      version('v1', { ...stored, deprecated: true, replacement: 'v2alpha1' }),
      version('v2alpha1'),
    ]);
    expect(rules(history)).toEqual(['3 1 v1: is deprecated in favor of v2alpha1, which is less stable']);
  });

  it('rule 4a: versions stay as long as their track promises', () => {
    const both = [version('v2', stored), version('v1'), version('v1beta1'), version('v1alpha1')];
    expect(rules(release('1', both), release('2', [version('v2', stored)]))).toEqual([
      '4a 2 v1: is no longer served: stable versions stay within a major release',
      '4a 2 v1beta1: is no longer served, and was not deprecated before',
    ]);
    const deprecated = [version('v1', stored), version('v1beta1', { deprecated: true })];
    const served = (name: string, at: number) => release(name, deprecated, at * DAY);
    expect(rules(served('1', 0), served('2', 100), release('3', [version('v1', stored)]))).toEqual([
      '4a 3 v1beta1: is no longer served 2 releases after its deprecation: beta versions stay for 3',
    ]);
    const three = [served('1', 0), served('2', 30), served('3', 60)];
    expect(rules(...three, release('4', [version('v1', stored)], 90 * DAY))).toEqual([
      '4a 4 v1beta1: is no longer served 90 days after its deprecation: beta versions stay for 273',
    ]);
    expect(rules(...three, release('4', [version('v1', stored)], 300 * DAY))).toEqual([]);
  });

  it('rule 4b: a version is stored only after a release that served it', () => {
    expect(
      rules(release('1', [beta()]), release('2', [version('v1alpha1', stored), beta({ storage: false })])),
    ).toEqual([
      '4b 2 v1alpha1: became the storage version in its first release: the release before has to serve it and v1beta1',
    ]);
  });
});
