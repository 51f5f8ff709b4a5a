/**
 * Guesses the plural resource of a kind, as clients without discovery do: good enough for defaults, not for lookups.
 *
 * @example pluralOf('NetworkPolicy') // networkpolicies
 */
export function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular === '' || singular.endsWith('endpoints')) return singular;
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
