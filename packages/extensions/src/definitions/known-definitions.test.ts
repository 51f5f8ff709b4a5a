import { describe, expect, it } from 'vitest';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import { widgets } from './definition.fixture.ts';
import { FollowedDefinitions } from './known-definitions.ts';

const named = (group: string, plural: string): CustomResourceDefinition =>
  widgets({ group, names: { plural } }, { metadata: { name: `${plural}.${group}` } });
const widgetsHere = named('example.com', 'widgets');
const gadgetsHere = named('example.com', 'gadgets');
const widgetsThere = named('example.org', 'widgets');

function known(): FollowedDefinitions {
  const definitions = new FollowedDefinitions();
  for (const each of [widgetsHere, gadgetsHere, widgetsThere])
    definitions.set(each.metadata.name ?? '', each);
  return definitions;
}

describe('known definitions', () => {
  it('compete for names only within their group', () => {
    expect([...known().othersOf('example.com', 'widgets.example.com')]).toEqual([gadgetsHere]);
    expect([...known().othersOf('example.org', 'widgets.example.org')]).toEqual([]);
  });

  it('are removed from their group, too, when they are deleted', () => {
    const definitions = known();
    definitions.delete('gadgets.example.com');
    definitions.delete('nobody.example.com');
    expect(definitions.get('gadgets.example.com')).toBeUndefined();
    expect([...definitions.othersOf('example.com', 'widgets.example.com')]).toEqual([]);
  });

  it('replace former ones', () => {
    const definitions = known();
    const changed = { ...gadgetsHere, metadata: { ...gadgetsHere.metadata, generation: 2 } };
    definitions.set('gadgets.example.com', changed);
    expect(definitions.get('gadgets.example.com')).toBe(changed);
    expect([...definitions.othersOf('example.com', '')]).toEqual([widgetsHere, changed]);
  });

  it('can be cleared', () => {
    const definitions = known();
    definitions.clear();
    expect(definitions.get('widgets.example.com')).toBeUndefined();
    expect([...definitions.othersOf('example.com', '')]).toEqual([]);
  });
});
