/** Objects that are read from memory. */
export interface Lister<T> {
  get(namespace: string, name: string): T | undefined;
  list(namespace?: string): readonly T[];
}
