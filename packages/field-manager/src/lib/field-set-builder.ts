import { type FieldNode, FieldSet } from './field-set.ts';
import type { FieldPath, PathElement } from './path-element.ts';

interface BuildNode {
  readonly element: PathElement;
  isMember: boolean;
  readonly below: FieldSetBuilder;
}

/** Gathers paths in any order for a field set. */
export class FieldSetBuilder {
  readonly #nodes: Map<string, BuildNode> = new Map();

  /** Adds a path; the empty one adds nothing. */
  insert(path: FieldPath): void {
    let builder: FieldSetBuilder = this;
    path.forEach((element, index) => {
      const node = builder.#node(element);
      if (index === path.length - 1) node.isMember = true;
      builder = node.below;
    });
  }

  build(): FieldSet {
    const nodes: FieldNode[] = [];
    for (const { element, isMember, below } of this.#nodes.values())
      nodes.push({ element, isMember, children: below.build() });
    return FieldSet.ofNodes(nodes);
  }

  #node(element: PathElement): BuildNode {
    const known = this.#nodes.get(element.text);
    if (known) return known;
    const node: BuildNode = { element, isMember: false, below: new FieldSetBuilder() };
    this.#nodes.set(element.text, node);
    return node;
  }
}
