import { ProtobufWriter } from '@ashlar/codec';
import type { EncryptedKey, KeyService, KeyServiceStatus } from './key-service.ts';
import { ProtobufFields, writeAnnotations, writeField } from './protobuf-fields.ts';

const decoder = new TextDecoder();
const NO_BYTES = new Uint8Array();
const SERVICE = '/v2.KeyManagementService/';

/**
 * Makes a key service of calls to a plugin: the messages of version 2, whatever carries them.
 * @param call calls a method by its path, such as `/v2.KeyManagementService/Status`
 */
export function createKeyServiceClient(
  call: (path: string, request: Uint8Array) => Promise<Uint8Array>,
): KeyService {
  return {
    status: async () => statusOf(await call(`${SERVICE}Status`, NO_BYTES)),
    encrypt: async (plaintext, uid) => {
      const request = new ProtobufWriter();
      writeField(request, 1, plaintext);
      writeField(request, 2, uid);
      return encryptedKeyOf(await call(`${SERVICE}Encrypt`, request.finish()));
    },
    decrypt: async ({ ciphertext, keyId, annotations }, uid) => {
      const request = new ProtobufWriter();
      writeField(request, 1, ciphertext);
      writeField(request, 2, uid);
      writeField(request, 3, keyId);
      writeAnnotations(request, 4, annotations);
      return bytesOf(await call(`${SERVICE}Decrypt`, request.finish()), 1);
    },
  };
}

function statusOf(message: Uint8Array): KeyServiceStatus {
  const text = (number: number): string => decoder.decode(bytesOf(message, number));
  return { version: text(1), healthz: text(2), keyId: text(3) };
}

function encryptedKeyOf(message: Uint8Array): EncryptedKey {
  const annotations: Record<string, Uint8Array> = {};
  for (const { number, data } of new ProtobufFields(message))
    if (data && number === 3) annotations[decoder.decode(bytesOf(data, 1))] = bytesOf(data, 2);
  return { ciphertext: bytesOf(message, 1), keyId: decoder.decode(bytesOf(message, 2)), annotations };
}

/** The last field of a number; empty if there is none. */
function bytesOf(message: Uint8Array, number: number): Uint8Array {
  let found: Uint8Array = NO_BYTES;
  for (const field of new ProtobufFields(message)) if (field.number === number) found = field.data ?? found;
  return found;
}
