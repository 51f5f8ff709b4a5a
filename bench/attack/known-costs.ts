import type { Bounds } from './attack.ts';

/**
 * Attacks that exceed the general limits, with their cost on the machine of the bounds, which is then their
 * limit.
 * Whoever makes one cheaper lowers its bounds, or removes it from the list.
 */
export const KNOWN_COSTS: ReadonlyMap<string, Partial<Bounds>> = new Map<string, Partial<Bounds>>([
  // few bytes that are work within budgets of their own: of defaults, of aliases
  ['custom-objects: defaults of 1,000 bytes', { cpuMilliseconds: 160 }],
  ['custom-objects: defaults of defaults', { cpuMilliseconds: 160 }],
  ['encodings: Protobuf finalizers', { cpuMilliseconds: 90 }],
  ['yaml: merges', { cpuMilliseconds: 250 }],
  // schemas are walked by several checks one after the other; their rules are compiled one by one
  ['definitions: branches', { cpuMilliseconds: 900 }],
  ['definitions: rules', { cpuMilliseconds: 600 }],
  // as many values as a document may have, in many tokens each
  ['yaml: flow maps', { cpuMilliseconds: 550 }],
  // a thousand requirements to each of many sets of labels
  ['queries: label terms', { cpuMilliseconds: 90 }],
]);
