import { orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { AggregatedApis, RankedVersion } from '../aggregated/aggregated-apis.ts';
import type { ApiCatalog } from '../catalog/api-catalog.ts';
import { DiscoveredGroups } from './discovered-groups.ts';
import { ListedGroups } from './listed-groups.ts';

const REGISTRATION = 'apiregistration.orch.io';

const withoutServices = (served: Readonly<Record<string, readonly string[]>>): ApiCatalog =>
  ({
    generation: 1,
    vocabulary: orchVocabulary,
    groups: () => Object.keys(served),
    versions: (group: string) => (served[group] ?? []).map((version) => ({ group, version })),
  }) as never;
const catalog = (served: Readonly<Record<string, readonly string[]>>): ApiCatalog =>
  withoutServices({ ...served, [REGISTRATION]: ['v1'] });

const ranked = (name: string, groupPriority: number, versionPriority: number): RankedVersion => {
  const [version = '', ...group] = name.split('.');
  return { group: group.join('.'), version, groupPriority, versionPriority };
};

/** What API services register: other servers, and this one. */
function registered(others: readonly RankedVersion[], own: readonly RankedVersion[]) {
  const changes = { own: 1 };
  const apis: AggregatedApis = {
    generation: 1,
    handlerOf: () => undefined,
    handlerOfDocument: () => undefined,
    versions: () => others.map((each) => ({ ...each, resources: [], isCurrent: true })),
    published: () => [],
    own: {
      get generation() {
        return changes.own;
      },
      versions: () => own,
    },
  };
  return { apis, changes };
}

const listed = (groups: ListedGroups): readonly string[] =>
  groups.names().map((group) => `${group} ${groups.versions(group).join()}`);
const others = (groups: ListedGroups): readonly string[] =>
  listed(groups).filter((each) => !each.startsWith(REGISTRATION));

describe('groups of plain discovery', () => {
  it('are what the server serves, in its order, where nothing is registered', () => {
    const groups = new ListedGroups(withoutServices({ '': ['v1'], b: ['v2', 'v1'], a: ['v1'] }), undefined);
    expect(listed(groups)).toEqual(['b v2,v1', 'a v1']);
  });

  it('are not what is registered where API services are not published', () => {
    const { apis } = registered([], [ranked('v1.secret', 1000, 100), ranked('v1.a', 2000, 100)]);
    const served = withoutServices({ b: ['v1'], a: ['v1'] });
    expect(listed(new ListedGroups(served, apis))).toEqual(['b v1', 'a v1']);
  });

  it('have the priorities of their API services, whoever serves them', () => {
    const behind = [ranked('v1.other', 1500, 10), ranked('v9.apps', 100, 20)];
    const own = [
      ranked('v1.', 18_000, 1),
      ranked('v1.apps', 5, 15),
      ranked('v1.b', 1000, 1),
      ranked('v2.b', 1000, 100),
      ranked('v1beta1.b', 1000, 200),
    ];
    const { apis } = registered(behind, own);
    const groups = new ListedGroups(catalog({ '': ['v1'], apps: ['v1'], b: ['v1', 'v2', 'v1beta1'] }), apis);
    expect(others(groups)).toEqual(['other v1', 'b v1beta1,v2,v1', 'apps v9,v1']);
  });

  it('of one priority are sorted by the names of their API services', () => {
    const { apis } = registered([], [ranked('v1beta1.a', 1000, 100), ranked('v1.c', 1000, 100)]);
    expect(others(new ListedGroups(catalog({ b: ['v1'] }), apis))).toEqual(['b v1', 'c v1', 'a v1beta1']);
  });

  it('are those that are registered and not served, and those that are served and not registered yet', () => {
    const { apis } = registered([], [ranked('v1.gone', 1000, 100)]);
    const groups = new ListedGroups(catalog({ fresh: ['v1', 'v1beta1'] }), apis);
    expect(others(groups)).toEqual(['fresh v1,v1beta1', 'gone v1']);
    expect(groups.versions('none')).toEqual([]);
  });

  it('begin with that of the API services, whose versions are not registered', () => {
    const { apis } = registered([], [ranked('v1.apps', 17_800, 15), ranked(`v2.${REGISTRATION}`, 1, 1)]);
    const groups = new ListedGroups(catalog({ apps: ['v1'] }), apis);
    expect(listed(groups)).toEqual([`${REGISTRATION} v1`, 'apps v1']);
  });

  it('follow changes of what is registered', () => {
    const own = [ranked('v1.a', 1000, 100), ranked('v1.b', 900, 100)];
    const { apis, changes } = registered([], own);
    const groups = new ListedGroups(catalog({}), apis);
    expect(others(groups)).toEqual(['a v1', 'b v1']);
    own[0] = ranked('v1.a', 1, 100);
    expect(others(groups)).toEqual(['a v1', 'b v1']);
    changes.own++;
    expect(others(groups)).toEqual(['b v1', 'a v1']);
  });
});

it('versions of built-in groups have their own priorities in aggregated discovery', () => {
  const { apis } = registered([ranked('v9.apps', 100, 20), ranked('v8.apps', 100, 10)], []);
  const groups = new DiscoveredGroups(catalog({ apps: ['v1'] }), apis);
  expect(groups.versions('apps').map(({ version }) => version)).toEqual(['v9', 'v1', 'v8']);
});
