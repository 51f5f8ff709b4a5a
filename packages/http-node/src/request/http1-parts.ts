import type { IncomingMessage, ServerResponse as NodeResponse } from 'node:http';
import type { ExchangeContext } from '../listener/exchange-context.ts';
import { connectionOf } from '../listener/node-connection.ts';
import type { RequestParts } from './node-request.ts';

/**
 * The parts of a request of HTTP/1.1. They are no object literal: once most objects of a literal have survived a collection, the engine makes
 * the next ones in the old generation, where each keeps alive its whole request until the next full collection. Reads that follow a crowd of
 * writes would cost up to a third more.
 */
export class Http1Parts implements RequestParts {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly connection: RequestParts['connection'];
  readonly stream: IncomingMessage;
  readonly answer: NodeResponse;
  readonly silenceMilliseconds: number;
  readonly sendContinue: (() => void) | undefined;

  constructor(
    { ownHosts, silenceMilliseconds }: ExchangeContext,
    incoming: IncomingMessage,
    outgoing: NodeResponse,
    sendContinue: (() => void) | undefined,
  ) {
    this.method = incoming.method as string;
    this.target = incoming.url as string;
    this.rawHeaders = incoming.rawHeaders;
    this.connection = connectionOf(incoming.socket, ownHosts);
    this.stream = incoming;
    this.answer = outgoing;
    this.silenceMilliseconds = silenceMilliseconds;
    this.sendContinue = sendContinue;
  }
}
