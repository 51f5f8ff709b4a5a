export {
  createEncryption,
  type Encryption,
  type EncryptionCheck,
} from './configuration/create-encryption.ts';
export type {
  EncryptionConfiguration,
  EncryptionKey,
  EncryptionProvider,
  KeyedProvider,
  KmsProvider,
  ResourceEncryption,
} from './configuration/encryption-configuration.ts';
export { EncryptionConfigurationError } from './configuration/encryption-configuration-error.ts';
export {
  createEncryptionMetrics,
  type EncryptionMetrics,
  type EncryptionOptions,
} from './configuration/encryption-options.ts';
export {
  type ParseEncryptionOptions,
  parseEncryptionConfiguration,
} from './configuration/parse-encryption-configuration.ts';
export { encryptedPrefix } from './configuration/resource-transformers.ts';
export type { EncryptedKey, KeyService, KeyServiceStatus } from './kms/key-service.ts';
export { createKeyServiceClient } from './kms/key-service-client.ts';
export { KeyServiceError } from './kms/key-service-error.ts';
export { createEncryptedStore, type EncryptedStoreOptions } from './store/encrypted-store.ts';
export { ExchangeableEncryption } from './store/exchangeable-encryption.ts';
export { type AesGcmCipher, portableAesGcm } from './values/aes-gcm-cipher.ts';
export { DecryptionError } from './values/decryption-error.ts';
export type { ReadValue, ValueTransformer } from './values/value-transformer.ts';
