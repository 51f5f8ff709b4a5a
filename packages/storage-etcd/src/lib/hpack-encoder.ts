import { fieldSize, type HeaderField, STATIC_TABLE } from './hpack-static-table.ts';

/** What the other side's table may hold, as long as it says nothing else (RFC 7541). */
const TABLE_BYTES = 4096;

/** Fields that must not be kept in tables: they are secret (RFC 7541 section 7.1.3). */
const SECRET: ReadonlySet<string> = new Set(['token', 'authorization']);

const keyOf = ([name, value]: HeaderField): string => `${name}\0${value}`;
const STATIC_INDEX: ReadonlyMap<string, number> = new Map(
  STATIC_TABLE.map((field, i) => [keyOf(field), i + 1]),
);

/**
 * Writes blocks of headers (RFC 7541). What is said once is a byte from then on. Nothing ever leaves the table: calls have few
 * different headers, and once it is full, others are written out.
 */
export class HpackEncoder {
  /** How many fields had been kept when this one was, itself included. */
  readonly #kept: Map<string, number> = new Map();
  #bytes: number = 0;
  #limit: number = TABLE_BYTES;
  #mustResize: boolean = false;

  /** The other side holds less than is usual: nothing is kept from now on. */
  limitTable(bytes: number): void {
    if (bytes >= this.#limit) return;
    this.#limit = 0;
    this.#kept.clear();
    this.#mustResize = true;
  }

  encode(fields: readonly HeaderField[]): Buffer {
    const bytes: number[] = [];
    if (this.#mustResize) {
      bytes.push(0x20);
      this.#mustResize = false;
    }
    for (const field of fields) this.#write(bytes, field);
    return Buffer.from(bytes);
  }

  #write(bytes: number[], field: HeaderField): void {
    const index = this.#indexOf(keyOf(field));
    if (index !== undefined) {
      writeInteger(bytes, 0x80, 7, index);
      return;
    }
    const keeps = !SECRET.has(field[0]) && this.#bytes + fieldSize(field) <= this.#limit;
    bytes.push(keeps ? 0x40 : SECRET.has(field[0]) ? 0x10 : 0);
    for (const text of field) writeString(bytes, text);
    if (!keeps) return;
    this.#bytes += fieldSize(field);
    this.#kept.set(keyOf(field), this.#kept.size + 1);
  }

  #indexOf(key: string): number | undefined {
    const kept = this.#kept.get(key);
    // the newest comes first behind the static table
    return kept === undefined ? STATIC_INDEX.get(key) : STATIC_TABLE.length + 1 + this.#kept.size - kept;
  }
}

function writeInteger(bytes: number[], head: number, bits: number, value: number): void {
  const most = (1 << bits) - 1;
  if (value < most) {
    bytes.push(head | value);
    return;
  }
  bytes.push(head | most);
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(0x80 | (rest % 128));
  bytes.push(rest);
}

function writeString(bytes: number[], text: string): void {
  const written = Buffer.from(text);
  writeInteger(bytes, 0, 7, written.length);
  for (const byte of written) bytes.push(byte);
}
