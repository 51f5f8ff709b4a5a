/** Objects that a package reads without access to the store: roles, tokens, policies. */
export interface Lister<T> {
  get(namespace: string, name: string): T | undefined;
  list(namespace?: string): readonly T[];
}
