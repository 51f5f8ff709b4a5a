import { type DecodeError, decodeJson, decodeUtf8, decodeYaml, describeUndecodable } from '@ashlar/codec';
import { type ApiObject, goQuote, type JsonValue, StatusError } from '@ashlar/core';
import type { DecodeRequest } from '@ashlar/registry';
import type { RequestScope } from './request-scope.ts';
import type { ServedResource } from './served-resource.ts';

/** Most that a body may hold (semantics C11). */
export const MAXIMUM_BODY_BYTES = 3_145_728;

/** How a body is written. */
export type BodyFormat = 'json' | 'yaml' | 'protobuf';

/** The whole body. @throws StatusError 413 */
export function readBody({ request }: RequestScope): Promise<Uint8Array> {
  return request.body(MAXIMUM_BODY_BYTES);
}

/** A decoded body, and the keys that stand in it twice, as texts. */
export interface DecodedBody {
  readonly value: JsonValue;
  readonly findings: readonly string[];
}

/**
 * Decodes a body as JSON or YAML.
 * @throws StatusError 400 that names the expected kind
 */
export function decodeBody(bytes: Uint8Array, format: 'json' | 'yaml', kind: string): DecodedBody {
  try {
    const { value, duplicates } = format === 'yaml' ? decodeYaml(bytes) : decodeJson(bytes, { duplicates: 'report' });
    return { value, findings: duplicates.map((path) => `duplicate field ${goQuote(path)}`) };
  } catch (error) {
    throw undecodable(bytes, kind, error as DecodeError);
  }
}

/**
 * Decodes the body of a create or update into an object of the resource.
 * @throws StatusError 400
 */
export function decodeObject(
  served: ServedResource,
  bytes: Uint8Array,
  format: BodyFormat,
  request: Pick<DecodeRequest, 'fieldValidation' | 'warn'>,
): ApiObject {
  const { decoder } = served;
  const { kind } = served.definition.names;
  if (format === 'protobuf') return decoder.decode(served.protobuf.decode(bytes), { ...request, findings: [] });
  if (format === 'json' && decoder.decodeText) {
    try {
      return decoder.decodeText(decodeUtf8(bytes), { ...request, findings: [] });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  const { value, findings } = decodeBody(bytes, format, kind);
  return decoder.decode(value, { ...request, findings });
}

function undecodable(bytes: Uint8Array, kind: string, error: DecodeError): StatusError {
  const why = describeUndecodable(bytes, error);
  return StatusError.badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`, error);
}
