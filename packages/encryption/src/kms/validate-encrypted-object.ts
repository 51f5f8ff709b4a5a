import { fieldErrorText, joinedMessages, utf8Length, validateFullyQualifiedDomainName } from '@ashlar/core';
import { DecryptionError } from '../values/decryption-error.ts';
import { type EncryptedObject, KeySource } from './encrypted-object.ts';

const MAXIMUM_KEY_SOURCE_BYTES = 1024;
const MAXIMUM_KEY_ID_BYTES = 1024;
const MAXIMUM_ANNOTATION_BYTES = 32_768;

/** @throws DecryptionError that names the first member that is not allowed */
export function validateEncryptedObject(object: EncryptedObject): void {
  const { keySourceType, encryptedData, encryptedKeySource, keyId, annotations } = object;
  if (keySourceType !== KeySource.aesGcmKey && keySourceType !== KeySource.extendedNonceSeed)
    throw new DecryptionError(`unknown encryptedDEKSourceType: ${keySourceType}`);
  if (encryptedData.length === 0) throw new DecryptionError('encrypted data is empty');
  const source = sizeError('encrypted DEK source', encryptedKeySource.length, MAXIMUM_KEY_SOURCE_BYTES);
  if (source !== undefined) throw new DecryptionError(`failed to validate encrypted DEK source: ${source}`);
  const id = keyIdError(keyId);
  if (id !== undefined) throw new DecryptionError(`failed to validate key id: ${id}`);
  const annotation = annotationsError(annotations);
  if (annotation !== undefined) throw new DecryptionError(`failed to validate annotations: ${annotation}`);
}

/** Returns what is wrong with the id of a key, if anything. */
export function keyIdError(keyId: string): string | undefined {
  return sizeError('keyID', utf8Length(keyId), MAXIMUM_KEY_ID_BYTES);
}

function sizeError(name: string, size: number, maximum: number): string | undefined {
  if (size === 0) return `${name} is empty`;
  return size > maximum ? `${name} is ${size} bytes, which exceeds the max size of ${maximum}` : undefined;
}

function annotationsError(annotations: EncryptedObject['annotations']): string | undefined {
  const errors: Error[] = [];
  let size = 0;
  for (const [name, content] of Object.entries(annotations)) {
    for (const error of validateFullyQualifiedDomainName('annotations', name))
      errors.push(new Error(fieldErrorText(error)));
    size += utf8Length(name) + content.length;
  }
  if (size > MAXIMUM_ANNOTATION_BYTES)
    errors.push(
      new Error(
        `total size of annotations is ${size}, which exceeds the max size of ${MAXIMUM_ANNOTATION_BYTES}`,
      ),
    );
  return errors.length === 0 ? undefined : joinedMessages(errors);
}
