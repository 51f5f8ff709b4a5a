import { FieldSet } from './field-set.ts';
import { type FieldType, memberType, partsOf, typeOfPart } from './field-type.ts';
import type { FieldPath, PathElement } from './path-element.ts';

/**
 * Fits a set to what the schema says now: where a part has come to be owned as a whole, who owned any of it owns all of it. The
 * other way round nothing is rewritten (semantics F7).
 */
export function reconcileFieldSet(fields: FieldSet, type: FieldType): FieldSet {
  const atomic: (Step | undefined)[] = [];
  findAtomic(atomic, fields, false, type, undefined);
  if (atomic.length === 0) return fields;
  const whole = FieldSet.of(...atomic.map(pathOf));
  return fields.recursiveDifference(whole).union(whole);
}

/** A path as it is walked: most are never looked at. */
interface Step {
  readonly element: PathElement;
  readonly above: Step | undefined;
}

function pathOf(step: Step | undefined): FieldPath {
  const path: PathElement[] = [];
  for (let at = step; at; at = at.above) path.unshift(at.element);
  return path;
}

/** @param isWhole whether the set names the part itself and nothing in it */
function findAtomic(
  atomic: (Step | undefined)[],
  fields: FieldSet,
  isWhole: boolean,
  type: FieldType,
  path: Step | undefined,
): void {
  const parts = partsOf(type);
  if (!parts) return;
  if (parts.isAtomic && !isWhole) {
    if (!fields.isEmpty) atomic.push(path);
    return;
  }
  for (const { element, isMember, children } of fields.nodes) {
    const below = typeOfPart(parts, element);
    if (below) findAtomic(atomic, children, isMember && children.isEmpty, below, { element, above: path });
  }
}

/** The set with the fields of declared objects that have something below them as members too, as pruning counts them. */
export function withNamedFields(fields: FieldSet, type: FieldType | undefined): FieldSet {
  return FieldSet.ofNodes(
    fields.nodes.map(({ element, isMember, children }) => {
      const isNamed = element.kind === 'field' && type?.map?.fields.has(element.name) === true;
      return {
        element,
        isMember: isMember || (isNamed && !children.isEmpty),
        children: withNamedFields(children, typeBelow(type, element)),
      };
    }),
  );
}

function typeBelow(type: FieldType | undefined, element: PathElement): FieldType | undefined {
  if (element.kind === 'field') return type?.map && memberType(type.map, element.name);
  return element.kind === 'key' ? type?.list?.items : undefined;
}
