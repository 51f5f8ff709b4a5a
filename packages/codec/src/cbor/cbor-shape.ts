import type { Schema } from '@ashlar/core';

/** Leaves of a schema that are encoded by type instead of value; parts without such leaves have no shape. */
export interface CborShape {
  /**
   * Of leaves: bytes, which JSON represents in base64; numbers that are always floats; numbers that never
   * are.
   */
  readonly leaf?: CborLeaf;
  /** Go's name of the number, for errors. */
  readonly goType?: string;
  /** Of members by name. */
  readonly members?: ReadonlyMap<string, CborShape>;
  /** Of the entries of a list or map. */
  readonly entries?: CborShape;
}

export type CborLeaf = 'bytes' | 'float' | 'integer';

type MutableShape = { -readonly [K in keyof CborShape]: CborShape[K] };

/** The shape of a schema with these leaves. A recursive schema always has a shape. */
export function cborShapeOf(schema: Schema, leaves: ReadonlySet<CborLeaf>): CborShape | undefined {
  const shapes = new Map<Schema, MutableShape>();
  const open = new Set<Schema>();
  const shapeOf = (part: Schema): CborShape | undefined => {
    const leaf = leafOf(part);
    if (leaf) return leaves.has(leaf) ? { leaf, goType: part.format ?? 'int64' } : undefined;
    const earlier = shapes.get(part);
    if (earlier) return open.has(part) || hasLeaves(earlier) ? earlier : undefined;
    const shape: MutableShape = {};
    shapes.set(part, shape);
    open.add(part);
    fill(shape, part);
    open.delete(part);
    return hasLeaves(shape) ? shape : undefined;
  };
  const fill = (shape: MutableShape, { properties, items, additionalProperties }: Schema): void => {
    const members = Object.entries(properties ?? {}).flatMap(([name, part]) => {
      const member = shapeOf(part);
      return member ? [[name, member] as const] : [];
    });
    if (members.length > 0) shape.members = new Map(members);
    const inside = items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    const entries = inside && shapeOf(inside);
    if (entries) shape.entries = entries;
  };
  return shapeOf(schema);
}

function leafOf({ type, format, intOrString }: Schema): CborLeaf | undefined {
  if (intOrString) return undefined;
  if (type === 'string' && format === 'byte') return 'bytes';
  if (type === 'number') return 'float';
  return type === 'integer' ? 'integer' : undefined;
}

const hasLeaves = ({ members, entries }: CborShape): boolean =>
  members !== undefined || entries !== undefined;
