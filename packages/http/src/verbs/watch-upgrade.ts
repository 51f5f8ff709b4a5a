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

/** Bytes of the length prefix in a Protobuf stream, which WebSocket messages do not need. */
const LENGTH_BYTES = 4;

/**
 * Returns the response that streams a watch over a WebSocket (semantics/list-and-watch#watch): each event is one message, of text in JSON and
 * binary in other formats. The sub-protocol that the client offers is accepted, whatever its name; several are rejected. The one
 * that carries a bearer token does not count.
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
  if (more.length > 0) throw StatusError.badRequest('a watch supports at most one WebSocket sub-protocol');
  const open = (socket: MessageSocket): void => stream(new MessageSink(socket, format));
  return { status: 101, headers: {}, upgrade: { protocol, open } };
}

/** A sink that sends each write as one message. */
class MessageSink implements ByteSink {
  readonly #socket: MessageSocket;
  readonly #kind: 'text' | 'binary';
  readonly #prefixBytes: number;

  constructor(socket: MessageSocket, format: Representation['format']) {
    this.#socket = socket;
    this.#kind = format === 'json' ? 'text' : 'binary';
    this.#prefixBytes = format === 'protobuf' ? LENGTH_BYTES : 0;
  }

  get buffered(): number {
    return this.#socket.buffered;
  }

  write(bytes: Uint8Array): boolean {
    return this.#socket.send(this.#prefixBytes === 0 ? bytes : bytes.subarray(this.#prefixBytes), this.#kind);
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
