import { ProtobufWriter } from '@ashlar/codec';
import { DecryptionError } from '../values/decryption-error.ts';
import { ProtobufFields, writeAnnotations, writeField } from './protobuf-fields.ts';

/** How a value was encrypted: with the data key itself, or with keys that are derived from it. */
export const KeySource = { aesGcmKey: 0, extendedNonceSeed: 1 } as const;

/** A value as it is stored with a key service: a message of the reference. */
export interface EncryptedObject {
  readonly encryptedData: Uint8Array;
  readonly keyId: string;
  /** The data key, encrypted by the service. */
  readonly encryptedKeySource: Uint8Array;
  readonly annotations: Readonly<Record<string, Uint8Array>>;
  /** One of {@link KeySource}, or another number, which is refused. */
  readonly keySourceType: number;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const NO_BYTES = new Uint8Array();
/** The tag of field 5, a varint. */
const KEY_SOURCE_TYPE = 0x28;

/** Encodes the message; annotations are sorted by name. */
export function encodeEncryptedObject(object: EncryptedObject): Uint8Array {
  const writer = new ProtobufWriter();
  writeField(writer, 1, object.encryptedData);
  writeField(writer, 2, object.keyId);
  writeField(writer, 3, object.encryptedKeySource);
  writeAnnotations(writer, 4, object.annotations);
  if (object.keySourceType !== 0) writer.uint32(KEY_SOURCE_TYPE).int64(object.keySourceType);
  return writer.finish();
}

/**
 * Decodes the message as the reference does: unknown fields are skipped, of repeated ones the last counts.
 * @throws DecryptionError `unexpected EOF` and the like
 */
export function decodeEncryptedObject(bytes: Uint8Array): EncryptedObject {
  const found = { data: NO_BYTES, keyId: NO_BYTES, source: NO_BYTES, type: 0 };
  const annotations = new Map<string, Uint8Array>();
  let isText = true;
  for (const field of new ProtobufFields(bytes)) {
    const { number, data, value } = field;
    if (data && number === 1) found.data = data;
    else if (data && number === 2) {
      found.keyId = data;
      isText &&= isUtf8(data);
    } else if (data && number === 3) found.source = data;
    else if (data && number === 4) readAnnotation(data, annotations);
    else if (value !== undefined && number === 5) found.type = Number(BigInt.asIntN(32, value));
  }
  if (!isText) throw new DecryptionError('proto: field "v2.EncryptedObject.KeyID" contains invalid UTF-8');
  return {
    encryptedData: found.data,
    keyId: decoder.decode(found.keyId),
    encryptedKeySource: found.source,
    annotations: Object.fromEntries(annotations),
    keySourceType: found.type,
  };
}

function readAnnotation(entry: Uint8Array, annotations: Map<string, Uint8Array>): void {
  let name = NO_BYTES;
  let content = NO_BYTES;
  for (const { number, data } of new ProtobufFields(entry)) {
    if (data && number === 1) name = data;
    else if (data && number === 2) content = data;
  }
  if (!isUtf8(name))
    throw new DecryptionError('proto: field "v2.EncryptedObject.Annotations" contains invalid UTF-8');
  annotations.set(decoder.decode(name), content);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
