import type { Schema } from '@ashlar/core';

/** Parts of a schema that are encoded by type instead of value; other parts have no shape. */
export interface CborShape {
  /**
   * Of leaves: bytes, which JSON represents in base64; numbers that are always floats; numbers that never
   * are; any JSON, whose members are sorted.
   */
  readonly leaf?: CborLeaf;
  /** Whether it has fields, all of which are in `members`, instead of keys that anybody chooses. */
  readonly isStruct?: boolean;
  /** Go's name of the number, for errors. */
  readonly goType?: string;
  /** Of members by name. */
  readonly members?: ReadonlyMap<string, CborShape | undefined>;
  /** Of the entries of a list or map. */
  readonly entries?: CborShape;
}

type CborLeaf = 'bytes' | 'float' | 'integer' | 'raw';

/** A part that has a shape. */
export type CborPart = CborLeaf | 'struct';

type MutableShape = { -readonly [K in keyof CborShape]: CborShape[K] };

/** Any JSON, on all levels. */
const RAW: MutableShape = { leaf: 'raw' };
RAW.entries = RAW;

/** The shape of a schema with these parts. A recursive schema always has a shape. */
export function cborShapeOf(schema: Schema, parts: ReadonlySet<CborPart>): CborShape | undefined {
  const shapes = new Map<Schema, MutableShape>();
  const open = new Set<Schema>();
  const shapeOf = (part: Schema): CborShape | undefined => {
    const leaf = leafOf(part);
    if (leaf) return parts.has(leaf) ? shapeOfLeaf(leaf, part) : undefined;
    const earlier = shapes.get(part);
    if (earlier) return open.has(part) || hasLeaves(earlier) ? earlier : undefined;
    const shape: MutableShape = {};
    shapes.set(part, shape);
    open.add(part);
    fill(shape, part);
    open.delete(part);
    return hasLeaves(shape) ? shape : undefined;
  };
  const fill = (shape: MutableShape, part: Schema): void => {
    const { properties, items, additionalProperties } = part;
    if (parts.has('struct') && isStruct(part)) shape.isStruct = true;
    const all = Object.entries(properties ?? {}).map(([name, member]) => [name, shapeOf(member)] as const);
    const members = shape.isStruct ? all : all.filter(([, member]) => member);
    if (members.length > 0) shape.members = new Map(members);
    const inside = items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    const entries = inside && shapeOf(inside);
    if (entries) shape.entries = entries;
  };
  return shapeOf(schema);
}

const isStruct = ({ properties = {}, additionalProperties, preserveUnknownFields }: Schema): boolean =>
  Object.keys(properties).length > 0 && !additionalProperties && !preserveUnknownFields;

const shapeOfLeaf = (leaf: CborLeaf, { format = 'int64' }: Schema): CborShape =>
  leaf === 'raw' ? RAW : { leaf, goType: format };

function leafOf({ type, format, intOrString }: Schema): CborLeaf | undefined {
  if (intOrString) return undefined;
  if (format === 'raw-extension') return 'raw';
  if (type === 'string' && format === 'byte') return 'bytes';
  if (type === 'number') return 'float';
  return type === 'integer' ? 'integer' : undefined;
}

const hasLeaves = ({ members, entries }: CborShape): boolean =>
  members !== undefined || entries !== undefined;
