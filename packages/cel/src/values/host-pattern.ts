import {
  type CharacterSet,
  holds,
  holdsOthers,
  type PatternNode,
  type PatternSyntax,
} from '../regex/pattern-syntax.ts';

/**
 * The pattern for the engine of the host, which backtracks. That takes linear time if the pattern is strongly
 * one-unambiguous and anchored at the start: nothing is read twice.
 */
export function toHostPattern({ root, atEnd }: PatternSyntax): RegExp {
  // Bounded pattern: only strongly one-unambiguous patterns come here, in which nothing is read twice.
  return new RegExp(`^${sourceOf(root)}${atEnd ? '$' : ''}`, 'u');
}

function sourceOf(node: PatternNode): string {
  switch (node.kind) {
    case 'set':
      return setSource(node.set);
    case 'sequence':
      return node.items.map(sourceOf).join('');
    case 'choice':
      return `(?:${node.branches.map(sourceOf).join('|')})`;
    case 'repeat':
      return `(?:${sourceOf(node.body)}){${node.min},${node.max ?? ''}}`;
  }
}

/** A set with characters beyond ASCII is negated. */
function setSource(set: CharacterSet): string {
  const negated = holdsOthers(set);
  let members = '';
  for (let code = 0; code < 128; code++) if (holds(set, code) !== negated) members += escaped(code);
  return `[${negated ? '^' : ''}${members}]`;
}

const escaped = (code: number): string => `\\x${code.toString(16).padStart(2, '0')}`;
