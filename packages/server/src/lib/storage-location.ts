/** Where `--storage` says that objects are kept. */
export type StorageLocation =
  | { readonly engine: 'memory' }
  | { readonly engine: 'sqlite'; readonly file: string };

/** Reads the value of `--storage`. @throws Error */
export function parseStorageLocation(text: string): StorageLocation {
  if (text === 'memory') return { engine: 'memory' };
  const file = /^sqlite:(.+)$/s.exec(text)?.[1];
  if (file) return { engine: 'sqlite', file };
  throw new Error(`${JSON.stringify(text)} is no storage; there are memory and sqlite:FILE`);
}
