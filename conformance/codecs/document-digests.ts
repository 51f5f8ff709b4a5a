import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';

/** Digests of OpenAPI documents by path. */
export interface DocumentDigests {
  /** Of a server without users' types. */
  readonly plain: Readonly<Record<string, string>>;
  /** Of the documents that users' types change. */
  readonly withDefinitions: Readonly<Record<string, string>>;
}

/** Documents that the definitions of {@link describedDefinitions} change. */
export const CHANGED_BY_DEFINITIONS: readonly string[] = [
  '/openapi/v2',
  ...['my-shop.example.com/v1', 'my-shop.example.com/v1beta1', 'zoo.io/v1alpha1'].map(
    (version) => `/openapi/v3/apis/${version}`,
  ),
];

/** Where the digests of the reference are kept. */
export const DIGESTS: URL = new URL('../openapi-digests.json', import.meta.url);

/** Users' types with every construct of schemas, several versions and subresources. */
export function describedDefinitions(): readonly (JsonObject & {
  readonly metadata: { readonly name: string };
})[] {
  return JSON.parse(readFileSync(new URL('./described-definitions.json', import.meta.url), 'utf8'));
}

/** Returns the digest of a document without its descriptions, whatever the order of members. */
export function documentDigest(document: JsonValue): string {
  return createHash('sha256')
    .update(JSON.stringify(withoutDescriptions(document)))
    .digest('hex')
    .slice(0, 32);
}

function withoutDescriptions(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (!isJsonObject(value)) return value;
  // a member of this name that is no text is a property that is called so
  const members = Object.entries(value).filter(
    ([name, member]) => name !== 'description' || typeof member !== 'string',
  );
  return Object.fromEntries(
    members
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, withoutDescriptions(member as JsonValue)]),
  );
}
