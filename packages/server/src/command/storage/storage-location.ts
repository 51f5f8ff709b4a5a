/** A parsed value of `--storage`. */
export type StorageLocation =
  | { readonly engine: 'memory' }
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'etcd'; readonly endpoints: readonly string[] };

/** Parses a value of `--storage`. @throws Error */
export function parseStorageLocation(text: string): StorageLocation {
  if (text === 'memory') return { engine: 'memory' };
  const [, engine, rest] = /^(sqlite|etcd):(.+)$/s.exec(text) ?? [];
  if (engine === 'sqlite' && rest) return { engine, file: rest };
  if (engine === 'etcd' && rest) return { engine, endpoints: parseEndpoints(rest) };
  throw new Error(
    `${JSON.stringify(text)} is not a storage location; use memory, sqlite:FILE or etcd:URL[,URL...]`,
  );
}

/** Parses the comma-separated endpoints of an etcd cluster. @throws Error */
export function parseEndpoints(text: string): readonly string[] {
  const endpoints = text.split(',');
  for (const endpoint of endpoints) {
    if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
      throw new Error(
        `${JSON.stringify(endpoint)} is not an endpoint; use a URL that starts with http:// or https://`,
      );
  }
  return endpoints;
}

/** Formats a location as a value of `--storage`. */
export function storageLocationText(location: StorageLocation): string {
  if (location.engine === 'memory') return 'memory';
  return location.engine === 'sqlite' ? `sqlite:${location.file}` : `etcd:${location.endpoints.join(',')}`;
}
