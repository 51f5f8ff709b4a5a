import type { Bounds } from './attack.ts';

/**
 * Attacks that exceed the general limits, with their cost on the machine of the bounds, which is then their
 * limit.
 * Whoever makes one cheaper lowers its bounds, or removes it from the list.
 */
export const KNOWN_COSTS: ReadonlyMap<string, Partial<Bounds>> = new Map<string, Partial<Bounds>>([
  // ownership of lists costs about five microseconds for each item
  ['patches: strategic owners', { cpuMilliseconds: 800 }],
  ['patches: apply owners', { cpuMilliseconds: 800 }],
  ['custom-objects: a list by key', { cpuMilliseconds: 900 }],
  // few bytes that are work within budgets of their own: of defaults, of rules, of aliases
  ['custom-objects: defaults of 1,000 bytes', { cpuMilliseconds: 200 }],
  ['custom-objects: defaults of defaults', { cpuMilliseconds: 200 }],
  ['custom-objects: rule: equality', { cpuMilliseconds: 110 }],
  ['encodings: Protobuf finalizers', { cpuMilliseconds: 140 }],
  ['yaml: merges', { cpuMilliseconds: 300 }],
  // schemas are walked by a dozen checks one after the other; their rules are compiled one by one
  ['definitions: a pattern of brackets', { longestTurn: 80 }],
  ['definitions: fields', { cpuMilliseconds: 900, longestTurn: 70 }],
  ['definitions: branches', { cpuMilliseconds: 900, longestTurn: 70 }],
  ['definitions: rules', { cpuMilliseconds: 900 }],
  ['definitions: rules that are wrong', { cpuMilliseconds: 850 }],
  ['definitions: message expressions', { cpuMilliseconds: 650 }],
  // objects with as many members as a document may have, which are read, compared, owned and written
  ['custom-objects: whatever it is', { cpuMilliseconds: 750 }],
  ['encodings: Protobuf data keys', { cpuMilliseconds: 600 }],
  ['patches: merge keys', { cpuMilliseconds: 600 }],
  ['patches: strategic keys', { cpuMilliseconds: 700, longestTurn: 60 }],
  ['yaml: flow maps', { cpuMilliseconds: 600 }],
  ['patches: apply YAML', { cpuMilliseconds: 800 }],
  // one long text that is searched, or converted, in one piece
  ['kinds: signing: headers', { longestTurn: 80 }],
  ['yaml: underscores', { longestTurn: 80 }],
  // the head of the request costs more than what is made of it
  ['queries: label terms', { cpuMilliseconds: 110, growth: 3.2 }],
  ['queries: label spaces', { growth: 4 }],
]);
