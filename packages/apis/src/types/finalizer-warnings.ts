import { compareUtf8, FOREGROUND_FINALIZER, goQuote, ORPHAN_FINALIZER, type Vocabulary } from '@ashlar/core';
import { firstWarnings } from './first-warnings.ts';

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
  const unqualified = [...new Set(finalizers)].filter((name) => !known.has(name) && !name.includes('/'));
  return firstWarnings(unqualified.sort(compareUtf8), (name) => {
    const path = name.includes('.') ? ' including a path (/)' : '';
    return [
      `metadata.finalizers: ${goQuote(name)}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
    ];
  });
}
