import { IncomingMessage } from 'node:http';
import { offeredProtocol } from '../connection/offered-protocol.ts';

/**
 * A request whose connection Node hands over only if it asks for a protocol that it may be switched to: other offers (`h2c`)
 * are ignored (RFC 9110 section 7.8).
 */
export class IncomingRequest extends IncomingMessage {
  /** Set before the constructors of this class run, hence without an initializer. */
  declare private wantsUpgrade: boolean | null;

  get upgrade(): boolean {
    return this.wantsUpgrade === true && (this.method === 'CONNECT' || offeredProtocol(this) !== undefined);
  }

  set upgrade(value: boolean | null) {
    this.wantsUpgrade = value;
  }
}
