import type { Steps } from '@ashlar/core';

/** An escape of JSON: a pair of surrogates, one of a surrogate, or another. */
const ESCAPE =
  /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)/gs;
const SURROGATE = /\\u[dD][89a-fA-F]/;
/** Escapes between pauses. */
const STRIDE = 4096;

/**
 * Replaces escapes of lone surrogates in JSON text by those of U+FFFD, with pauses: no UTF-8 has them, so nothing could store or send
 * them.
 * @example runAtOnce(withoutLoneSurrogatesSteps('"a\\ud800"')) // "a\\ufffd"
 */
export function* withoutLoneSurrogatesSteps(json: string): Steps<string> {
  if (!SURROGATE.test(json)) return json;
  const parts: string[] = [];
  let taken = 0;
  let count = 0;
  for (const { index, 1: lone } of json.matchAll(ESCAPE)) {
    if (++count % STRIDE === 0) yield;
    if (lone === undefined) continue;
    parts.push(json.slice(taken, index), '\\ufffd');
    taken = index + 1 + lone.length;
  }
  return parts.join('') + json.slice(taken);
}
