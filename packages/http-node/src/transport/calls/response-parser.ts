import { ChunkedBody } from './chunked-body.ts';
import { invalid, parseResponseHead, type ResponseHead } from './response-head.ts';

/** Maximum size of the head, as of Node's own client. */
const MAXIMUM_HEAD = 16 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');

/** Reads one response of HTTP/1.1 from the bytes of a connection, however they are cut. */
export class ResponseParser {
  /** The head, as soon as it has arrived; those of interim responses are skipped. */
  head: ResponseHead | undefined;
  /** Whether the response has arrived completely. */
  isComplete = false;
  /** Whether bytes followed that belong to no response. */
  hasSurplus = false;
  #before: Buffer | undefined;
  /** Bytes of the body that are to come. */
  #rest = 0;
  #chunked: ChunkedBody | undefined;

  /**
   * Takes bytes.
   * @param take is called with each piece of the body
   * @throws Error for a response that is not valid
   */
  push(bytes: Buffer, take: (piece: Buffer) => void): void {
    if (this.isComplete) {
      this.hasSurplus ||= bytes.length > 0;
      return;
    }
    const body = this.head ? bytes : this.#readHead(bytes);
    if (body) this.#readBody(body, take);
  }

  /** The connection has ended. @returns whether the response is complete */
  end(): boolean {
    if (this.head?.length === 'end') this.isComplete = true;
    return this.isComplete;
  }

  /** Returns the bytes after the head; undefined if it has not arrived. */
  #readHead(bytes: Buffer): Buffer | undefined {
    const before = this.#before;
    const known = before ? Buffer.concat([before, bytes]) : bytes;
    // the end may have begun in the last three bytes that were searched before
    const end = known.indexOf(HEAD_END, Math.max(0, (before?.length ?? 0) - 3));
    if (end > MAXIMUM_HEAD || (end < 0 && known.length > MAXIMUM_HEAD))
      throw invalid('its head, which is too long,');
    this.#before = end < 0 ? known : undefined;
    if (end < 0) return undefined;
    const head = parseResponseHead(known.toString('latin1', 0, end));
    const rest = known.subarray(end + HEAD_END.length);
    if (head.status < 200) return this.#skip(head, rest);
    this.head = head;
    if (head.length === 'chunked') this.#chunked = new ChunkedBody();
    else this.#rest = head.length === 'end' ? Number.POSITIVE_INFINITY : head.length;
    return rest;
  }

  /** Skips an interim response. */
  #skip({ status }: ResponseHead, rest: Buffer): Buffer | undefined {
    if (status === 101) throw invalid('its status, which nobody asked for,');
    return rest.length > 0 ? this.#readHead(rest) : undefined;
  }

  #readBody(bytes: Buffer, take: (piece: Buffer) => void): void {
    let surplus = 0;
    if (this.#chunked) {
      surplus = bytes.length - this.#chunked.push(bytes, take);
      this.isComplete = this.#chunked.isComplete;
    } else {
      const piece = bytes.length > this.#rest ? bytes.subarray(0, this.#rest) : bytes;
      surplus = bytes.length - piece.length;
      this.#rest -= piece.length;
      if (piece.length > 0) take(piece);
      this.isComplete = this.#rest === 0;
    }
    this.hasSurplus = surplus > 0;
  }
}
