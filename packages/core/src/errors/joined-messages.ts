/** The messages of several errors as one text: a single one unchanged, more in brackets, without duplicates. */
export function joinedMessages(errors: readonly Error[]): string {
  const texts = [...new Set(errors.map(({ message }) => message))];
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
}
