import { encodeBase64, type GroupVersionKind } from '@ashlar/core';

/** Base64 of the first eight bytes of the SHA-256 of `<group>/<version>/<kind>` (semantics/discovery#discovery). */
export async function storageVersionHash({ group, version, kind }: GroupVersionKind): Promise<string> {
  const digest = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(`${group}/${version}/${kind}`),
  );
  return encodeBase64(new Uint8Array(digest, 0, 8));
}
