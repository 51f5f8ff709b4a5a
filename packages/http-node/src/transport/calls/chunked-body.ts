import { invalid } from './response-head.ts';

/** Maximum size of the line before a chunk, and of the lines after the last one. */
const MAXIMUM_LINE = 4096;
const MAXIMUM_TRAILERS = 16 * 1024;
const NEWLINE = 10;
const RETURN = 13;

/** Reads a body in chunks (RFC 9112, section 7.1). Extensions and trailers are skipped. */
export class ChunkedBody {
  isComplete = false;
  #state: 'size' | 'data' | 'end of data' | 'trailers' = 'size';
  /** Bytes of the chunk that are to come. */
  #rest = 0;
  /** What has arrived of a line. */
  #line = '';
  #trailers = 0;

  /** Where in the pushed bytes data begins, and where what has been joined of it ends. */
  #start = 0;
  #end = 0;

  /**
   * Takes bytes until the body is complete. The data of all chunks in them is moved together, so that many small chunks are one piece.
   * @param bytes change
   * @param take is called with the data, if there is any
   * @returns how many bytes belong to the body
   * @throws Error
   */
  push(bytes: Buffer, take: (piece: Buffer) => void): number {
    let at = 0;
    this.#end = 0;
    while (at < bytes.length && !this.isComplete)
      at = this.#state === 'data' ? this.#readData(bytes, at) : this.#readLine(bytes, at);
    if (this.#end > 0) take(bytes.subarray(this.#start, this.#end));
    return at;
  }

  #readData(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#rest);
    if (this.#end === 0) {
      this.#start = at;
      this.#end = end;
    } else {
      bytes.copyWithin(this.#end, at, end);
      this.#end += end - at;
    }
    this.#rest -= end - at;
    if (this.#rest === 0) this.#state = 'end of data';
    return end;
  }

  #readLine(bytes: Buffer, at: number): number {
    const newline = bytes.indexOf(NEWLINE, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    if (this.#line.length + end - at > MAXIMUM_LINE) throw invalid('a chunk');
    this.#line += bytes.toString('latin1', at, end);
    if (newline < 0) return end;
    if (this.#line.charCodeAt(this.#line.length - 2) !== RETURN) throw invalid('a chunk');
    const line = this.#line.slice(0, -2);
    this.#line = '';
    this.#endLine(line);
    return end;
  }

  #endLine(line: string): void {
    if (this.#state === 'size') {
      this.#rest = sizeOf(line);
      this.#state = this.#rest === 0 ? 'trailers' : 'data';
    } else if (this.#state === 'end of data') {
      if (line !== '') throw invalid('a chunk');
      this.#state = 'size';
    } else if (line === '') this.isComplete = true;
    else this.#skipTrailer(line);
  }

  #skipTrailer(line: string): void {
    this.#trailers += line.length;
    if (this.#trailers > MAXIMUM_TRAILERS) throw invalid('a trailer');
  }
}

function sizeOf(line: string): number {
  const [, digits] = /^([0-9A-Fa-f]{1,12})[ \t]*(?:;|$)/.exec(line) ?? [];
  if (digits === undefined) throw invalid('a chunk');
  return Number.parseInt(digits, 16);
}
