import type { ApiObject, JsonValue, Steps } from '@ashlar/core';
import type { DecodeRequest } from './decode-request.ts';

/** Converts decoded bodies to objects of one version. */
export interface ObjectDecoder {
  /** The object of an empty body; only for built-in kinds, some of whose fields are always present. */
  readonly emptyObject: ApiObject | undefined;
  /**
   * Decodes a whole object: checks types, drops unknown fields and sets defaults.
   * @throws StatusError 400, of custom kinds also 422, and 413 if defaults make it too large
   */
  decode(value: JsonValue, request: DecodeRequest): ApiObject;
  /** Like `decode`, in steps, for objects that may be large. */
  decodeSteps(value: JsonValue, request: DecodeRequest): Steps<ApiObject>;
  /**
   * Decodes a JSON text, including what only the text shows: duplicate keys and the spelling of numbers. Built-in kinds only.
   * @throws SyntaxError if the text is not JSON; StatusError as `decode`
   */
  readonly decodeTextSteps: ((text: string, request: DecodeRequest) => Steps<ApiObject>) | undefined;
  /**
   * Decodes the result of a patch, whose errors have other words.
   * @throws StatusError 422, with strict validation 400, and 413 if it is too large
   */
  decodePatchedSteps(value: JsonValue, request: DecodeRequest): Steps<ApiObject>;
  /** Decodes an applied configuration: custom kinds keep nulls without a default, so that validation rejects them. */
  decodeAppliedSteps(value: JsonValue, request: DecodeRequest): Steps<ApiObject>;
  /** Returns a stored object of this version as the current schema defines it; only custom kinds change (semantics/schemas#order). */
  readStored(object: ApiObject): ApiObject;
  readStoredSteps(object: ApiObject): Steps<ApiObject>;
  /** Returns an object of this version without unknown fields. */
  pruneSteps(object: ApiObject): Steps<ApiObject>;
  /** Returns an object that was converted to this version without unknown fields, and without nulls that are dropped when it is decoded. */
  convertedSteps(object: ApiObject): Steps<ApiObject>;
  /**
   * Decodes an object of this version that admission changed: prunes it and sets defaults.
   * @param isStrict whether unknown fields of a built-in kind are errors; default false
   * @throws TypeError if it is no longer of its kind
   */
  settle(object: ApiObject): ApiObject;
  settleSteps(object: ApiObject, isStrict?: boolean): Steps<ApiObject>;
}
