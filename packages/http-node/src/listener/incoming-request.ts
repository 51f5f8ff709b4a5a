import { IncomingMessage } from 'node:http';
import { offeredProtocol } from '../connection/offered-protocol.ts';
import { awaitsTurn } from '../connection/paced-reads.ts';

/**
 * A request whose connection Node hands over only if it asks for a protocol that it may be switched to: other offers (`h2c`)
 * are ignored (RFC 9110 section 7.8). Its connection is not read before its turn.
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

  /** Node resumes the connection here. */
  override _read(size: number): void {
    if (!awaitsTurn(this.socket)) super._read(size);
  }
}
