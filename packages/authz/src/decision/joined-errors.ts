/** The texts of several failures as one: a single one as it is, more in brackets, equal ones once. */
export function joinedErrors(errors: readonly Error[]): string {
  const texts = [...new Set(errors.map(({ message }) => message))];
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
}
