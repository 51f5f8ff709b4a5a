import {
  type ByteSink,
  type MessageSocket,
  type ServerResponse,
  StatusError,
  tokenProtocolPrefix,
  type Vocabulary,
  type WebSocketOffer,
} from '@ashlar/core';
import type { Representation } from '../encoding/representation.ts';

/** Length of the frames of a Protobuf stream; messages have a length of their own. */
const LENGTH_BYTES = 4;

/**
 * A watch over a WebSocket (semantics/list-and-watch#watch): each event is a message, a text unless it is written in bytes. Whoever offers a
 * sub-protocol gets it, whatever it is called; several are refused, for none is better than another here. The one that carries a
 * token is none.
 * @throws StatusError 400
 */
export function upgradedWatch(
  { protocols }: WebSocketOffer,
  vocabulary: Vocabulary,
  { format }: Representation,
  stream: (sink: ByteSink) => void,
): ServerResponse {
  const tokens = tokenProtocolPrefix(vocabulary);
  const [protocol, ...more] = protocols.filter((offered) => !offered.startsWith(tokens));
  if (more.length > 0) throw StatusError.badRequest('a watch takes one WebSocket sub-protocol at most');
  const open = (socket: MessageSocket): void => stream(new MessageSink(socket, format));
  return { status: 101, headers: {}, upgrade: { protocol, open } };
}

/** A sink that sends each write as one message. */
class MessageSink implements ByteSink {
  readonly #socket: MessageSocket;
  readonly #kind: 'text' | 'binary';
  readonly #skipped: number;

  constructor(socket: MessageSocket, format: Representation['format']) {
    this.#socket = socket;
    this.#kind = format === 'json' ? 'text' : 'binary';
    this.#skipped = format === 'protobuf' ? LENGTH_BYTES : 0;
  }

  get buffered(): number {
    return this.#socket.buffered;
  }

  write(bytes: Uint8Array): boolean {
    return this.#socket.send(this.#skipped === 0 ? bytes : bytes.subarray(this.#skipped), this.#kind);
  }

  onDrain(call: () => void): void {
    this.#socket.onDrain(call);
  }

  onClose(call: () => void): void {
    this.#socket.onClose(call);
  }

  end(): void {
    this.#socket.close();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
