import { childrenOf, type Expression } from '../syntax/ast.ts';
import type { CheckedExpression } from './checked-expression.ts';

/** Assumed number of rounds of a loop. */
const ASSUMED_ROUNDS = 4;
/** Minimum number of field reads that a slot must save, since filling it takes time itself. */
const MINIMUM_SAVED_READS = 3;

interface PathReads {
  readonly path: readonly string[];
  /** `object.spec.replicas` also reads `object.spec`. */
  count: number;
}

/** Returns the key of a path in maps and sets. */
export function pathKey(path: readonly string[]): string {
  return path.join('\u0000');
}

/** Returns the keys of the paths that are read often enough for their values to be stored in a slot. */
export function reusedPaths(expression: CheckedExpression): ReadonlySet<string> {
  const reads = countReads(expression);
  const reused = new Set<string>();
  const longestFirst = [...reads].sort(([, a], [, b]) => b.path.length - a.path.length);
  for (const [key, { path, count }] of longestFirst) {
    if ((count - 1) * (path.length - 1) < MINIMUM_SAVED_READS) continue;
    reused.add(key);
    // Only the first reader evaluates the prefix.
    for (let length = 2; length < path.length; length++) {
      const prefix = reads.get(pathKey(path.slice(0, length)));
      if (prefix) prefix.count -= count - 1;
    }
  }
  return reused;
}

function countReads(expression: CheckedExpression): Map<string, PathReads> {
  const reads = new Map<string, PathReads>();
  const visit = (node: Expression, times: number): void => {
    const path = variablePath(node, expression);
    if (path) {
      for (let length = 2; length <= path.length; length++) {
        const prefix = path.slice(0, length);
        const existing = reads.get(pathKey(prefix));
        if (existing) existing.count += times;
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
    for (const child of [node.condition, node.step]) visit(child, times * ASSUMED_ROUNDS);
    visit(node.result, times);
  };
  visit(expression.root, 1);
  return reads;
}

/** Returns the names of a variable and its fields, where the node only reads fields. */
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
