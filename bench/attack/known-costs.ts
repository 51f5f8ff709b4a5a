import type { Bounds } from './attack.ts';

/**
 * Attacks that exceed the general limits, with their cost on the machine of the bounds, which is then their
 * limit.
 * Whoever makes one cheaper lowers its bounds, or removes it from the list.
 */
export const KNOWN_COSTS: ReadonlyMap<string, Partial<Bounds>> = new Map<string, Partial<Bounds>>([
  // ownership of lists costs about five microseconds per item, and is stored in one object that is encoded at
  // once
  ['json: finalizers', { cpuMilliseconds: 2200, longestTurn: 350, grownMegabytes: 250 }],
  ['patches: strategic finalizers', { cpuMilliseconds: 1300, longestTurn: 350, grownMegabytes: 150 }],
  ['patches: strategic owners', { cpuMilliseconds: 900, longestTurn: 260 }],
  ['patches: apply finalizers', { cpuMilliseconds: 2500, longestTurn: 250, grownMegabytes: 150 }],
  ['patches: apply owners', { cpuMilliseconds: 1100 }],
  ['custom-objects: a set of 400,000', { cpuMilliseconds: 1500, longestTurn: 170, grownMegabytes: 150 }],
  ['custom-objects: a list by key', { cpuMilliseconds: 1800, longestTurn: 110, grownMegabytes: 150 }],
  // few bytes that cause work within budgets of their own: of defaults, of rules, of copies, of aliases
  ['custom-objects: defaults of 1,000 bytes', { cpuMilliseconds: 200 }],
  ['custom-objects: defaults of defaults', { cpuMilliseconds: 200 }],
  ['custom-objects: rule: equality', { cpuMilliseconds: 110 }],
  ['patches: JSON copies of a list', { cpuMilliseconds: 120 }],
  ['yaml: merges', { cpuMilliseconds: 320 }],
  // a dozen checks traverse schemas one after the other, each without a pause; rules are compiled one by one
  ['definitions: a pattern of brackets', { longestTurn: 90 }],
  ['definitions: fields', { cpuMilliseconds: 900, longestTurn: 80 }],
  ['definitions: unspecified fields', { cpuMilliseconds: 600, longestTurn: 110 }],
  ['definitions: required', { longestTurn: 100 }],
  ['definitions: enumeration', { longestTurn: 100 }],
  ['definitions: branches', { cpuMilliseconds: 900, longestTurn: 140 }],
  ['definitions: rules', { cpuMilliseconds: 1100 }],
  ['definitions: rules that are wrong', { cpuMilliseconds: 1000 }],
  ['definitions: message expressions', { cpuMilliseconds: 800 }],
  // lists of hundreds of thousands of strings that the engine parses at once
  ['custom-objects: whatever it is', { longestTurn: 90 }],
  ['encodings: Protobuf data keys', { longestTurn: 90 }],
  ['kinds: signing: headers', { longestTurn: 110 }],
  ['kinds: token review of audiences', { longestTurn: 110 }],
  ['kinds: access review of groups', { longestTurn: 110 }],
  ['patches: apply YAML', { cpuMilliseconds: 900 }],
  ['queries: label terms', { cpuMilliseconds: 140 }],
  ['queries: field equals', { cpuMilliseconds: 250, longestTurn: 110, grownMegabytes: 100 }],
  ['patches: merge keys', { longestTurn: 90 }],
  ['patches: strategic keys', { longestTurn: 110 }],
  ['patches: strategic order', { longestTurn: 110 }],
  ['patches: JSON pointer of tildes', { longestTurn: 140 }],
  ['json: groups', { longestTurn: 90 }],
  ['json: base64 lines', { longestTurn: 90 }],
  ['json: invalid data keys', { longestTurn: 90 }],
  ['yaml: anchors', { cpuMilliseconds: 1000 }],
  // the header of the request costs more than its processing
  ['queries: label spaces', { growth: 4 }],
  ['yaml: explicit keys', { cpuMilliseconds: 850 }],
  ['yaml: escapes', { longestTurn: 110 }],
  ['yaml: underscores', { longestTurn: 90 }],
]);
