import type { PolicyRule } from './policy-rule.ts';

/** Comparisons of texts between pauses. */
const PAUSE = 65_536;
/** One rule is compared with another as a whole up to so many texts; then it is compared in parts. */
const PIECE = 262_144;
/** Up to so many, two rules are compared without a pause. */
const FEW = 4096;
/** What a comparison costs besides its texts. */
const EACH = 32;
/** Characters of a line besides its texts. */
const LINE = 64;

interface Limits {
  /** Comparisons of texts. */
  readonly comparisons: number;
  /** Characters of what is missing. */
  readonly characters: number;
}

/** Enough to compare five hundred rules of a user with a thousand permissions each, and to name five thousand missing ones. */
const LIMITS: Limits = { comparisons: 20_000_000, characters: 524_288 };

/** How two rules are compared: by all permissions of one, one by one, if they have too many texts. */
export type ComparisonWay = 'at once' | 'with pauses' | 'in parts';

/** How much rules are compared, and how much is said of those that are missing. */
export class ComparisonBudget {
  readonly #limits: Limits;
  #comparisons = 0;
  #characters = 0;
  #nextPause = PAUSE;

  constructor(limits: Limits = LIMITS) {
    this.#limits = limits;
  }

  static unlimited(): ComparisonBudget {
    return new ComparisonBudget({
      comparisons: Number.POSITIVE_INFINITY,
      characters: Number.POSITIVE_INFINITY,
    });
  }

  get isSpent(): boolean {
    return this.#comparisons > this.#limits.comparisons || this.#characters > this.#limits.characters;
  }

  /** Counts the comparison of two rules. @returns how it is to be made */
  compare(owner: PolicyRule, rule: PolicyRule): ComparisonWay {
    const texts = comparisonsOf(owner, rule);
    const isSmall = texts <= FEW || isSingle(rule);
    const isComparable = isSmall || texts <= PIECE;
    this.#comparisons += isComparable ? EACH + texts : EACH;
    if (isSmall) return 'at once';
    return isComparable ? 'with pauses' : 'in parts';
  }

  /** Counts the text of a permission that is missing. */
  report(rule: PolicyRule): void {
    this.#comparisons += EACH;
    this.#characters += LINE;
    for (const texts of listsOf(rule)) for (const text of texts) this.#characters += text.length;
  }

  isPauseDue(): boolean {
    if (this.#comparisons < this.#nextPause) return false;
    this.#nextPause = this.#comparisons + PAUSE;
    return true;
  }
}

const NONE: readonly string[] = [];

const listsOf = (rule: PolicyRule): readonly (readonly string[])[] => [
  rule.verbs ?? NONE,
  rule.apiGroups ?? NONE,
  rule.resources ?? NONE,
  rule.resourceNames ?? NONE,
  rule.nonResourceURLs ?? NONE,
];

/** Whether a rule is about one verb and one thing: it cannot be compared in parts. */
const isSingle = (rule: PolicyRule): boolean => listsOf(rule).every(({ length }) => length <= 1);

/** The most texts that are compared to find out whether a rule covers another. */
function comparisonsOf(owner: PolicyRule, rule: PolicyRule): number {
  return (
    product(owner.verbs, rule.verbs) +
    product(owner.apiGroups, rule.apiGroups) +
    product(owner.resources, rule.resources) +
    product(owner.resourceNames, rule.resourceNames) +
    product(owner.nonResourceURLs, rule.nonResourceURLs)
  );
}

type Texts = readonly string[] | null | undefined;

const product = (owned: Texts, requested: Texts): number => (owned?.length ?? 0) * (requested?.length ?? 0);
