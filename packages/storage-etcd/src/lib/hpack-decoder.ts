import { decodeHuffman } from './hpack-huffman.ts';
import { fieldSize, type HeaderField, STATIC_TABLE } from './hpack-static-table.ts';

/** What the dynamic table may hold, as long as nothing else has been agreed on (RFC 7541). */
const TABLE_BYTES = 4096;

/** Reads blocks of headers, one after the other: each may refer to what those before it said (RFC 7541). */
export class HpackDecoder {
  /** The oldest entry first. */
  #table: HeaderField[] = [];
  #bytes: number = 0;
  #limit: number = TABLE_BYTES;
  #block: Buffer = Buffer.alloc(0);
  #at: number = 0;

  /**
   * The headers of one block; of a name that comes twice the last one counts.
   * @throws RangeError where the block is malformed: the connection cannot be used any more then
   */
  decode(block: Buffer): Record<string, string> {
    this.#block = block;
    this.#at = 0;
    const headers: Record<string, string> = {};
    while (this.#at < block.length) {
      const field = this.#next(block[this.#at] as number);
      if (field) headers[field[0]] = field[1];
    }
    return headers;
  }

  #next(first: number): HeaderField | undefined {
    if (first >= 0x80) return this.#entry(this.#integer(7));
    if (first >= 0x40) {
      const field = this.#literal(6);
      this.#add(field);
      return field;
    }
    if (first < 0x20) return this.#literal(4);
    this.#resize(this.#integer(5));
    return undefined;
  }

  #literal(bits: number): HeaderField {
    const index = this.#integer(bits);
    const name = index === 0 ? this.#string() : this.#entry(index)[0];
    return [name, this.#string()];
  }

  #entry(index: number): HeaderField {
    const field =
      index <= STATIC_TABLE.length
        ? STATIC_TABLE[index - 1]
        : this.#table[this.#table.length + STATIC_TABLE.length - index];
    if (!field) throw new RangeError(`a header refers to the entry ${index}, which there is not`);
    return field;
  }

  #integer(bits: number): number {
    const most = (1 << bits) - 1;
    let value = this.#byte() & most;
    if (value < most) return value;
    for (let scale = 1; scale <= 2 ** 28; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a number in a header is too large');
  }

  #string(): string {
    const isCoded = (this.#block[this.#at] ?? 0) >= 0x80;
    const length = this.#integer(7);
    const end = this.#at + length;
    if (end > this.#block.length) throw new RangeError('a header is cut off');
    const bytes = this.#block.subarray(this.#at, end);
    this.#at = end;
    return isCoded ? decodeHuffman(bytes) : bytes.toString('latin1');
  }

  #byte(): number {
    const byte = this.#block[this.#at++];
    if (byte === undefined) throw new RangeError('a header is cut off');
    return byte;
  }

  #add(field: HeaderField): void {
    this.#table.push(field);
    this.#bytes += fieldSize(field);
    this.#evict();
  }

  #resize(limit: number): void {
    if (limit > TABLE_BYTES) throw new RangeError('the other side wants a larger table than it may have');
    this.#limit = limit;
    this.#evict();
  }

  #evict(): void {
    let gone = 0;
    while (this.#bytes > this.#limit) this.#bytes -= fieldSize(this.#table[gone++] as HeaderField);
    if (gone > 0) this.#table.splice(0, gone);
  }
}
