import { type Ambient, checkVocabulary, type Vocabulary } from '@ashlar/core';

/** The longest delay that timers of platforms support. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * Clock and randomness of a browser, or of any platform with the standards of the web; on Node `nodeAmbient` of `@ashlar/http-node` is
 * better, whose timers do not keep the process alive.
 * @example
 * const client = createClient({ transport: createFetchTransport(), baseUrl: '', ambient: webAmbient(kubernetesVocabulary) });
 */
export function webAmbient(vocabulary: Vocabulary): Ambient {
  checkVocabulary('webAmbient', vocabulary);
  return {
    vocabulary,
    clock: {
      now: () => Date.now(),
      monotonic: () => performance.now(),
      setTimer(milliseconds, call) {
        const timer = setTimeout(call, Math.min(Math.max(0, milliseconds), LONGEST_DELAY));
        return { clear: () => clearTimeout(timer) };
      },
    },
    random: { bytes: (into) => crypto.getRandomValues(into as Uint8Array<ArrayBuffer>) },
  };
}
