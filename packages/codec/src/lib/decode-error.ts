/** What does not read as its encoding says. The message is the text that clients see after `json parse error:` and the like. */
export class DecodeError extends Error {
  override readonly name: string = 'DecodeError';
  /** What the body says that it is, where that was read although the rest could not be. */
  readonly body: { readonly apiVersion: string; readonly kind: string } | undefined;

  constructor(
    message: string,
    cause?: unknown,
    body?: { readonly apiVersion: string; readonly kind: string },
  ) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message, cause === undefined ? undefined : { cause });
    Error.stackTraceLimit = limit;
    this.body = body;
  }
}
