import { childrenOf, type Expression } from './ast.ts';
import type { CheckedExpression } from './checker.ts';

/** How often the paths of an expression are read: `object.spec.replicas` also reads `object.spec`. */
export type PathUses = ReadonlyMap<string, number>;

/** A path as a key. */
export function pathKey(path: readonly string[]): string {
  return path.join('\u0000');
}

/** Counts the readers of every path that starts at a variable; those in a loop count twice. */
export function countPathUses(expression: CheckedExpression): PathUses {
  const uses = new Map<string, number>();
  const visit = (node: Expression, times: number): void => {
    const path = variablePath(node, expression);
    if (path) {
      for (let length = 2; length <= path.length; length++) {
        const key = pathKey(path.slice(0, length));
        uses.set(key, (uses.get(key) ?? 0) + times);
      }
      return;
    }
    if (node.kind !== 'comprehension') {
      for (const child of childrenOf(node)) visit(child, times);
      return;
    }
    visit(node.range, times);
    visit(node.initial, times);
    for (const child of [node.condition, node.step]) visit(child, 2);
    visit(node.result, times);
  };
  visit(expression.root, 1);
  return uses;
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
