import { doneSteps, type Steps } from '@ashlar/core';
import { isDue } from '../values/large-parts.ts';
import { type FieldNode, FieldSet } from './field-set.ts';
import { compareNodes, isFarLonger } from './node-order.ts';

/** How to combine two sets. */
interface Rule {
  /** The same for small sets. */
  inOnePiece(left: FieldSet, right: FieldSet): FieldSet;
  /**
   * Whether the result contains elements of the right set only; those of the left set only are included,
   * except in an intersection.
   */
  readonly takesRight: boolean;
  readonly keepsLeft: boolean;
  /** Whether the result contains shared elements themselves. */
  isMember(left: boolean, right: boolean): boolean;
  /** Whether a shared element removes everything below it. */
  dropsSubtree?(right: FieldNode): boolean;
}

const UNION: Rule = {
  inOnePiece: (left, right) => left.union(right),
  takesRight: true,
  keepsLeft: true,
  isMember: (left, right) => left || right,
};

const INTERSECTION: Rule = {
  inOnePiece: (left, right) => left.intersection(right),
  takesRight: false,
  keepsLeft: false,
  isMember: (left, right) => left && right,
};

const DIFFERENCE: Rule = {
  inOnePiece: (left, right) => left.difference(right),
  takesRight: false,
  keepsLeft: true,
  isMember: (left, right) => left && !right,
};

const RECURSIVE_DIFFERENCE: Rule = {
  inOnePiece: (left, right) => left.recursiveDifference(right),
  takesRight: false,
  keepsLeft: true,
  isMember: (left) => left,
  dropsSubtree: ({ isMember }) => isMember,
};

/** {@link FieldSet.union} that pauses where sets are large. */
export const unionSteps = (left: FieldSet, right: FieldSet): Steps<FieldSet> => combine(UNION, left, right);

/** {@link FieldSet.intersection} that pauses where sets are large. */
export const intersectionSteps = (left: FieldSet, right: FieldSet): Steps<FieldSet> =>
  combine(INTERSECTION, left, right);

/** {@link FieldSet.difference} that pauses where sets are large. */
export const differenceSteps = (left: FieldSet, right: FieldSet): Steps<FieldSet> =>
  combine(DIFFERENCE, left, right);

/** {@link FieldSet.recursiveDifference} that pauses where sets are large. */
export const recursiveDifferenceSteps = (left: FieldSet, right: FieldSet): Steps<FieldSet> =>
  combine(RECURSIVE_DIFFERENCE, left, right);

/** {@link FieldSet.equals} that pauses where sets are large. */
export function equalSteps(left: FieldSet, right: FieldSet): Steps<boolean> {
  const isSmall = left === right || (!left.isLarge && !right.isLarge);
  return isSmall ? doneSteps(left.equals(right)) : equalLargeSteps(left, right);
}

function* equalLargeSteps(left: FieldSet, right: FieldSet): Steps<boolean> {
  const mine = yield* left.nodesSteps();
  const theirs = yield* right.nodesSteps();
  if (mine.length !== theirs.length) return false;
  for (const [index, node] of mine.entries()) {
    if (isDue()) yield;
    const twin = theirs[index] as FieldNode;
    if (node.isMember !== twin.isMember || compareNodes(node, twin) !== 0) return false;
    if (!(yield* equalSteps(node.children, twin.children))) return false;
  }
  return true;
}

/** The union of any number of sets: two and two at a time, so that none is gone through for each of the others. */
export function unionAllSteps(sets: readonly FieldSet[]): Steps<FieldSet> {
  if (sets.length > 2) return unionManySteps(sets);
  const [first = FieldSet.EMPTY, second = FieldSet.EMPTY] = sets;
  return unionSteps(first, second);
}

function* unionManySteps(sets: readonly FieldSet[]): Steps<FieldSet> {
  let round = sets;
  while (round.length > 1) {
    const next: FieldSet[] = [];
    for (let at = 0; at < round.length; at += 2) {
      if (isDue()) yield;
      const right = round[at + 1];
      next.push(right ? yield* unionSteps(round[at] as FieldSet, right) : (round[at] as FieldSet));
    }
    round = next;
  }
  return round[0] ?? FieldSet.EMPTY;
}

function combine(rule: Rule, left: FieldSet, right: FieldSet): Steps<FieldSet> {
  const isSmall = left === right || left.isEmpty || right.isEmpty || (!left.isLarge && !right.isLarge);
  return isSmall ? doneSteps(rule.inOnePiece(left, right)) : combineLarge(rule, left, right);
}

function* combineLarge(rule: Rule, left: FieldSet, right: FieldSet): Steps<FieldSet> {
  const mine = yield* left.nodesSteps();
  const theirs = yield* right.nodesSteps();
  const isUneven = isFarLonger(mine, theirs) || isFarLonger(theirs, mine);
  if (isUneven && !(left.isLarge && right.isLarge)) return rule.inOnePiece(left, right);
  return yield* new Combination(rule, left).run(mine, theirs);
}

class Combination {
  readonly #rule: Rule;
  readonly #left: FieldSet;
  readonly #nodes: FieldNode[] = [];
  #isChanged = false;

  constructor(rule: Rule, left: FieldSet) {
    this.#rule = rule;
    this.#left = left;
  }

  *run(left: readonly FieldNode[], right: readonly FieldNode[]): Steps<FieldSet> {
    let mine = 0;
    let theirs = 0;
    while (mine < left.length || theirs < right.length) {
      if (isDue()) yield;
      const a = left[mine];
      const b = right[theirs];
      const order = orderOfHeads(a, b);
      if (order === 0) yield* this.#meet(a as FieldNode, b as FieldNode);
      else if (order < 0) this.#takeLeft(a as FieldNode);
      else this.#takeRight(b as FieldNode);
      if (order <= 0) mine++;
      if (order >= 0) theirs++;
    }
    return this.#isChanged ? FieldSet.ofSorted(this.#nodes) : this.#left;
  }

  #takeLeft(node: FieldNode): void {
    if (this.#rule.keepsLeft) this.#nodes.push(node);
    else this.#isChanged = true;
  }

  #takeRight(node: FieldNode): void {
    if (!this.#rule.takesRight) return;
    this.#nodes.push(node);
    this.#isChanged = true;
  }

  *#meet(a: FieldNode, b: FieldNode): Steps<void> {
    const isMember = this.#rule.isMember(a.isMember, b.isMember);
    const isDropped = this.#rule.dropsSubtree?.(b) ?? false;
    const children = isDropped ? FieldSet.EMPTY : yield* combine(this.#rule, a.children, b.children);
    if (!isDropped && isMember === a.isMember && children === a.children) {
      this.#nodes.push(a);
      return;
    }
    this.#isChanged = true;
    if (!isDropped && (isMember || !children.isEmpty))
      this.#nodes.push({ element: a.element, isMember, children });
  }
}

/** Absent nodes are sorted last. */
function orderOfHeads(a: FieldNode | undefined, b: FieldNode | undefined): number {
  if (!a) return 1;
  return b ? compareNodes(a, b) : -1;
}
