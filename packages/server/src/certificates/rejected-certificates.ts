import {
  CERTIFICATE_OF_SHA1,
  CERTIFICATE_WITHOUT_NAMES,
  type Counter,
  type Metrics,
  type Transport,
} from '@ashlar/core';

/** Counts the connections that failed for what certificates of servers must no longer be. */
export class RejectedCertificates {
  readonly #missingNames: Counter;
  readonly #sha1: Counter;

  /**
   * @param part of the server that connects: `webhooks`
   * @throws TypeError if its metrics are already registered
   */
  constructor(metrics: Metrics, part: 'kube_aggregator' | 'webhooks') {
    const counter = (name: string, help: string): Counter =>
      metrics.counter({ name: `apiserver_${part}_x509_${name}_total`, help, labels: [] });
    this.#missingNames = counter(
      'missing_san',
      'Number of connections that failed since the certificate of the server has no subject alternative name.',
    );
    this.#sha1 = counter(
      'insecure_sha1',
      'Number of connections that failed since the certificate of the server is signed with SHA-1.',
    );
  }

  /** Returns a transport whose failures are counted. */
  of(transport: Transport): Transport {
    const { closeConnections, forward } = transport;
    return {
      request: (url, request) => this.#counted(transport.request(url, request)),
      ...(closeConnections && { closeConnections: closeConnections.bind(transport) }),
      ...(forward && { forward: (origin, call) => this.#counted(forward.call(transport, origin, call)) }),
    };
  }

  async #counted<T>(response: Promise<T>): Promise<T> {
    try {
      return await response;
    } catch (error) {
      const { code } = (error ?? {}) as { readonly code?: unknown };
      if (code === CERTIFICATE_WITHOUT_NAMES) this.#missingNames.add([]);
      if (code === CERTIFICATE_OF_SHA1) this.#sha1.add([]);
      throw error;
    }
  }
}
