import { describe, expect, it } from 'vitest';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import { widgets } from './definition.fixture.ts';
import { KnownDefinitions } from './known-definitions.ts';

const named = (group: string, plural: string): CustomResourceDefinition =>
  widgets({ group, names: { plural } }, { metadata: { name: `${plural}.${group}` } });
const widgetsHere = named('example.com', 'widgets');
const gadgetsHere = named('example.com', 'gadgets');
const widgetsThere = named('example.org', 'widgets');

function known(): KnownDefinitions {
  const definitions = new KnownDefinitions();
  for (const each of [widgetsHere, gadgetsHere, widgetsThere])
    definitions.set(each.metadata.name ?? '', each);
  return definitions;
}

describe('definitions that are known', () => {
  it('compete for names with others of their group alone', () => {
    expect([...known().othersOf('example.com', 'widgets.example.com')]).toEqual([gadgetsHere]);
    expect([...known().othersOf('example.org', 'widgets.example.org')]).toEqual([]);
  });

  it('are gone from their group, too, once they are deleted', () => {
    const definitions = known();
    definitions.delete('gadgets.example.com');
    definitions.delete('nobody.example.com');
    expect(definitions.get('gadgets.example.com')).toBeUndefined();
    expect([...definitions.othersOf('example.com', 'widgets.example.com')]).toEqual([]);
  });

  it('take the place of what was known before', () => {
    const definitions = known();
    const changed = { ...gadgetsHere, metadata: { ...gadgetsHere.metadata, generation: 2 } };
    definitions.set('gadgets.example.com', changed);
    expect(definitions.get('gadgets.example.com')).toBe(changed);
    expect([...definitions.othersOf('example.com', '')]).toEqual([widgetsHere, changed]);
  });

  it('are all forgotten at once', () => {
    const definitions = known();
    definitions.clear();
    expect(definitions.get('widgets.example.com')).toBeUndefined();
    expect([...definitions.othersOf('example.com', '')]).toEqual([]);
  });
});
