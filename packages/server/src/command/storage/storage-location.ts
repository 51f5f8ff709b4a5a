/** Where `--storage` says that objects are kept. */
export type StorageLocation =
  | { readonly engine: 'memory' }
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'etcd'; readonly endpoints: readonly string[] };

/** Reads the value of `--storage`. @throws Error */
export function parseStorageLocation(text: string): StorageLocation {
  if (text === 'memory') return { engine: 'memory' };
  const [, engine, rest] = /^(sqlite|etcd):(.+)$/s.exec(text) ?? [];
  if (engine === 'sqlite' && rest) return { engine, file: rest };
  if (engine === 'etcd' && rest) return { engine, endpoints: parseEndpoints(rest) };
  throw new Error(
    `${JSON.stringify(text)} is no storage; there are memory, sqlite:FILE and etcd:URL[,URL...]`,
  );
}

/** Reads the members of an etcd cluster, separated by commas. @throws Error */
export function parseEndpoints(text: string): readonly string[] {
  const endpoints = text.split(',');
  for (const endpoint of endpoints) {
    if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
      throw new Error(
        `${JSON.stringify(endpoint)} is no endpoint; one is a URL that begins with http:// or https://`,
      );
  }
  return endpoints;
}

/** The location as `--storage` takes it. */
export function storageLocationText(location: StorageLocation): string {
  if (location.engine === 'memory') return 'memory';
  return location.engine === 'sqlite' ? `sqlite:${location.file}` : `etcd:${location.endpoints.join(',')}`;
}
