import { type JsonValue, jsonEqual, runAtOnce, type Steps } from '@ashlar/core';
import {
  type CustomResourceDefinition,
  type DefinitionVersion,
  versionsOf,
} from './custom-resource-definition.ts';

/** Parts that errors name once if all versions have the same. */
type Part = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields';
type Parts = Pick<DefinitionVersion, Part>;

const PARTS: readonly Part[] = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'];

/**
 * A definition with parts shared by all versions separate from those of each version
 * (semantics/lifecycle#definitions).
 */
export interface SharedParts {
  readonly shared: Parts;
  /** The versions without what they share. */
  readonly versions: readonly DefinitionVersion[];
}

/** Separates shared parts. Parts are compared one by one; absent ones are shared too. */
export const sharedParts = (definition: CustomResourceDefinition): SharedParts =>
  runAtOnce(sharedPartsSteps(definition));

/** Versions that are compared between two pauses. */
const STRIDE = 512;

/** As {@link sharedParts}, with pauses. */
export function* sharedPartsSteps(definition: CustomResourceDefinition): Steps<SharedParts> {
  const versions = versionsOf(definition);
  const [first] = versions;
  if (!first) return { shared: {}, versions };
  const common: Part[] = [];
  for (const part of PARTS) if (yield* isCommonSteps(versions, first, part)) common.push(part);
  const own: DefinitionVersion[] = [];
  for (const version of versions) {
    const rest: Record<string, unknown> = { ...version };
    for (const part of common) delete rest[part];
    own.push(rest as unknown as DefinitionVersion);
    if (own.length % STRIDE === 0) yield;
  }
  const shared = Object.fromEntries(
    common.filter((part) => first[part] !== undefined).map((part) => [part, first[part]]),
  );
  return { shared, versions: own };
}

function* isCommonSteps(
  versions: readonly DefinitionVersion[],
  first: DefinitionVersion,
  part: Part,
): Steps<boolean> {
  for (const [index, version] of versions.entries()) {
    if (!samePart(version[part], first[part])) return false;
    if (index % STRIDE === STRIDE - 1) yield;
  }
  return true;
}

const samePart = (a: unknown, b: unknown): boolean =>
  a === b ||
  (a !== undefined && b !== undefined
    ? jsonEqual(a as JsonValue, b as JsonValue)
    : isEmptyList(a) && isEmptyList(b));

const isEmptyList = (part: unknown): boolean =>
  part === undefined || (Array.isArray(part) && part.length === 0);
