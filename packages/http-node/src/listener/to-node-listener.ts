import type { IncomingMessage, ServerResponse as NodeResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Handler } from '@ashlar/core';
import { checkHandler } from './check-listen-options.ts';
import { createExchangeContext, type ExchangeOptions } from './exchange-context.ts';
import { answerHttp1 } from './http1-exchange.ts';
import { answerUpgrade } from './upgrade-exchange.ts';

export interface NodeListenerOptions extends ExchangeOptions {
  /**
   * Names and addresses by which callers reach the server, besides those of this machine. A server without authentication answers
   * requests for no others. Default: none.
   */
  readonly hosts?: readonly string[];
}

/** Answers requests of a server of Node. */
export interface NodeRequestListener {
  (incoming: IncomingMessage, outgoing: NodeResponse): void;
  /** For the event `upgrade` of the server, by which WebSockets are opened. */
  upgrade(incoming: IncomingMessage, socket: Socket, head: Buffer): void;
  /** Ends watches and WebSockets, before the server is closed. */
  close(): void;
}

/**
 * A listener for a server that the host has: `node:http` and `node:https`, and all that builds on them, such as Fastify and Express. The
 * body of a request must not have been read before.
 *
 * @throws TypeError for anything but a handler
 * @example
 * const listener = toNodeListener(server.handler);
 * const http = createServer((request, response) =>
 *   /^\/(apis?|openapi|version)(\/|$)/.test(request.url) ? listener(request, response) : ownPages(request, response),
 * );
 * http.on('upgrade', listener.upgrade);
 */
export function toNodeListener(handler: Handler, options: NodeListenerOptions = {}): NodeRequestListener {
  checkHandler('toNodeListener', handler);
  const ownHosts = ['127.0.0.1', ...(options.hosts ?? [])].map((host) => host.toLowerCase());
  const context = createExchangeContext(handler, ownHosts, options);
  const listener = (incoming: IncomingMessage, outgoing: NodeResponse): void => {
    if (incoming.readableEnded || incoming.readableDidRead) {
      context.onError(new TypeError(BODY_READ));
      outgoing.writeHead(500, { 'content-type': 'text/plain' }).end();
    } else answerHttp1(context, incoming, outgoing);
  };
  return Object.assign(listener, {
    upgrade: (incoming: IncomingMessage, socket: Socket, head: Buffer) =>
      void answerUpgrade(context, { incoming, socket, head }),
    close() {
      context.draining = true;
      for (const request of context.streams.values()) request.abort(new Error('the server is shutting down'));
    },
  });
}

const BODY_READ =
  'the body of a request was read before toNodeListener was called: call it before anything that parses bodies';
