import { type JsonValue, jsonEqual } from '@ashlar/core';
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
export function sharedParts(definition: CustomResourceDefinition): SharedParts {
  const versions = versionsOf(definition);
  const [first] = versions;
  if (!first) return { shared: {}, versions };
  const common = PARTS.filter((part) => versions.every((version) => samePart(version[part], first[part])));
  const own = versions.map((version) => {
    const rest: Record<string, unknown> = { ...version };
    for (const part of common) delete rest[part];
    return rest as unknown as DefinitionVersion;
  });
  const shared = Object.fromEntries(
    common.filter((part) => first[part] !== undefined).map((part) => [part, first[part]]),
  );
  return { shared, versions: own };
}

const samePart = (a: unknown, b: unknown): boolean =>
  a === b ||
  (a !== undefined && b !== undefined
    ? jsonEqual(a as JsonValue, b as JsonValue)
    : isEmptyList(a) && isEmptyList(b));

const isEmptyList = (part: unknown): boolean =>
  part === undefined || (Array.isArray(part) && part.length === 0);
