/** Control characters and lone surrogates: texts with them cannot be sent. */
const UNSENDABLE = /[\p{Cc}\p{Cs}]/u;
const UNUSABLE_AGENT = /[\p{Cc}\p{Cs} "\\]/u;

/**
 * Returns the value of a `Warning` header (RFC 7234, section 5.5).
 * @param agent name of the agent; by default `-`
 * @throws TypeError for a code that is not between 0 and 999, and for texts that cannot be sent
 * @example warningHeader('old') // 299 - "old"
 */
export function warningHeader(text: string, code = 299, agent = ''): string {
  if (code < 0 || code > 999) throw new TypeError('code must be between 0 and 999');
  if (UNUSABLE_AGENT.test(agent))
    throw new TypeError(
      'agent must be valid UTF-8 and must not contain spaces, quotes, backslashes, or control characters',
    );
  if (UNSENDABLE.test(text))
    throw new TypeError('text must be valid UTF-8 and must not contain control characters');
  const quoted = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `${String(code).padStart(3, '0')} ${agent === '' ? '-' : agent} "${quoted}"`;
}

/** Whether a text can be sent as a warning. */
export const isSendable = (text: string): boolean => !UNSENDABLE.test(text);
