import type { Expression } from './ast.ts';
import type { TokenReader } from './token-reader.ts';

/** Tracks the nesting of nodes, which is bounded. */
export class Nesting {
  readonly #tokens: TokenReader;
  readonly #limit: number;
  /** By node id. */
  readonly #heights: number[] = [];

  constructor(tokens: TokenReader, limit: number) {
    this.#tokens = tokens;
    this.#limit = limit;
  }

  /** Records a node that nests its operands one deeper. */
  nested<T extends Expression>(node: T, ...operands: readonly Expression[]): T {
    return this.atHeight(node, this.heightOf(operands) + 1);
  }

  /** Records the nesting of a node. Throws {@link Abandoned} beyond the limit. */
  atHeight<T extends Expression>(node: T, height: number): T {
    if (height > this.#limit) this.#tokens.abandon('max recursion depth exceeded', -1);
    this.#heights[node.id] = height;
    return node;
  }

  /** Returns the maximum nesting of the nodes. */
  heightOf(nodes: readonly Expression[]): number {
    let height = 0;
    for (const node of nodes) height = Math.max(height, this.#heights[node.id] ?? 0);
    return height;
  }
}
