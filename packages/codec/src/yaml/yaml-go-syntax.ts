import { goFloat, goQuote } from '@ashlar/core';
import type { YamlValue } from './yaml-value.ts';

/** A value as Go's `%#v` prints it, which some messages quote. */
export function goSyntax(value: YamlValue): string {
  if (value.type === 'sequence') return `[]interface {}{${value.items.map(goElement).join(', ')}}`;
  if (value.type === 'mapping') {
    const pairs = [...value.entries.values()].map(
      ({ key, value: member }) => `${goElement(key)}:${goElement(member)}`,
    );
    return `map[interface {}]interface {}{${pairs.join(', ')}}`;
  }
  if (value.type === 'null') return '<nil>';
  if (value.type === 'float') return goFloat(value.value);
  return typeof value.value === 'string' ? goQuote(value.value) : String(value.value);
}

function goElement(value: YamlValue): string {
  return value.type === 'null' ? 'interface {}(nil)' : goSyntax(value);
}
