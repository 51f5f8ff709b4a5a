import { compareUtf8, FOREGROUND_FINALIZER, goQuote, ORPHAN_FINALIZER, type Vocabulary } from '@ashlar/core';

/**
 * Warnings for new finalizers of custom resources without a domain and a path, other than those of the server
 * (semantics/metadata#owners-and-finalizers).
 */
export function finalizerWarnings(
  vocabulary: Vocabulary,
  finalizers: readonly string[] | undefined = [],
  before: readonly string[] | undefined = [],
): readonly string[] {
  const known = new Set([...before, ORPHAN_FINALIZER, FOREGROUND_FINALIZER, vocabulary.name]);
  return [...new Set(finalizers)]
    .filter((name) => !known.has(name) && !name.includes('/'))
    .sort(compareUtf8)
    .map((name) => {
      const path = name.includes('.') ? ' including a path (/)' : '';
      return `metadata.finalizers: ${goQuote(name)}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
    });
}
