import { comparePathElements, type PathElement } from './path-element.ts';

/** What is ordered by its element: the nodes of a field set. */
interface Ordered {
  readonly element: PathElement;
}

/** The canonical order of the nodes of one level (semantics/apply#fieldsv1). */
export const compareNodes = (a: Ordered, b: Ordered): number => comparePathElements(a.element, b.element);

/**
 * Returns a comparator for different nodes of one level. Names are compared by UTF-16, which is faster: the same order
 * if none has surrogates.
 */
export function orderOf(nodes: readonly Ordered[]): (a: Ordered, b: Ordered) => number {
  const isPlain = nodes.every(({ element }) => element.kind === 'field' && !SURROGATE.test(element.name));
  return isPlain ? compareTexts : compareNodes;
}

const compareTexts = (a: Ordered, b: Ordered): number => (a.element.text < b.element.text ? -1 : 1);

const SURROGATE = /[\ud800-\udfff]/;

/** Returns the position of a node with the element of another one among sorted nodes; -1 if there is none. */
export function positionOf(nodes: readonly Ordered[], target: Ordered): number {
  let low = 0;
  let high = nodes.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = compareNodes(nodes[middle] as Ordered, target);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Minimum ratio of lengths at which looking up the shorter list's nodes is faster than traversing both. */
const FAR_LONGER = 16;

/** Whether one list is so much longer than another that the other's nodes are looked up in it. */
export function isFarLonger(nodes: readonly Ordered[], others: readonly Ordered[]): boolean {
  return nodes.length > FAR_LONGER * others.length;
}
