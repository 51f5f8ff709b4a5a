/** Returns the message of a thrown value, or its text if it is not an error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
