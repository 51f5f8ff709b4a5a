import type { CompiledRule, RuleTree } from '@ashlar/cel';

/** Cost units up to which all rules of a value are run without a pause: two milliseconds at most. */
const CHEAP = 20_000n;

const results: WeakMap<RuleTree, boolean> = new WeakMap();

/**
 * Whether the rules of one small value, and of what is in it, surely cost little, by their estimates: then they need not pause.
 * Rules of items and of additional members are run any number of times.
 */
export function areCheap(tree: RuleTree): boolean {
  let cheap = results.get(tree);
  if (cheap === undefined) {
    const cost = costOf(tree);
    cheap = cost !== undefined && cost <= CHEAP;
    results.set(tree, cheap);
  }
  return cheap;
}

/** Undefined where it has no limit. */
function costOf({ rules, parts, properties, items, additional }: RuleTree): bigint | undefined {
  if (items || additional) return undefined;
  let cost = 0n;
  for (const rule of rules) cost += ruleCost(rule);
  for (const part of [...parts, ...properties.values()]) {
    const inside = costOf(part);
    if (inside === undefined) return undefined;
    cost += inside;
  }
  return cost;
}

function ruleCost({ condition, message }: CompiledRule): bigint {
  return (condition?.ok ? condition.estimate.max : 0n) + (message?.ok ? message.estimate.max : 0n);
}
