import { JSON_MEDIA_TYPE, parseAccept } from '@ashlar/codec';

/** A format of documents. */
export interface DocumentForm {
  readonly subtype: string;
  /** The Content-Type of responses. */
  readonly response: string;
  readonly isProtobuf: boolean;
}

/** The format that every document has. */
export const JSON_FORM: DocumentForm = { subtype: 'json', response: JSON_MEDIA_TYPE, isProtobuf: false };

/** The spellings in requests and in responses: media types cannot contain an at sign. */
function forms(version: string): readonly DocumentForm[] {
  const subtype = `com.github.proto-openapi.spec.${version}.v1.0+protobuf`;
  const protobuf: DocumentForm = { subtype, response: `application/${subtype}`, isProtobuf: true };
  const older = `com.github.proto-openapi.spec.${version}@v1.0+protobuf`;
  return [JSON_FORM, { ...protobuf, subtype: older }, protobuf];
}

const FORMS = { v2: forms('v2'), v3: forms('v3') };

/** Returns the caller's preferred format; undefined if none is acceptable (semantics/discovery#openapi). */
export function chosenForm(accept: string | undefined, version: 'v2' | 'v3'): DocumentForm | undefined {
  for (const { type, subtype } of parseAccept(accept || '*/*')) {
    if (type !== 'application' && type !== '*') continue;
    const found = FORMS[version].find((form) => subtype === '*' || form.subtype === subtype);
    if (found) return found;
  }
  return undefined;
}
