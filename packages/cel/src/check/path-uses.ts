import { childrenOf, type Expression } from '../syntax/ast.ts';
import type { CheckedExpression } from './checker.ts';

/** How many reads in a loop are taken to be. */
const READS_IN_LOOP = 4;
/** Reads of fields that keeping a value must save, for it takes some time itself. */
const LEAST_SAVED = 3;

interface PathReads {
  readonly path: readonly string[];
  /** `object.spec.replicas` also reads `object.spec`. */
  count: number;
}

/** A path as a key. */
export function pathKey(path: readonly string[]): string {
  return path.join('\u0000');
}

/** The paths, by their keys, whose values are worth keeping for their next reader. */
export function keptPaths(expression: CheckedExpression): ReadonlySet<string> {
  const reads = countReads(expression);
  const kept = new Set<string>();
  const longestFirst = [...reads].sort(([, a], [, b]) => b.path.length - a.path.length);
  for (const [key, { path, count }] of longestFirst) {
    if ((count - 1) * (path.length - 1) < LEAST_SAVED) continue;
    kept.add(key);
    // Only the first reader still goes through what is before.
    for (let length = 2; length < path.length; length++) {
      const prefix = reads.get(pathKey(path.slice(0, length)));
      if (prefix) prefix.count -= count - 1;
    }
  }
  return kept;
}

function countReads(expression: CheckedExpression): Map<string, PathReads> {
  const reads = new Map<string, PathReads>();
  const visit = (node: Expression, times: number): void => {
    const path = variablePath(node, expression);
    if (path) {
      for (let length = 2; length <= path.length; length++) {
        const prefix = path.slice(0, length);
        const known = reads.get(pathKey(prefix));
        if (known) known.count += times;
        else reads.set(pathKey(prefix), { path: prefix, count: times });
      }
      return;
    }
    if (node.kind !== 'comprehension') {
      for (const child of childrenOf(node)) visit(child, times);
      return;
    }
    visit(node.range, times);
    visit(node.initial, times);
    for (const child of [node.condition, node.step]) visit(child, times * READS_IN_LOOP);
    visit(node.result, times);
  };
  visit(expression.root, 1);
  return reads;
}

/** Names from a variable on, where the node is nothing but fields of one. */
function variablePath(node: Expression, expression: CheckedExpression): string[] | undefined {
  const fields: string[] = [];
  let current = node;
  for (;;) {
    const reference = expression.references[current.id];
    if (reference?.name !== undefined) {
      if (reference.local || reference.value !== undefined) return undefined;
      return [reference.name, ...fields.reverse()];
    }
    if (current.kind !== 'select' || current.testOnly) return undefined;
    fields.push(current.field);
    current = current.operand;
  }
}
