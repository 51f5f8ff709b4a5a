/** A field as a string. */
export const textOf = (bytes: unknown): string => new TextDecoder().decode(bytes as Uint8Array);

/** Pairs of a name and a message, in the first field of a message. */
export function namedIn(message: Uint8Array): Map<string, Uint8Array> {
  const pairs = (readFields(message).get(1) ?? []).map((pair) => readFields(pair as Uint8Array));
  return new Map(pairs.map((pair) => [textOf(pair.get(1)?.[0]), pair.get(2)?.[0] as Uint8Array]));
}

/** Decodes the fields of a message by number, independently of the encoder. */
export function readFields(bytes: Uint8Array): Map<number, (number | Uint8Array)[]> {
  const fields = new Map<number, (number | Uint8Array)[]>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const [number, wireType] = [Math.floor(key / 8), key % 8];
    const list = fields.get(number) ?? [];
    fields.set(number, list);
    if (wireType === 0) list.push(varint());
    else if (wireType === 1) {
      list.push(new DataView(bytes.buffer, bytes.byteOffset + at, 8).getFloat64(0, true));
      at += 8;
    } else {
      const length = varint();
      list.push(bytes.slice(at, at + length));
      at += length;
    }
  }
  return fields;
}
