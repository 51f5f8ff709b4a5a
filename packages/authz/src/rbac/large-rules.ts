import type { Steps } from '@ashlar/core';
import { type PolicyRule, ruleCovers } from './policy-rule.ts';

/** Texts between two pauses. */
const STRIDE = 4096;
/** Pairs of paths that are compared between two pauses: each comparison may read all of both. */
const PATHS = 16_384;
/** Up to so many texts, or for so few, a list is searched without a set, which costs more to make. */
const FEW = 16;

const NONE: readonly string[] = [];
const LISTS = ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs'] as const;

/** The texts of long lists of rules as sets, for one review of rules. */
export class RuleTexts {
  readonly #sets: Map<readonly string[], ReadonlySet<string>> = new Map();

  /** Makes the sets of an owner that many texts of a rule are searched in, with pauses. */
  *prepareSteps(owner: PolicyRule, rule: PolicyRule): Steps<void> {
    for (const name of LISTS) {
      const list = owner[name] ?? NONE;
      if (name === 'nonResourceURLs' || list.length <= FEW || this.#sets.has(list)) continue;
      if ((rule[name]?.length ?? 0) <= FEW) continue;
      const set = new Set<string>();
      for (const [index, text] of list.entries()) {
        set.add(text);
        if (index % STRIDE === STRIDE - 1) yield;
      }
      this.#sets.set(list, set);
    }
  }

  readonly includes = (list: readonly string[], text: string): boolean =>
    this.#sets.get(list)?.has(text) ?? list.includes(text);
}

/** As {@link ruleCovers}, with pauses and in time linear in the texts of both rules, except for their paths. */
export function* ruleCoversSteps(owner: PolicyRule, rule: PolicyRule, texts: RuleTexts): Steps<boolean> {
  yield* texts.prepareSteps(owner, rule);
  for (const part of partsOf(rule, Math.max(1, Math.floor(PATHS / (owner.nonResourceURLs?.length || 1))))) {
    if (!ruleCovers(owner, part, texts.includes)) return false;
    yield;
  }
  return true;
}

/** Rules of few texts each that are covered if a rule is: lists are covered independently of each other, text by text. */
function* partsOf(rule: PolicyRule, paths: number): Generator<PolicyRule, void, undefined> {
  const sizeOf = (name: (typeof LISTS)[number]): number =>
    name === 'nonResourceURLs' ? Math.min(paths, STRIDE) : STRIDE;
  const count = Math.max(1, ...LISTS.map((name) => Math.ceil((rule[name]?.length ?? 0) / sizeOf(name))));
  for (let index = 0; index < count; index++) {
    const lists = LISTS.map((name) => [name, partOf(rule[name] ?? NONE, sizeOf(name), index)]);
    yield Object.fromEntries(lists) as PolicyRule;
  }
}

/** The part of a list; its first one again where it has fewer, as an empty list means something else. */
function partOf(list: readonly string[], size: number, index: number): readonly string[] {
  const part = list.slice(index * size, (index + 1) * size);
  return part.length > 0 ? part : list.slice(0, 1);
}
