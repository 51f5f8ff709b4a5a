import { createCountedList } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { conditionOf } from './conditions.ts';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import { established, widgets } from './definition.fixture.ts';
import { FollowedDefinitions } from './known-definitions.ts';
import { type NamesInUse, withAcceptedNames } from './naming.ts';

const NOW = '2024-01-02T03:04:05Z';
const first = established(widgets({ names: { shortNames: ['wd', 'wi'] } }));

function inUseBy(...definitions: CustomResourceDefinition[]): NamesInUse {
  const followed = new FollowedDefinitions();
  for (const each of definitions) followed.set(each.metadata.name ?? '', each);
  return followed.namesInUse(widgets({}, { metadata: { name: 'none' } }));
}

describe('the names of a definition', () => {
  it('are accepted if they are free', () => {
    const named = withAcceptedNames(widgets(), inUseBy(), NOW);
    expect(named.status.acceptedNames).toEqual({
      plural: 'widgets',
      singular: 'widget',
      kind: 'Widget',
      listKind: 'WidgetList',
    });
    expect(named.status.conditions).toEqual([
      {
        type: 'NamesAccepted',
        status: 'True',
        lastTransitionTime: NOW,
        reason: 'NoConflicts',
        message: 'no conflicts found',
      },
      {
        type: 'Established',
        status: 'False',
        lastTransitionTime: NOW,
        reason: 'Installing',
        message: 'the initial names have been accepted',
      },
    ]);
  });

  it('are accepted as far as no other of the group has them', () => {
    const second = widgets({
      names: {
        plural: 'others',
        kind: 'Widget',
        singular: 'other',
        listKind: 'OtherList',
        shortNames: ['wd', 'wi', 'x'],
      },
    });
    const named = withAcceptedNames(second, inUseBy(first), NOW);
    expect(named.status.acceptedNames).toEqual({
      plural: 'others',
      singular: 'other',
      kind: '',
      listKind: 'OtherList',
    });
    expect(conditionOf(named, 'NamesAccepted')).toMatchObject({
      status: 'False',
      reason: 'KindConflict',
      message: '"Widget" is already in use',
    });
    expect(conditionOf(named, 'Established')).toMatchObject({ status: 'False', reason: 'NotAccepted' });
  });

  it('report all conflicting short names', () => {
    const second = widgets({ names: { plural: 'others', kind: 'Other', shortNames: ['wd', 'wi'] } });
    const named = withAcceptedNames(second, inUseBy(first), NOW);
    expect(conditionOf(named, 'NamesAccepted')?.message).toBe(
      '["wd" is already in use, "wi" is already in use]',
    );
  });

  it('may be short ones by the thousand, of which each is looked for once', () => {
    const namesOf = (letter: string): readonly string[] =>
      Array.from({ length: 5_000 }, (_, i) => `${letter}${i}`);
    const { list: shortNames, reads } = createCountedList(namesOf('a'));
    const { status } = established(widgets());
    const acceptedNames = { ...status.acceptedNames, shortNames };
    const requesting = widgets({ names: { shortNames: namesOf('b') } });
    const definition = { ...requesting, status: { ...status, acceptedNames } };
    const named = withAcceptedNames(definition, inUseBy(first), NOW);
    expect(named.status.acceptedNames.shortNames).toEqual(namesOf('b'));
    expect(reads()).toBeLessThan(100_000);
  });

  it('stay accepted', () => {
    expect(withAcceptedNames(first, inUseBy(first), NOW)).toBe(first);
  });

  it('keep an established definition established', () => {
    const changed = {
      ...first,
      spec: { ...first.spec, names: { ...first.spec.names, shortNames: ['taken'] } },
    };
    const inUse = { resources: new Set(['taken']), kinds: new Set<string>() };
    const named = withAcceptedNames(changed, inUse, NOW);
    expect(named.status.acceptedNames.shortNames).toEqual(['wd', 'wi']);
    expect(conditionOf(named, 'Established')?.status).toBe('True');
  });
});
