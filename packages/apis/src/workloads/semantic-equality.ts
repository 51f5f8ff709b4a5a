import { type JsonObject, type JsonValue, jsonEqual, parseQuantity, type Schema } from '@ashlar/core';

/** The parts of a schema on the way to quantities. */
interface Amounts {
  readonly isAmount: boolean;
  readonly fields: ReadonlyMap<string, Amounts>;
  /** Of items of a list, or of all members of a map. */
  readonly members: Amounts | undefined;
}

const compiled: WeakMap<Schema, { readonly amounts: Amounts | undefined }> = new WeakMap();

/** Whether two values of a type are equal, whatever the form of their quantities: `1Gi` is `1073741824`. */
export function semanticallyEqual(schema: Schema, a: unknown, b: unknown): boolean {
  if (jsonEqual(a as JsonValue, b as JsonValue)) return true;
  const amounts = amountsOf(schema);
  return amounts !== undefined && jsonEqual(plain(a as JsonValue, amounts), plain(b as JsonValue, amounts));
}

/** A value of a type with plain numbers in place of its quantities, for comparison only; the value itself if it has none. */
export function withPlainAmounts<T extends object>(schema: Schema, value: T): T {
  const amounts = amountsOf(schema);
  return amounts ? (plain(value as unknown as JsonValue, amounts) as unknown as T) : value;
}

function amountsOf(schema: Schema): Amounts | undefined {
  let found = compiled.get(schema);
  if (!found) {
    found = { amounts: compile(schema) };
    compiled.set(schema, found);
  }
  return found.amounts;
}

/** Schemas of stored kinds end at this depth at the latest. */
const MOST_DEPTH = 24;

function compile(schema: Schema, depth = 0): Amounts | undefined {
  if (depth > MOST_DEPTH) return undefined;
  const fields = new Map<string, Amounts>();
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const amounts = compile(part, depth + 1);
    if (amounts) fields.set(name, amounts);
  }
  const { items, additionalProperties } = schema;
  const member = items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  const members = member && compile(member, depth + 1);
  const isAmount = schema.format === 'quantity';
  return isAmount || members || fields.size > 0 ? { isAmount, fields, members } : undefined;
}

const NANO = 1_000_000_000n;

function plain(value: JsonValue | undefined, { isAmount, fields, members }: Amounts): JsonValue {
  if (isAmount)
    return typeof value === 'string' ? `${parseQuantity(value).multiply(NANO).value()}` : (value ?? null);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return members ? value.map((item) => plain(item, members)) : value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, member]) => {
      const amounts = fields.get(name) ?? members;
      return [name, amounts && member !== undefined ? plain(member, amounts) : member];
    }),
  ) as JsonObject;
}
