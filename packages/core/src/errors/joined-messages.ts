/** Several texts as one: a single one unchanged, more in brackets, without duplicates. */
export function joinedTexts(texts: readonly string[]): string {
  const different = [...new Set(texts)];
  return different.length === 1 ? (different[0] as string) : `[${different.join(', ')}]`;
}

/** The same of the messages of errors. */
export function joinedMessages(errors: readonly Error[]): string {
  return joinedTexts(errors.map(({ message }) => message));
}
