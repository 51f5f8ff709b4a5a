/** Parameters of a request; absent ones and empty lists are not sent, lists are repeated. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | { toString(): string } | undefined>
>;

/** A path with its parameters. */
export function withQuery(path: string, query: Query = {}): string {
  const terms: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue;
    const values = Array.isArray(value) ? (value as readonly string[]) : [String(value)];
    for (const one of values) terms.push(`${encodeURIComponent(name)}=${encodeURIComponent(one)}`);
  }
  return terms.length === 0 ? path : `${path}?${terms.join('&')}`;
}
