import { type Ambient, sleep } from './ambient.ts';
import { RefusedCallError, UnusableResponseError } from './outgoing-call.ts';

const ATTEMPTS = 5;
const FIRST_PAUSE_MILLISECONDS = 500;
const FACTOR = 1.5;
const JITTER = 0.2;

/**
 * Makes a call, and retries with growing pauses if the network fails or the server is overloaded or broken
 * (semantics/access#token-webhook, #access-reviews).
 * @param call one attempt; what it throws decides about the next
 * @param firstPause in milliseconds; default 500
 * @param mayPass whether a retry may succeed after an error; default: after network failures and statuses 429 and 5xx
 * @throws Error of the last attempt, or the reason of the signal immediately
 */
export async function callRepeatedly<T>(
  ambient: Pick<Ambient, 'clock' | 'random'>,
  call: () => Promise<T>,
  signal?: AbortSignal,
  firstPause: number = FIRST_PAUSE_MILLISECONDS,
  mayPass: (error: unknown) => boolean = isTemporary,
): Promise<T> {
  for (let attempt = 1, pause = firstPause; ; attempt++, pause *= FACTOR) {
    signal?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (attempt >= ATTEMPTS || signal?.aborted || !mayPass(error)) throw error;
      await sleep(ambient.clock, pause * (1 + JITTER * fraction(ambient)), signal);
    }
  }
}

/** Network failures and statuses 429 and 5xx. */
function isTemporary(error: unknown): boolean {
  if (UnusableResponseError.is(error)) return false;
  return !RefusedCallError.is(error) || error.status === 429 || error.status >= 500;
}

/** From 0 to 1. */
const fraction = ({ random }: Pick<Ambient, 'random'>): number =>
  (random.bytes(new Uint8Array(1))[0] ?? 0) / 256;
