/** Maximum bytes of a trace that are kept in memory; its events stop there, however long it was requested for. */
const MAXIMUM_BYTES = 32 * 2 ** 20;

/** A trace in Chrome's JSON format, of bounded size. Events are encoded as they arrive: as objects they take several times the memory. */
export class TraceRecord {
  readonly #maximumBytes: number;
  readonly #pieces: Uint8Array[] = [];
  readonly #encoder = new TextEncoder();
  #bytes = 0;
  #omitted = 0;

  constructor(maximumBytes: number = MAXIMUM_BYTES) {
    this.#maximumBytes = maximumBytes;
  }

  /** Whether events were omitted: more need not be recorded. */
  get isFull(): boolean {
    return this.#omitted > 0;
  }

  /** Adds events in the order of their arrival. After the first that does not fit, none is added. */
  add(events: readonly object[]): void {
    for (const event of events) {
      const piece = this.isFull ? undefined : this.#encoder.encode(JSON.stringify(event));
      if (!piece || this.#bytes + piece.length > this.#maximumBytes) {
        this.#omitted++;
        continue;
      }
      this.#pieces.push(piece);
      this.#bytes += piece.length;
    }
  }

  /** Returns the document, which tells whether it ends early. */
  document(): Uint8Array {
    const comma = this.#encoder.encode(',\n');
    const parts: Uint8Array[] = [this.#encoder.encode('{"traceEvents":[')];
    for (const [index, piece] of this.#pieces.entries()) parts.push(...(index > 0 ? [comma] : []), piece);
    const otherData = this.isFull
      ? `,"otherData":{"truncated":"the trace has reached its maximum size of ${this.#maximumBytes} bytes"}`
      : '';
    parts.push(this.#encoder.encode(`]${otherData}}`));
    return Buffer.concat(parts);
  }
}
