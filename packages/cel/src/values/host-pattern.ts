import {
  type CharacterSet,
  holds,
  holdsOthers,
  type PatternNode,
  type PatternSyntax,
} from '../regex/pattern-syntax.ts';

/**
 * The pattern for the engine of the host, which goes back where a way fails. That takes linear time where the pattern is
 * strongly one-unambiguous and starts where the text starts: nothing is read twice.
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

/** A set that holds what is not ASCII is written by what it does not hold. */
function setSource(set: CharacterSet): string {
  const negated = holdsOthers(set);
  let members = '';
  for (let code = 0; code < 128; code++) if (holds(set, code) !== negated) members += escaped(code);
  return `[${negated ? '^' : ''}${members}]`;
}

const escaped = (code: number): string => `\\x${code.toString(16).padStart(2, '0')}`;
