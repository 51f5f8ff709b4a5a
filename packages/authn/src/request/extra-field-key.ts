/** Decodes the percent escapes in the key of an extra field; a key with an invalid escape stays unchanged. */
export function extraFieldKey(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
