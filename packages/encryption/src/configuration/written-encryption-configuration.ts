import type { Schema } from '@ashlar/core';

/** The configuration as in its file: every field is optional. */
export interface WrittenEncryptionConfiguration {
  readonly resources?: readonly WrittenResourceEncryption[];
}

interface WrittenResourceEncryption {
  readonly resources?: readonly string[];
  readonly providers?: readonly WrittenProvider[];
}

export interface WrittenProvider {
  readonly aesgcm?: WrittenKeys;
  readonly aescbc?: WrittenKeys;
  readonly secretbox?: WrittenKeys;
  readonly identity?: Readonly<Record<string, never>>;
  readonly kms?: WrittenKms;
}

export interface WrittenKeys {
  readonly keys?: readonly { readonly name?: string; readonly secret?: string }[];
}

export interface WrittenKms {
  readonly apiVersion?: string;
  readonly name?: string;
  readonly cachesize?: number;
  readonly endpoint?: string;
  readonly timeout?: string;
}

const text: Schema = { type: 'string' };
const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** Types have names for errors. */
const object = (name: string, properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  typeName: `apiserver.v1.${name}`,
  properties,
});

const provider = (name: string, properties: Readonly<Record<string, Schema>>): Schema => ({
  ...object(name, properties),
  optional: true,
});

const keys = listOf(object('Key', { name: text, secret: text }));

/** The schema of version 1 of the configuration. */
export const encryptionConfigurationSchema: Schema = object('EncryptionConfiguration', {
  kind: text,
  apiVersion: text,
  resources: listOf(
    object('ResourceConfiguration', {
      resources: listOf(text),
      providers: listOf(
        object('ProviderConfiguration', {
          aesgcm: provider('AESConfiguration', { keys }),
          aescbc: provider('AESConfiguration', { keys }),
          secretbox: provider('SecretboxConfiguration', { keys }),
          identity: provider('IdentityConfiguration', {}),
          kms: provider('KMSConfiguration', {
            apiVersion: text,
            name: text,
            cachesize: { type: 'integer', format: 'int32', optional: true },
            endpoint: text,
            timeout: { type: 'string', format: 'duration', optional: true },
          }),
        }),
      ),
    }),
  ),
});

/** The schema of another kind of the same version: its content is not looked at. */
export function otherConfigurationSchema(kind: string, field: string): Schema {
  const anything: Schema = { type: 'object', format: 'raw-extension' };
  return object(kind, { kind: text, apiVersion: text, [field]: listOf(anything) });
}
