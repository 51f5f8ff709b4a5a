import type { Vocabulary } from './vocabulary.ts';

/**
 * Returns a function that calls `make` once per vocabulary: for what is expensive to make and the same for every server.
 *
 * @example
 * const rolesOf = oncePerVocabulary((vocabulary) => makeRoles(vocabulary));
 * rolesOf(vocabulary) === rolesOf(vocabulary); // true
 */
export function oncePerVocabulary<T extends object>(
  make: (vocabulary: Vocabulary) => T,
): (vocabulary: Vocabulary) => T {
  const values: WeakMap<Vocabulary, T> = new WeakMap();
  return (vocabulary) => {
    let value = values.get(vocabulary);
    if (!value) {
      value = make(vocabulary);
      values.set(vocabulary, value);
    }
    return value;
  };
}
