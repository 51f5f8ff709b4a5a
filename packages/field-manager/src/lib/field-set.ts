import { comparePathElements, type FieldPath, type PathElement } from './path-element.ts';

/** An element of a field set, the part of the set below it, and whether it is itself in the set. */
export interface FieldNode {
  readonly element: PathElement;
  readonly isMember: boolean;
  readonly children: FieldSet;
}

/**
 * An immutable set of paths, as a tree in canonical order (semantics F1). A node may be in the set, have members below it, or
 * both.
 *
 * @example
 * const a = FieldSet.of(fieldPath('spec', 'replicas'));
 * const b = FieldSet.of(fieldPath('spec', 'paused'));
 * a.union(b).size; // 2
 */
export class FieldSet {
  static readonly EMPTY: FieldSet = new FieldSet([]);

  /** Sorted; none is empty. */
  readonly nodes: readonly FieldNode[];

  private constructor(nodes: readonly FieldNode[]) {
    this.nodes = nodes;
  }

  /** The set of these paths. The empty path, the object as a whole, is no member of any set. */
  static of(...paths: readonly FieldPath[]): FieldSet {
    return paths.reduce<FieldSet>((set, path) => set.union(FieldSet.#ofPath(path)), FieldSet.EMPTY);
  }

  static #ofPath(path: FieldPath): FieldSet {
    return path.reduceRight<FieldSet>(
      (children, element, index) =>
        new FieldSet([{ element, isMember: index === path.length - 1, children }]),
      FieldSet.EMPTY,
    );
  }

  /** A set of nodes with different elements, in any order; empty nodes fall away. */
  static ofNodes(nodes: Iterable<FieldNode>): FieldSet {
    const kept = [...nodes].filter(isFilled);
    if (kept.length === 0) return FieldSet.EMPTY;
    return new FieldSet(kept.sort((a, b) => comparePathElements(a.element, b.element)));
  }

  get isEmpty(): boolean {
    return this.nodes.length === 0;
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

  /** What the set has at an element of its first level. */
  node(element: PathElement): FieldNode | undefined {
    let low = 0;
    let high = this.nodes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const node = this.nodes[middle] as FieldNode;
      const order = comparePathElements(node.element, element);
      if (order === 0) return node;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  /** The part of the set below an element. */
  below(element: PathElement): FieldSet {
    return this.node(element)?.children ?? FieldSet.EMPTY;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty || other === this) return this;
    if (this.isEmpty) return other;
    return this.#merge(other, (a, b) => {
      if (!a || !b) return a ?? b;
      return {
        element: a.element,
        isMember: a.isMember || b.isMember,
        children: a.children.union(b.children),
      };
    });
  }

  intersection(other: FieldSet): FieldSet {
    return this.#merge(other, (a, b) => {
      if (!a || !b) return undefined;
      const children = a.children.intersection(b.children);
      return { element: a.element, isMember: a.isMember && b.isMember, children };
    });
  }

  /** The paths of this set that are not in the other. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    return this.#merge(other, (a, b) => {
      if (!a || !b) return a;
      const children = a.children.difference(b.children);
      return { element: a.element, isMember: a.isMember && !b.isMember, children };
    });
  }

  /** The paths of this set that are neither in the other nor below one that is. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    return this.#merge(other, (a, b) => {
      if (!a || !b) return a;
      if (b.isMember) return undefined;
      return { ...a, children: a.children.recursiveDifference(b.children) };
    });
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.nodes.length !== other.nodes.length) return false;
    return this.nodes.every((node, index) => {
      const twin = other.nodes[index] as FieldNode;
      if (comparePathElements(node.element, twin.element) !== 0) return false;
      return node.isMember === twin.isMember && node.children.equals(twin.children);
    });
  }

  /** The paths that have none of the set below them. */
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
  *paths(prefix: FieldPath = []): Generator<FieldPath> {
    for (const { element, isMember } of this.nodes) if (isMember) yield [...prefix, element];
    for (const { element, children } of this.nodes) yield* children.paths([...prefix, element]);
  }

  #merge(
    other: FieldSet,
    combine: (mine?: FieldNode, theirs?: FieldNode) => FieldNode | undefined,
  ): FieldSet {
    const nodes: FieldNode[] = [];
    const add = (node: FieldNode | undefined) => {
      if (node && isFilled(node)) nodes.push(node);
    };
    let mine = 0;
    let theirs = 0;
    while (mine < this.nodes.length && theirs < other.nodes.length) {
      const a = this.nodes[mine] as FieldNode;
      const b = other.nodes[theirs] as FieldNode;
      const order = comparePathElements(a.element, b.element);
      add(combine(order <= 0 ? a : undefined, order >= 0 ? b : undefined));
      if (order <= 0) mine++;
      if (order >= 0) theirs++;
    }
    for (const node of this.nodes.slice(mine)) add(combine(node, undefined));
    for (const node of other.nodes.slice(theirs)) add(combine(undefined, node));
    return nodes.length === 0 ? FieldSet.EMPTY : new FieldSet(nodes);
  }
}

const isFilled = (node: FieldNode): boolean => node.isMember || !node.children.isEmpty;
