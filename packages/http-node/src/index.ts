export { nodeAmbient, nodeClock, nodeRandom } from './ambient/node-ambient.ts';
export type { BoundAddress } from './listener/bind.ts';
export { gzipPieces } from './listener/gzip-pieces.ts';
export { type CertificateChanges, type CloseOptions, type Listener, listen } from './listener/listen.ts';
export type { ListenOptions, ListenTls, NamedCertificate } from './listener/listen-options.ts';
export {
  type NodeListenerOptions,
  type NodeRequestListener,
  toNodeListener,
} from './listener/to-node-listener.ts';
export { createHttp2Transport, type Http2TransportOptions } from './transport/http2-transport.ts';
export {
  createNodeTransport,
  type NodeTransport,
  type NodeTransportOptions,
} from './transport/node-transport.ts';
