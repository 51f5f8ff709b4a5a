import { FOREGROUND_FINALIZER, goQuote, ORPHAN_FINALIZER } from '@ashlar/core';

/**
 * Warnings for new finalizers of custom resources without a domain and a path
 * (semantics/metadata#owners-and-finalizers).
 */
export function finalizerWarnings(
  finalizers: readonly string[] | undefined = [],
  before: readonly string[] | undefined = [],
): readonly string[] {
  const existing = new Set(before);
  return finalizers
    .filter((name) => !existing.has(name) && !name.includes('/'))
    .filter((name) => name !== ORPHAN_FINALIZER && name !== FOREGROUND_FINALIZER)
    .map((name) => {
      const path = name.includes('.') ? ' including a path (/)' : '';
      return `metadata.finalizers: ${goQuote(name)}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
    });
}
