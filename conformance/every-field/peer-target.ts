import type { AskedServer } from '../../bench/attack/fields/served-kinds.ts';
import { ask, type Peer } from '../projects/peer.ts';

/** A server as what looks for kinds and their objects takes it: it gets requests of the administrator. */
export function peerTarget(peer: Peer): AskedServer {
  return {
    credentials: () => 'X-Unused: 0',
    async send({ method = 'GET', path = '/', body }) {
      const object = body === undefined ? undefined : JSON.parse(String(body));
      const answered = await ask(peer, method, path, object);
      return { status: answered.status, head: '', body: JSON.stringify(answered.body) };
    },
  };
}
