import { IncomingMessage } from 'node:http';
import { asksForWebSocket } from './web-socket.ts';

/**
 * A request of which Node hands the connection over only where it asks for a WebSocket: what other protocols callers can also speak
 * (`h2c`) counts for nothing (RFC 9110 section 7.8).
 */
export class IncomingRequest extends IncomingMessage {
  /** Set before the constructors of this class run, hence without a value here. */
  declare private wantsUpgrade: boolean | null;

  get upgrade(): boolean {
    return this.wantsUpgrade === true && (this.method === 'CONNECT' || asksForWebSocket(this));
  }

  set upgrade(value: boolean | null) {
    this.wantsUpgrade = value;
  }
}
