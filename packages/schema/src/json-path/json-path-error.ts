import { CodedError } from '@ashlar/core';

/** A JSONPath that cannot be parsed or evaluated; the message is the recorded text. */
export class JsonPathError extends CodedError {
  static override readonly code: string = 'ERR_JSON_PATH';
  override readonly name: string = 'JsonPathError';
}
