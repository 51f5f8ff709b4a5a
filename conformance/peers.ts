import { kubernetesVocabulary } from '@ashlar/core';
import type { ServerSetup } from './access-under-test.ts';
import type { Peer } from './projects/peer.ts';
import { startServerUnderTest } from './server-under-test.ts';

/** Flags of commands that compare us with a reference. */
export const referenceFlags = {
  reference: { type: 'string' },
  ca: { type: 'string' },
  token: { type: 'string', default: 'admin-token' },
  show: { type: 'string', default: '5' },
} as const;

/** A server of this project, and the reference. */
export interface Peers extends AsyncDisposable {
  readonly ours: Peer;
  readonly theirs: Peer;
  /** Sends both the same request concurrently. */
  both<T>(asked: (peer: Peer) => Promise<T>): Promise<[ours: T, theirs: T]>;
}

/**
 * Starts a server of this project, for the reference that the flags name.
 * @param setup of the server of this project
 * @throws Error if there is none
 */
export async function startPeers(
  flags: {
    readonly reference?: string | undefined;
    readonly ca?: string | undefined;
    readonly token: string;
  },
  setup: ServerSetup = {},
): Promise<Peers> {
  const { reference, ca, token } = flags;
  if (!reference) throw new Error('--reference wants the address of a server to compare with');
  const server = await startServerUnderTest(kubernetesVocabulary, setup);
  const ours: Peer = { url: server.url, token: 'admin-token' };
  const theirs: Peer = { url: reference, token, ca };
  return {
    ...{ ours, theirs },
    both: (asked) => Promise.all([asked(ours), asked(theirs)]),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
