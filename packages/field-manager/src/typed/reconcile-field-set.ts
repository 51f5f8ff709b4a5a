import { doneSteps, type Steps } from '@ashlar/core';
import { type FieldNode, FieldSet } from '../fieldpath/field-set.ts';
import type { PathElement } from '../fieldpath/path-element.ts';
import { isDue } from '../values/large-parts.ts';
import { type FieldType, memberType, type Parts, partsOf, typeOfPart } from './field-type.ts';

/**
 * Reconciles a set with the current schema: if a part has become atomic, owners of any of it own all of it.
 * The other way round nothing is rewritten (semantics/apply#types).
 */
export function* reconcileFieldSet(fields: FieldSet, type: FieldType): Steps<FieldSet> {
  const parts = partsOf(type);
  // The root of the object is not a member of any set.
  return parts && !parts.isAtomic ? yield* reconcileBelow(fields, parts) : fields;
}

function* reconcileBelow(fields: FieldSet, parts: Parts): Steps<FieldSet> {
  const nodes: FieldNode[] = [];
  let isSame = true;
  for (const node of yield* fields.nodesSteps()) {
    if (isDue()) yield;
    const below = node.children.isEmpty ? undefined : typeOfPart(parts, node.element);
    const childParts = below && partsOf(below);
    const fitting = childParts ? yield* reconcileNode(node, childParts) : node;
    isSame &&= fitting === node;
    nodes.push(fitting);
  }
  return isSame ? fields : FieldSet.ofSorted(nodes);
}

function* reconcileNode(node: FieldNode, parts: Parts): Steps<FieldNode> {
  if (parts.isAtomic) return { element: node.element, isMember: true, children: FieldSet.EMPTY };
  const children = yield* reconcileBelow(node.children, parts);
  return children === node.children ? node : { ...node, children };
}

/** The set with the fields of declared objects that have something below them as members too, as pruning counts them. */
export function withNamedFields(fields: FieldSet, type: FieldType | undefined): Steps<FieldSet> {
  return fields.isLarge ? nameLarge(fields, type) : doneSteps(nameSmall(fields, type));
}

function nameSmall(fields: FieldSet, type: FieldType | undefined): FieldSet {
  if (fields.isEmpty) return fields;
  return FieldSet.ofSorted(
    fields.nodes.map((node) =>
      namedNode(node, type, nameSmall(node.children, typeBelow(type, node.element))),
    ),
  );
}

function* nameLarge(fields: FieldSet, type: FieldType | undefined): Steps<FieldSet> {
  const nodes: FieldNode[] = [];
  for (const node of yield* fields.nodesSteps()) {
    if (isDue()) yield;
    const below = typeBelow(type, node.element);
    nodes.push(namedNode(node, type, yield* withNamedFields(node.children, below)));
  }
  return FieldSet.ofSorted(nodes);
}

function namedNode(node: FieldNode, type: FieldType | undefined, children: FieldSet): FieldNode {
  if (children.isEmpty) return node;
  const { element, isMember } = node;
  const isNamed = element.kind === 'field' && type?.map?.fields.has(element.name) === true;
  return { element, isMember: isMember || isNamed, children };
}

function typeBelow(type: FieldType | undefined, element: PathElement): FieldType | undefined {
  if (element.kind === 'field') return type?.map && memberType(type.map, element.name);
  return element.kind === 'key' ? type?.list?.items : undefined;
}
