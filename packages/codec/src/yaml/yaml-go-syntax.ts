import { GO_NIL_ELEMENT, goFloat, goListSyntax, goMapSyntax, goQuote } from '@ashlar/core';
import type { YamlValue } from './yaml-value.ts';

/** Prints a value as Go's `%#v` does, which some messages quote. */
export function yamlGoSyntax(value: YamlValue): string {
  if (value.type === 'sequence') return goListSyntax(value.items.map(elementSyntax));
  if (value.type === 'mapping') {
    const members = [...value.entries.values()];
    return goMapSyntax(
      'interface {}',
      members.map(({ key, value: member }) => [elementSyntax(key), elementSyntax(member)]),
    );
  }
  if (value.type === 'null') return '<nil>';
  if (value.type === 'float') return goFloat(value.value);
  return typeof value.value === 'string' ? goQuote(value.value) : String(value.value);
}

const elementSyntax = (value: YamlValue): string =>
  value.type === 'null' ? GO_NIL_ELEMENT : yamlGoSyntax(value);
