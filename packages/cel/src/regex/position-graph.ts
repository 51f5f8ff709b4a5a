import type { CharacterSet, PatternNode } from './pattern-syntax.ts';

/** Positions of a pattern: one bit for each place where it reads a character, and one for the match. */
export type Positions = bigint;

/** Returns the maximum number of characters that a node reads, unbounded repetitions counted once. */
export function lengthOf(node: PatternNode): number {
  switch (node.kind) {
    case 'set':
      return 1;
    case 'sequence':
      return node.items.reduce((sum, item) => sum + lengthOf(item), 0);
    case 'choice':
      return node.branches.reduce((sum, branch) => sum + lengthOf(branch), 0);
    case 'repeat':
      return lengthOf(node.body) * Math.max(1, node.max ?? node.min);
  }
}

function isNullable(node: PatternNode): boolean {
  switch (node.kind) {
    case 'set':
      return false;
    case 'sequence':
      return node.items.every(isNullable);
    case 'choice':
      return node.branches.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.body);
  }
}

/** Positions that a part of a pattern starts and ends with. */
interface Part {
  readonly first: Positions;
  readonly last: Positions;
  readonly nullable: boolean;
}

const EMPTY: Part = { first: 0n, last: 0n, nullable: true };

/** Which position may follow which. */
export class PositionGraph {
  readonly #sets: CharacterSet[] = [];
  /** Whether a repetition is ambiguous, such as `(a+)+`. */
  #ambiguous = false;
  readonly #follow: Positions[] = [];
  /** Positions at which a match may start. */
  readonly first: Positions;
  /** The bit of the match. */
  readonly matched: Positions;

  constructor(root: PatternNode) {
    const { first, last, nullable } = this.#add(root);
    this.matched = 1n << BigInt(this.#sets.length);
    this.#link(last, this.matched);
    this.first = nullable ? first | this.matched : first;
  }

  /**
   * Whether the next character always determines the path (the pattern is strongly one-unambiguous): then any
   * other path fails at its first character.
   */
  get isUnambiguous(): boolean {
    return (
      !this.#ambiguous && [this.first, ...this.#follow].every((positions) => this.#areDistinct(positions))
    );
  }

  #areDistinct(positions: Positions): boolean {
    let seen = 0n;
    for (const position of members(positions & ~this.matched)) {
      const set = this.#sets[position] as CharacterSet;
      if ((set & seen) !== 0n) return false;
      seen |= set;
    }
    return true;
  }

  /** The positions that read a character. */
  readersOf(code: number): Positions {
    let readers = 0n;
    for (const [position, set] of this.#sets.entries()) {
      if (((set >> BigInt(code)) & 1n) !== 0n) readers |= 1n << BigInt(position);
    }
    return readers;
  }

  /** The positions that follow any of the given ones. */
  after(positions: Positions): Positions {
    let after = 0n;
    for (const position of members(positions)) after |= this.#follow[position] as Positions;
    return after;
  }

  #link(from: Positions, to: Positions): void {
    for (const position of members(from)) {
      const follow = this.#follow[position] as Positions;
      if ((follow & to) !== 0n) this.#ambiguous = true;
      this.#follow[position] = follow | to;
    }
  }

  #add(node: PatternNode): Part {
    switch (node.kind) {
      case 'set':
        return this.#addSet(node.set);
      case 'sequence':
        return node.items.reduce<Part>((left, item) => this.#join(left, this.#add(item)), EMPTY);
      case 'choice':
        return node.branches.map((branch) => this.#add(branch)).reduce(either);
      case 'repeat':
        return this.#repeat(node.body, node.min, node.max);
    }
  }

  #addSet(set: CharacterSet): Part {
    const position = 1n << BigInt(this.#sets.length);
    this.#sets.push(set);
    this.#follow.push(0n);
    return { first: position, last: position, nullable: false };
  }

  #join(left: Part, right: Part): Part {
    this.#link(left.last, right.first);
    return {
      first: left.nullable ? left.first | right.first : left.first,
      last: right.nullable ? left.last | right.last : right.last,
      nullable: left.nullable && right.nullable,
    };
  }

  #repeat(body: PatternNode, min: number, max: number | undefined): Part {
    let sequence = EMPTY;
    if (isNullable(body)) this.#ambiguous = true;
    const copies = max ?? Math.max(1, min);
    for (let i = 1; i <= copies; i++) {
      const copy = this.#add(body);
      if (max === undefined && i === copies) this.#link(copy.last, copy.first);
      sequence = this.#join(sequence, i > min ? { ...copy, nullable: true } : copy);
    }
    return sequence;
  }
}

const either = (a: Part, b: Part): Part => ({
  first: a.first | b.first,
  last: a.last | b.last,
  nullable: a.nullable || b.nullable,
});

function* members(positions: Positions): Iterable<number> {
  for (let rest = positions, i = 0; rest !== 0n; rest >>= 1n, i++) if ((rest & 1n) !== 0n) yield i;
}
