import { type IncomingMessage, ServerResponse as NodeResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ServerResponse } from '@ashlar/core';
import { earlierResponsesSent } from '../connection/current-response.ts';
import { handOverReads } from '../connection/held-reads.ts';
import { offeredProtocol } from '../connection/offered-protocol.ts';
import { switchProtocols } from '../connection/switch-protocols.ts';
import { NodeRequest } from '../request/node-request.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { handlerFailure } from './handler-failure.ts';
import { respondOrFail } from './http1-exchange.ts';
import { endThenDestroy, hasLastResponse } from './linger.ts';
import { connectionOf } from './node-connection.ts';
import { refusalOfHttp1 } from './refused-head.ts';
import { acceptWebSocket, offerOf } from './web-socket.ts';

/** A request of HTTP/1.1 that asks for another protocol. */
export interface UpgradeOpening {
  readonly incoming: IncomingMessage;
  readonly socket: Socket;
  /** Bytes received after the request. */
  readonly head: Buffer;
}

/** Answers it: by a WebSocket or another protocol if the handler accepts it, otherwise as any other request. Never rejects. */
export async function answerUpgrade(context: ExchangeContext, opening: UpgradeOpening): Promise<void> {
  const { incoming, socket } = opening;
  handOverReads(socket);
  // a broken connection is detected by its `close`
  socket.on('error', () => {});
  await earlierResponsesSent(socket);
  // after a response with `Connection: close`, further requests are ignored (RFC 9112 section 9.6)
  if (!socket.writable || hasLastResponse(socket)) return;
  const request = new NodeRequest({
    method: incoming.method as string,
    target: incoming.url as string,
    rawHeaders: incoming.rawHeaders,
    connection: connectionOf(socket, context.ownHosts),
    stream: incoming,
    answer: socket,
    silenceMilliseconds: context.silenceMilliseconds,
    webSocket: offerOf(incoming),
    upgrade: offeredProtocol(incoming),
  });
  const response = refusalOfHttp1(incoming, context.maximumHeaderLines) ?? (await answered(context, request));
  if (socket.destroyed) return;
  const { upgrade, switchProtocols: open } = response;
  if (upgrade)
    handOver(context, request, socket, () => acceptWebSocket(opening, upgrade, context.sinkHighWaterMark));
  else if (open) handOver(context, request, socket, () => switchProtocols(opening, response.headers, open));
  else respondOrFail(context, request, incoming, plainResponse(opening), response);
}

async function answered(context: ExchangeContext, request: NodeRequest): Promise<ServerResponse> {
  try {
    return await context.handler(request);
  } catch (error) {
    context.onError(error);
    return handlerFailure;
  }
}

function handOver(context: ExchangeContext, request: NodeRequest, socket: Socket, open: () => void): void {
  context.streams.set(socket, request);
  socket.once('close', () => context.streams.delete(socket));
  if (context.draining) request.abort(new Error('the server is shutting down'));
  try {
    open();
  } catch (error) {
    context.onError(error);
    socket.destroy();
  }
}

/** A response on a connection that Node has released, which ends with it. */
function plainResponse({ incoming, socket }: UpgradeOpening): NodeResponse {
  const outgoing = new NodeResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.once('finish', () => {
    outgoing.detachSocket(socket);
    endThenDestroy(socket);
  });
  return outgoing;
}
