import type { Expression } from './ast.ts';

/** The parts of `a.b.c`, or undefined for anything but names and dots. */
export function qualifiedName(node: Expression): string[] | undefined {
  const parts: string[] = [];
  let current = node;
  while (current.kind === 'select' && !current.testOnly) {
    parts.push(current.field);
    current = current.operand;
  }
  if (current.kind !== 'identifier') return undefined;
  parts.push(current.name);
  return parts.reverse();
}
