/** What does not read as its encoding says. The message is the text that clients see after `json parse error:` and the like. */
export class DecodeError extends Error {
  override readonly name: string = 'DecodeError';

  constructor(message: string, cause?: unknown) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message, cause === undefined ? undefined : { cause });
    Error.stackTraceLimit = limit;
  }
}
