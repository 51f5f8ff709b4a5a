import type { Bounds } from './attack.ts';

/**
 * Attacks that exceed the general limits, with their cost on the machine of the bounds, which is then their
 * limit.
 * Whoever makes one cheaper lowers its bounds, or removes it from the list.
 */
export const KNOWN_COSTS: ReadonlyMap<string, Partial<Bounds>> = new Map<string, Partial<Bounds>>([
  // ownership of lists costs about four microseconds for each item
  ['patches: strategic owners', { cpuMilliseconds: 750 }],
  ['patches: apply owners', { cpuMilliseconds: 700 }],
  ['custom-objects: a list by key', { cpuMilliseconds: 750 }],
  // few bytes that are work within budgets of their own: of defaults, of rules, of aliases
  ['custom-objects: defaults of 1,000 bytes', { cpuMilliseconds: 160 }],
  ['custom-objects: defaults of defaults', { cpuMilliseconds: 160 }],
  ['custom-objects: rule: equality', { cpuMilliseconds: 80, growth: 3.5 }],
  ['encodings: Protobuf finalizers', { cpuMilliseconds: 90 }],
  ['yaml: merges', { cpuMilliseconds: 250 }],
  // schemas are walked by a dozen checks one after the other; their rules are compiled one by one
  ['definitions: fields', { cpuMilliseconds: 850 }],
  ['definitions: branches', { cpuMilliseconds: 900 }],
  ['definitions: rules', { cpuMilliseconds: 750 }],
  ['definitions: rules that are wrong', { cpuMilliseconds: 750 }],
  ['definitions: message expressions', { cpuMilliseconds: 600 }],
  // objects with as many members as a document may have, which are read, compared, owned and written
  ['custom-objects: whatever it is', { cpuMilliseconds: 650 }],
  ['encodings: Protobuf data keys', { cpuMilliseconds: 600 }],
  ['patches: merge keys', { cpuMilliseconds: 600 }],
  ['patches: strategic keys', { cpuMilliseconds: 650 }],
  ['yaml: flow maps', { cpuMilliseconds: 550 }],
  ['patches: apply YAML', { cpuMilliseconds: 750 }],
  // one long text that is searched in one piece
  ['yaml: underscores', { longestTurn: 60 }],
  // a thousand requirements to each of many sets of labels
  ['queries: label terms', { cpuMilliseconds: 90 }],
]);
