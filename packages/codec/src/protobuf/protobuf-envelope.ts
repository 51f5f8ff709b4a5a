import { DecodeError } from '../serializers/decode-error.ts';
import { ENVELOPE_PREFIX } from './protobuf-values.ts';
import { createWriter, expectWireType, ReadBudget, readFields, WireType, writeKey } from './protobuf-wire.ts';

/** A message and its type (semantics/encodings#protobuf, `Unknown`). */
export interface ProtobufEnvelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The message of the object, which contains neither. */
  readonly raw: Uint8Array;
  readonly contentEncoding?: string;
  readonly contentType?: string;
}

/** The parts of an envelope before and after the message. */
export interface EnvelopeFrame {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/** Wraps a message in its envelope, including the four bytes of the prefix. */
export function encodeEnvelope({ raw, ...envelope }: ProtobufEnvelope): Uint8Array {
  const { head, tail } = envelopeFrame({ ...envelope, rawBytes: raw.length });
  const encoded = new Uint8Array(head.length + raw.length + tail.length);
  encoded.set(head);
  encoded.set(raw, head.length);
  encoded.set(tail, head.length + raw.length);
  return encoded;
}

/**
 * The envelope of a message of that many bytes, for messages in pieces.
 * @example
 * const { head, tail } = envelopeFrame({ apiVersion: 'v1', kind: 'Pod', rawBytes: message.length });
 * [head, message, tail]; // the pieces of encodeEnvelope({ apiVersion: 'v1', kind: 'Pod', raw: message })
 */
export function envelopeFrame({
  apiVersion,
  kind,
  rawBytes,
  contentEncoding = '',
  contentType = '',
}: Omit<ProtobufEnvelope, 'raw'> & { readonly rawBytes: number }): EnvelopeFrame {
  const before = createWriter();
  for (const byte of ENVELOPE_PREFIX) before.uint32(byte);
  writeKey(before, 1, WireType.bytes).fork();
  writeKey(before, 1, WireType.bytes).string(apiVersion);
  writeKey(before, 2, WireType.bytes).string(kind);
  before.ldelim();
  writeKey(before, 2, WireType.bytes).uint32(rawBytes);
  const behind = createWriter();
  writeKey(behind, 3, WireType.bytes).string(contentEncoding);
  writeKey(behind, 4, WireType.bytes).string(contentType);
  return { head: before.finish(), tail: behind.finish() };
}

/**
 * Returns the message inside an envelope.
 * @throws DecodeError if the prefix is missing (semantics/encodings#protobuf) or the bytes are not an
 * envelope
 */
export function decodeEnvelope(bytes: Uint8Array): ProtobufEnvelope {
  const prefix = ENVELOPE_PREFIX;
  if (bytes.length === 0) throw new DecodeError('empty data');
  if (!prefix.every((byte, i) => bytes[i] === byte))
    throw new DecodeError(
      `provided data does not appear to be a protobuf message, expected prefix [${prefix.join(' ')}]`,
    );
  if (bytes.length === prefix.length) throw new DecodeError('empty body');
  const texts = ['', '', ''];
  let typeMeta: readonly string[] = [];
  let raw: Uint8Array = new Uint8Array(0);
  readFields(bytes.subarray(prefix.length), 'Unknown', new ReadBudget(), (reader, tag, wireType) => {
    if (tag < 1 || tag > 4) {
      reader.skipType(wireType);
      return;
    }
    expectWireType(wireType, WireType.bytes, ENVELOPE_FIELDS[tag - 1] ?? '');
    if (tag === 1) typeMeta = readTypeMeta(reader.bytes());
    else if (tag === 2) raw = reader.bytes();
    else texts[tag - 2] = reader.string();
  });
  const [, contentEncoding = '', contentType = ''] = texts;
  return { apiVersion: typeMeta[0] ?? '', kind: typeMeta[1] ?? '', raw, contentEncoding, contentType };
}

const ENVELOPE_FIELDS: readonly string[] = ['typeMeta', 'raw', 'contentEncoding', 'contentType'];

function readTypeMeta(bytes: Uint8Array): string[] {
  const texts = ['', ''];
  readFields(bytes, 'TypeMeta', new ReadBudget(), (reader, tag, wireType) => {
    if (tag === 1 || tag === 2) texts[tag - 1] = reader.string();
    else reader.skipType(wireType);
  });
  return texts;
}
