export type { BoundAddress } from './lib/bind.ts';
export { gzipPieces } from './lib/gzip-pieces.ts';
export { createHttp2Transport, type Http2TransportOptions } from './lib/http2-transport.ts';
export { type CloseOptions, type Listener, listen } from './lib/listen.ts';
export type { ListenOptions, ListenTls } from './lib/listen-options.ts';
export { nodeAmbient, nodeClock, nodeRandom } from './lib/node-ambient.ts';
export { createNodeTransport, type NodeTransport, type NodeTransportOptions } from './lib/node-transport.ts';
