/**
 * The reference tokens of a JSON pointer, unescaped (RFC 6901); undefined where the text is no pointer, that is neither
 * empty nor led by a slash. A tilde that escapes nothing stands for itself.
 *
 * @example
 * parseJsonPointer('/metadata/labels/a~1b'); // ['metadata', 'labels', 'a/b']
 */
export function parseJsonPointer(text: string): string[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('/')) return undefined;
  return text.slice(1).split('/').map(unescapeToken);
}

/** A token as it was before `~1` and `~0` were written for `/` and `~`: one pass, so that `~01` gives `~1`. */
function unescapeToken(token: string): string {
  return token.includes('~') ? token.replace(/~[01]/g, (code) => (code === '~1' ? '/' : '~')) : token;
}
