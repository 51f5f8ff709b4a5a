import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { TransportTls } from '@ashlar/core';
import { tlsClientOptions } from './tls-client-options.ts';

/** The connections that an HTTP/2 transport keeps: one for each server and what is shown to it. */
export class Http2Connections {
  readonly #idleMilliseconds: number;
  /** Those that take requests. */
  readonly #kept = new Map<string, Http2Connection>();
  /** Those too that take none any more, and have answers to give. */
  readonly #living = new Set<Http2Connection>();

  constructor(idleMilliseconds: number) {
    this.#idleMilliseconds = idleMilliseconds;
  }

  /** One that takes requests. */
  open(origin: string, tls: TransportTls): Http2Connection {
    const name = JSON.stringify([origin, Object.entries(tls).sort()]);
    const kept = this.#kept.get(name);
    if (kept?.isOpen) return kept;
    const made = new Http2Connection(origin, tls, this.#idleMilliseconds);
    this.#kept.set(name, made);
    this.#living.add(made);
    made.onClose(() => {
      this.#living.delete(made);
      if (this.#kept.get(name) === made) this.#kept.delete(name);
    });
    return made;
  }

  /** Ends those on which a certificate is shown: no new requests, and answers that are still arriving break off. */
  retire(certificate: string): void {
    for (const connection of this.#living) if (connection.certificate === certificate) connection.retire();
  }

  close(): void {
    for (const connection of this.#living) connection.destroy();
  }
}

/** One connection, which many requests share. It keeps the process alive only while there are some. */
export class Http2Connection {
  readonly certificate: string | undefined;
  readonly #session: ClientHttp2Session;
  /** Streams that have their answer's head, and others. */
  readonly #arriving = new Set<ClientHttp2Stream>();
  #open = 0;
  #used = false;

  constructor(origin: string, tls: TransportTls, idleMilliseconds: number) {
    this.certificate = tls.certificate;
    this.#session = connect(origin, tlsClientOptions(tls));
    // what breaks a session breaks its streams, and they tell whoever waits
    this.#session.on('error', () => {});
    this.#session.setTimeout(idleMilliseconds, () => {
      if (this.#open === 0) this.#session.close();
    });
  }

  get isOpen(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  /** Whether it has carried a request before. */
  get isUsed(): boolean {
    return this.#used;
  }

  onClose(listener: () => void): void {
    this.#session.once('close', listener);
  }

  request(...head: Parameters<ClientHttp2Session['request']>): ClientHttp2Stream {
    const stream = this.#session.request(...head);
    this.#used = true;
    if (this.#open++ === 0) this.#session.ref();
    stream.once('response', () => this.#arriving.add(stream));
    stream.once('close', () => {
      this.#arriving.delete(stream);
      if (--this.#open === 0) this.#session.unref();
    });
    return stream;
  }

  retire(): void {
    this.#session.close();
    const reason = new Error('the certificate of the connection has been replaced');
    for (const stream of this.#arriving) stream.destroy(reason);
  }

  destroy(): void {
    this.#session.destroy();
  }
}
