import type { Value } from '../values/values.ts';
import {
  ACCUMULATOR,
  type CallNode,
  type ComprehensionNode,
  type ConstantNode,
  type Expression,
  type IdentifierNode,
  type ListNode,
  type MapNode,
  type SelectNode,
} from './ast.ts';
import { MacroError } from './macro-error.ts';

/** Maximum number of nodes that the macros of an expression copy. */
const MAXIMUM_COPIES = 100_000;

/** Creates nodes with unique ids. Macros create theirs at the position of the call that they replace. */
export class NodeFactory {
  /** Position that new nodes get when none is given. */
  position = 0;
  #lastId = 0;
  #copies = 0;

  /** The next unused id. */
  nextId(): number {
    return ++this.#lastId;
  }

  constant(value: Value, position: number = this.position): ConstantNode {
    return { kind: 'constant', id: this.nextId(), position, value };
  }

  identifier(name: string, position: number = this.position): IdentifierNode {
    return { kind: 'identifier', id: this.nextId(), position, name };
  }

  /** The accumulator of the enclosing loop. */
  accumulator(): IdentifierNode {
    return this.identifier(ACCUMULATOR);
  }

  select(
    operand: Expression,
    field: string,
    testOnly: boolean,
    position: number = this.position,
  ): SelectNode {
    return { kind: 'select', id: this.nextId(), position, operand, field, testOnly };
  }

  call(
    name: string,
    args: readonly Expression[],
    target?: Expression,
    position: number = this.position,
  ): CallNode {
    return { kind: 'call', id: this.nextId(), position, function: name, target, arguments: args };
  }

  list(
    elements: readonly Expression[],
    optionals: ReadonlySet<number> = new Set(),
    position: number = this.position,
  ): ListNode {
    return { kind: 'list', id: this.nextId(), position, elements, optionals };
  }

  map(entries: MapNode['entries'], position: number = this.position): MapNode {
    return { kind: 'map', id: this.nextId(), position, entries };
  }

  comprehension(parts: Omit<ComprehensionNode, 'kind' | 'id' | 'position' | 'macro'>): ComprehensionNode {
    return { kind: 'comprehension', id: this.nextId(), position: this.position, ...parts };
  }

  /**
   * A copy with ids of its own: macros that need an argument twice evaluate two nodes. Throws
   * {@link MacroError} beyond a hundred thousand nodes: copies of copies grow exponentially.
   */
  copy<T extends Expression>(node: T): T {
    if (++this.#copies > MAXIMUM_COPIES)
      throw new MacroError(`macros make more than ${MAXIMUM_COPIES} copies of what they are given`);
    const id = this.nextId();
    switch (node.kind) {
      case 'select':
        return { ...node, id, operand: this.copy(node.operand) };
      case 'call':
        return {
          ...node,
          id,
          target: node.target && this.copy(node.target),
          arguments: node.arguments.map((argument) => this.copy(argument)),
        };
      case 'list':
        return { ...node, id, elements: node.elements.map((element) => this.copy(element)) };
      case 'map':
        return {
          ...node,
          id,
          entries: node.entries.map((e) => ({
            ...e,
            id: this.nextId(),
            key: this.copy(e.key),
            value: this.copy(e.value),
          })),
        };
      case 'message':
        return {
          ...node,
          id,
          fields: node.fields.map((f) => ({ ...f, id: this.nextId(), value: this.copy(f.value) })),
        };
      case 'comprehension':
        return {
          ...node,
          id,
          range: this.copy(node.range),
          initial: this.copy(node.initial),
          condition: this.copy(node.condition),
          step: this.copy(node.step),
          result: this.copy(node.result),
        };
      default:
        return { ...node, id };
    }
  }
}
