import { writeFileSync } from 'node:fs';
import { encodeBase64, type JsonObject } from '@ashlar/core';

/** A key of 32 bytes, by its name. */
const keyOf = (name: string): JsonObject => ({
  name,
  secret: encodeBase64(new Uint8Array(32).fill(name.charCodeAt(0))),
});

/** A provider of a configuration. */
export const provider = (type: string, ...names: readonly string[]): JsonObject => ({
  [type]: { keys: names.map(keyOf) },
});

/** Writes a configuration that encrypts secrets by the first of these providers. */
export function writeKeys(file: string, ...providers: readonly JsonObject[]): void {
  const configuration = {
    ...{ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' },
    resources: [{ resources: ['secrets'], providers }],
  };
  writeFileSync(file, JSON.stringify(configuration));
}
