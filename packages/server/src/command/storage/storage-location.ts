/** A parsed value of `--storage`. */
export type StorageLocation =
  | { readonly engine: 'memory' }
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'etcd'; readonly endpoints: readonly string[] }
  | { readonly engine: 'postgres'; readonly connectionString: string }
  | { readonly engine: 'snapshot'; readonly file: string };

/** Parses a value of `--storage`. @throws Error */
export function parseStorageLocation(text: string): StorageLocation {
  if (text === 'memory') return { engine: 'memory' };
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text))
    return { engine: 'postgres', connectionString: text };
  const [, engine, rest] = /^(sqlite|etcd):(.+)$/s.exec(text) ?? [];
  if (engine === 'sqlite' && rest) return { engine, file: rest };
  if (engine === 'etcd' && rest) return { engine, endpoints: parseEndpoints(rest) };
  throw new Error(
    `${JSON.stringify(text)} is not a storage location; use memory, sqlite:FILE, etcd:URL[,URL...] or postgres://HOST/DATABASE`,
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

/** Formats a location as a value of `--storage`; without a password. */
export function storageLocationText(location: StorageLocation): string {
  if (location.engine === 'memory') return 'memory';
  if (location.engine === 'snapshot') return `${location.file}, read-only`;
  if (location.engine === 'postgres') return withoutPassword(location.connectionString);
  return location.engine === 'sqlite' ? `sqlite:${location.file}` : `etcd:${location.endpoints.join(',')}`;
}

function withoutPassword(connectionString: string): string {
  const url = new URL(connectionString);
  url.password = '';
  url.searchParams.delete('password');
  return url.href;
}
