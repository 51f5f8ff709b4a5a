export { collectStrictErrors, type StrictErrors } from './lib/strict-errors.ts';
export type { ReportStrictFieldError, StrictFieldError } from './lib/typed-context.ts';
export { compileTyped, type TypedCodec } from './lib/typed-decode.ts';
export { TypedDecodeError } from './lib/typed-decode-error.ts';
