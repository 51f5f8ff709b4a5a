import { refusal } from './zod-refusal.ts';

/**
 * A type of zod 4, in its classic, mini or core form. It is read by its structure, so that it may come from another 4.x and from
 * another copy than a package has.
 */
export interface ZodSchema {
  readonly _zod: {
    readonly def: { readonly type: string };
    readonly input: unknown;
    readonly output: unknown;
  };
}

/** A check of a type: a bound, a format, a refinement. */
export interface ZodCheckDefinition {
  readonly check?: string;
  /** Of a refinement: the function. */
  readonly fn?: { readonly constructor: { readonly name: string } };
  readonly [name: string]: unknown;
}

/** What a type of zod says of itself; which members there are depends on `type`. */
export interface ZodDefinition {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: ZodCheckDefinition } }[];
  readonly [name: string]: unknown;
}

/**
 * Returns the definition of a type.
 * @throws TypeError for what is not a type of zod 4, those of zod 3 by name
 */
export function zodDefinition(type: unknown, path: string): ZodDefinition {
  const { _zod: internals, _def: old } = (type ?? {}) as { _zod?: { def?: ZodDefinition }; _def?: object };
  if (internals?.def) return internals.def;
  if (old !== undefined) {
    throw refusal(path, 'it is a type of zod 3, and zod 4 is needed: install zod@4, or import from "zod/v4"');
  }
  throw refusal(path, `a type of zod is expected, such as z.object({ … }), not ${valueText(type)}`);
}

const valueText = (value: unknown): string => (value === null ? 'null' : `a value of type ${typeof value}`);

/** The definitions of the checks of a type, its own format first. */
export function checksOfType(definition: ZodDefinition): readonly ZodCheckDefinition[] {
  const checks = (definition.checks ?? []).map((check) => check._zod.def);
  return definition.check === undefined ? checks : [definition, ...checks];
}

/** Whether a member of this type may be left out of what is submitted. */
export function mayBeAbsent(type: ZodSchema): boolean {
  return (type._zod as { readonly optin?: unknown }).optin !== undefined;
}
