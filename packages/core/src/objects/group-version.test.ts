import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  apiVersionOf,
  groupKindText,
  groupResourceText,
  groupVersionKindText,
  parseApiVersion,
  parseResourceArgument,
} from './group-version.ts';

describe('group and version', () => {
  it.each([
    ['v1', { group: '', version: 'v1' }],
    ['apps/v1', { group: 'apps', version: 'v1' }],
    ['/v1', { group: '', version: 'v1' }],
    ['apps/', { group: 'apps', version: '' }],
    ['', { group: '', version: '' }],
    ['a/b/c', undefined],
  ])('reads %j', (text, expected) => {
    expect(parseApiVersion(text)).toEqual(expected);
  });

  it('round-trips', () => {
    const part = fc.stringMatching(/^[a-z0-9.]+$/);
    fc.assert(
      fc.property(fc.option(part, { nil: '' }), part, (group, version) => {
        expect(parseApiVersion(apiVersionOf({ group, version }))).toEqual({ group, version });
      }),
    );
  });

  it('prints the core group as the version alone', () => {
    expect(apiVersionOf({ group: '', version: 'v1' })).toBe('v1');
    expect(groupResourceText({ group: '', resource: 'pods' })).toBe('pods');
    expect(groupResourceText({ group: 'apps', resource: 'deployments' })).toBe('deployments.apps');
    expect(groupKindText({ group: '', kind: 'Pod' })).toBe('Pod');
    expect(groupKindText({ group: 'apps', kind: 'Deployment' })).toBe('Deployment.apps');
    expect(groupVersionKindText({ group: '', version: 'v1', kind: 'Pod' })).toBe('/v1, Kind=Pod');
  });
});

describe('parseResourceArgument', () => {
  it.each([
    ['pods', { groupResource: { group: '', resource: 'pods' } }],
    ['deployments.apps', { groupResource: { group: 'apps', resource: 'deployments' } }],
    [
      'deployments.v1.apps',
      {
        groupResource: { group: 'v1.apps', resource: 'deployments' },
        versioned: { group: 'apps', version: 'v1', resource: 'deployments' },
      },
    ],
    ['x.', { groupResource: { group: '', resource: 'x' } }],
  ])('reads %j', (text, expected) => {
    expect(parseResourceArgument(text)).toEqual(expected);
  });
});
