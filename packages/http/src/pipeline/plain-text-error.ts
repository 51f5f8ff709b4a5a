/** A failure that is answered in plain text instead of a Status (semantics/status#situations). */
export class PlainTextError extends Error {
  override readonly name: string = 'PlainTextError';
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(code: number, text: string, headers: Readonly<Record<string, string>> = {}, cause?: unknown) {
    super(text, cause === undefined ? undefined : { cause });
    this.code = code;
    this.headers = headers;
  }
}
