import { doneSteps, type JsonObject, type Steps, sortSteps } from '@ashlar/core';
import { isDue, isLarge } from '../values/large-parts.ts';
import { compareNodes, isFarLonger, orderOf, positionOf } from './node-order.ts';
import type { FieldPath, PathElement } from './path-element.ts';

/** An element of a field set, the part of the set below it, and whether it is itself in the set. */
export interface FieldNode {
  readonly element: PathElement;
  readonly isMember: boolean;
  readonly children: FieldSet;
}

/**
 * An immutable set of paths, as a tree in canonical order (semantics/apply#fieldsv1). A node may be in the set, have members below it, or
 * both.
 *
 * @example
 * const a = FieldSet.of(fieldPath('spec', 'replicas'));
 * const b = FieldSet.of(fieldPath('spec', 'paused'));
 * a.union(b).size; // 2
 */
export class FieldSet {
  static readonly EMPTY: FieldSet = new FieldSet([]);

  #nodes: readonly FieldNode[] | undefined;
  #written: WrittenFieldSet | undefined;
  /** By text, built on the first lookup. */
  #index: ReadonlyMap<string, FieldNode> | undefined;
  /** Approximate number of elements. */
  #weight: number | undefined;

  private constructor(nodes: readonly FieldNode[] | undefined, written?: WrittenFieldSet) {
    this.#nodes = nodes;
    this.#written = written;
  }

  /** The set of a decoded text, read level by level on demand. It must have members. */
  static ofWritten(written: WrittenFieldSet): FieldSet {
    return new FieldSet(undefined, written);
  }

  /** Sorted; none is empty. */
  get nodes(): readonly FieldNode[] {
    this.#nodes ??= this.#written?.read() ?? [];
    return this.#nodes;
  }

  /** {@link nodes}, which pauses where a large set has not been read yet. */
  nodesSteps(): Steps<readonly FieldNode[]> {
    if (this.#nodes || !this.#written || !this.isLarge) return doneSteps(this.nodes);
    return this.#readSteps(this.#written);
  }

  *#readSteps(written: WrittenFieldSet): Steps<readonly FieldNode[]> {
    this.#nodes = yield* written.readSteps();
    return this.#nodes;
  }

  /** Whether work on it pauses. */
  get isLarge(): boolean {
    return this.weight > SMALL;
  }

  static #weigh(nodes: readonly FieldNode[]): number {
    let weight = nodes.length;
    for (const { children } of nodes) {
      if (weight > SMALL) break;
      weight += children.weight;
    }
    return weight;
  }

  private get weight(): number {
    this.#weight ??= this.#nodes
      ? FieldSet.#weigh(this.#nodes)
      : isLarge(this.#written?.json)
        ? SMALL + 1
        : 1;
    return this.#weight;
  }

  /** Encoded form of the set, if known. */
  get written(): WrittenFieldSet | undefined {
    return this.#written;
  }

  /** Caches the encoded form. */
  keepWritten(written: WrittenFieldSet): void {
    this.#written ??= written;
  }

  /** The set of these paths. The empty path, the root of the object, is not a member of any set. */
  static of(...paths: readonly FieldPath[]): FieldSet {
    return FieldSet.ofPaths(paths);
  }

  /** The set of any number of paths. */
  static ofPaths(paths: readonly FieldPath[]): FieldSet {
    let sets = paths.map((path) => FieldSet.#ofPath(path));
    // Pairwise, so that no set is traversed for each of the others.
    while (sets.length > 1)
      sets = sets.flatMap((set, index) => {
        if (index % 2 === 1) return [];
        return [set.union(sets[index + 1] ?? FieldSet.EMPTY)];
      });
    return sets[0] ?? FieldSet.EMPTY;
  }

  static #ofPath(path: FieldPath): FieldSet {
    return path.reduceRight<FieldSet>(
      (children, element, index) =>
        new FieldSet([{ element, isMember: index === path.length - 1, children }]),
      FieldSet.EMPTY,
    );
  }

  /** A set of nodes with different elements, in any order; empty nodes are dropped. */
  static ofNodes(nodes: Iterable<FieldNode>): FieldSet {
    const filled: FieldNode[] = [];
    let isSorted = true;
    for (const node of nodes) isSorted = append(filled, node, isSorted);
    if (!isSorted) filled.sort(orderOf(filled));
    return FieldSet.ofSorted(filled);
  }

  /** {@link ofNodes} that pauses where there are many. */
  static ofNodesSteps(nodes: readonly FieldNode[]): Steps<FieldSet> {
    return nodes.length <= SMALL ? doneSteps(FieldSet.ofNodes(nodes)) : FieldSet.#ofManyNodes(nodes);
  }

  static *#ofManyNodes(nodes: readonly FieldNode[]): Steps<FieldSet> {
    const filled: FieldNode[] = [];
    let isSorted = true;
    for (const node of nodes) {
      if (isDue()) yield;
      isSorted = append(filled, node, isSorted);
    }
    if (!isSorted) yield* sortSteps(filled, orderOf(filled));
    return FieldSet.ofSorted(filled);
  }

  /** A set of sorted nodes; none is empty. */
  static ofSorted(nodes: readonly FieldNode[]): FieldSet {
    return nodes.length === 0 ? FieldSet.EMPTY : new FieldSet(nodes);
  }

  get isEmpty(): boolean {
    return this.#nodes !== undefined && this.#nodes.length === 0;
  }

  /** Number of paths. */
  get size(): number {
    return this.nodes.reduce((size, node) => size + Number(node.isMember) + node.children.size, 0);
  }

  has(path: FieldPath): boolean {
    const [element, ...rest] = path;
    const node = element && this.node(element);
    if (!node) return false;
    return rest.length === 0 ? node.isMember : node.children.has(rest);
  }

  /** Returns the node of an element on the first level. */
  node(element: PathElement): FieldNode | undefined {
    this.#index ??= new Map(this.nodes.map((node) => [node.element.text, node]));
    return this.#index.get(element.text);
  }

  /** Builds the index of {@link node}, with pauses. */
  *indexSteps(): Steps<void> {
    if (this.#index || !this.isLarge) return;
    const index = new Map<string, FieldNode>();
    for (const node of yield* this.nodesSteps()) {
      if (isDue()) yield;
      index.set(node.element.text, node);
    }
    this.#index = index;
  }

  /** The part of the set below an element. */
  below(element: PathElement): FieldSet {
    return this.node(element)?.children ?? FieldSet.EMPTY;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty || other === this) return this;
    if (this.isEmpty) return other;
    let isGrown = false;
    const merged = this.#merge(other, (a, b) => {
      if (!b) return a;
      isGrown ||= !a;
      if (!a) return b;
      const node = uniteNodes(a, b);
      isGrown ||= node !== a;
      return node;
    });
    return isGrown ? merged : this;
  }

  intersection(other: FieldSet): FieldSet {
    if (this === other || this.isEmpty) return this;
    const nodes: FieldNode[] = [];
    this.#meet(other, (mine, theirs) => {
      const children = mine.children.intersection(theirs.children);
      const node = { element: mine.element, isMember: mine.isMember && theirs.isMember, children };
      if (isFilled(node)) nodes.push(node);
    });
    return FieldSet.ofSorted(nodes);
  }

  /** The paths of this set that are not in the other. */
  difference(other: FieldSet): FieldSet {
    return this.#without(other, (mine, theirs) => {
      const children = mine.children.difference(theirs.children);
      return { element: mine.element, isMember: mine.isMember && !theirs.isMember, children };
    });
  }

  /** The paths of this set that are neither in the other nor below one of its paths. */
  recursiveDifference(other: FieldSet): FieldSet {
    return this.#without(other, (mine, theirs) => {
      if (theirs.isMember) return undefined;
      const children = mine.children.recursiveDifference(theirs.children);
      return { element: mine.element, isMember: mine.isMember, children };
    });
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.nodes.length !== other.nodes.length) return false;
    return this.nodes.every((node, index) => {
      const twin = other.nodes[index] as FieldNode;
      if (compareNodes(node, twin) !== 0) return false;
      return node.isMember === twin.isMember && node.children.equals(twin.children);
    });
  }

  /** The paths without longer paths in the set. */
  leaves(): FieldSet {
    return new FieldSet(
      this.nodes.map((node) => ({
        element: node.element,
        isMember: node.isMember && node.children.isEmpty,
        children: node.children.leaves(),
      })),
    );
  }

  /** Every path: at each level first the members, then what is below. */
  *paths(): Generator<FieldPath> {
    yield* FieldSet.#pathsBelow(this, undefined);
  }

  static *#pathsBelow(set: FieldSet, above: Place | undefined): Generator<FieldPath> {
    for (const { element, isMember } of set.nodes) if (isMember) yield pathOf({ element, above });
    for (const { element, children } of set.nodes)
      if (!children.isEmpty) yield* FieldSet.#pathsBelow(children, { element, above });
  }

  #merge(
    other: FieldSet,
    combine: (mine?: FieldNode, theirs?: FieldNode) => FieldNode | undefined,
  ): FieldSet {
    const nodes: FieldNode[] = [];
    const add = (node: FieldNode | undefined) => {
      if (node && isFilled(node)) nodes.push(node);
    };
    const left = this.nodes;
    const right = other.nodes;
    let mine = 0;
    let theirs = 0;
    while (mine < left.length && theirs < right.length) {
      const a = left[mine] as FieldNode;
      const b = right[theirs] as FieldNode;
      const order = compareNodes(a, b);
      add(combine(order <= 0 ? a : undefined, order >= 0 ? b : undefined));
      if (order <= 0) mine++;
      if (order >= 0) theirs++;
    }
    for (; mine < left.length; mine++) add(combine(left[mine], undefined));
    for (; theirs < right.length; theirs++) add(combine(undefined, right[theirs]));
    return FieldSet.ofSorted(nodes);
  }

  /** Calls back with the nodes of both sets. */
  #meet(other: FieldSet, both: (mine: FieldNode, theirs: FieldNode, index: number) => void): void {
    const left = this.nodes;
    const right = other.nodes;
    if (isFarLonger(right, left)) {
      for (const [index, node] of left.entries()) {
        const found = positionOf(right, node);
        if (found >= 0) both(node, right[found] as FieldNode, index);
      }
      return;
    }
    if (isFarLonger(left, right)) {
      for (const node of right) {
        const found = positionOf(left, node);
        if (found >= 0) both(left[found] as FieldNode, node, found);
      }
      return;
    }
    let mine = 0;
    let theirs = 0;
    while (mine < left.length && theirs < right.length) {
      const a = left[mine] as FieldNode;
      const b = right[theirs] as FieldNode;
      const order = compareNodes(a, b);
      if (order === 0) both(a, b, mine);
      if (order <= 0) mine++;
      if (order >= 0) theirs++;
    }
  }

  /** Replaces shared nodes; returns this set if nothing changes. */
  #without(other: FieldSet, take: (mine: FieldNode, theirs: FieldNode) => FieldNode | undefined): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    const changed = new Map<number, FieldNode | undefined>();
    this.#meet(other, (mine, theirs, index) => {
      const left = take(mine, theirs);
      if (left?.isMember !== mine.isMember || left.children !== mine.children) changed.set(index, left);
    });
    if (changed.size === 0) return this;
    const nodes: FieldNode[] = [];
    for (const [index, node] of this.nodes.entries()) {
      const left = changed.has(index) ? changed.get(index) : node;
      if (left && isFilled(left)) nodes.push(left);
    }
    return FieldSet.ofSorted(nodes);
  }
}

/** FieldsV1 in canonical form. */
export interface WrittenFieldSet {
  readonly json: JsonObject;
  /** Whether the element of this set is itself a member. */
  readonly namesItself: boolean;
  /** Nodes of the first level. */
  read(): readonly FieldNode[];
  /** The same, with pauses. */
  readSteps(): Steps<readonly FieldNode[]>;
}

/** The path of a node, built on demand: most paths are never printed. */
interface Place {
  readonly element: PathElement;
  readonly above: Place | undefined;
}

function pathOf(place: Place): FieldPath {
  const path: PathElement[] = [];
  for (let at: Place | undefined = place; at; at = at.above) path.push(at.element);
  return path.reverse();
}

/** Maximum number of elements that are processed without a pause. */
const SMALL = 128;
function uniteNodes(a: FieldNode, b: FieldNode): FieldNode {
  const isMember = a.isMember || b.isMember;
  const children = a.children.union(b.children);
  return isMember === a.isMember && children === a.children ? a : { element: a.element, isMember, children };
}

const isFilled = (node: FieldNode): boolean => node.isMember || !node.children.isEmpty;

/** Appends a node unless it is empty; returns whether the nodes are still sorted. */
function append(nodes: FieldNode[], node: FieldNode, isSorted: boolean): boolean {
  if (!isFilled(node)) return isSorted;
  const last = nodes.at(-1);
  nodes.push(node);
  return isSorted && (last === undefined || compareNodes(last, node) < 0);
}
