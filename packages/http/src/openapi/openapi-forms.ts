import { JSON_MEDIA_TYPE, parseAccept } from '@ashlar/codec';

/** A form in which documents are sent. */
export interface DocumentForm {
  readonly subtype: string;
  /** The media type that answers have. */
  readonly answered: string;
  readonly isProtobuf: boolean;
}

/** The form that every document has. */
export const JSON_FORM: DocumentForm = { subtype: 'json', answered: JSON_MEDIA_TYPE, isProtobuf: false };

/** How clients ask and how answers spell it: the sign at is none that media types may have. */
function forms(version: string): readonly DocumentForm[] {
  const subtype = `com.github.proto-openapi.spec.${version}.v1.0+protobuf`;
  const protobuf: DocumentForm = { subtype, answered: `application/${subtype}`, isProtobuf: true };
  const older = `com.github.proto-openapi.spec.${version}@v1.0+protobuf`;
  return [JSON_FORM, { ...protobuf, subtype: older }, protobuf];
}

const FORMS = { v2: forms('v2'), v3: forms('v3') };

/** The form that the caller likes best; undefined if none will do (semantics/discovery#openapi). */
export function chosenForm(accept: string | undefined, version: 'v2' | 'v3'): DocumentForm | undefined {
  for (const { type, subtype } of parseAccept(accept || '*/*')) {
    if (type !== 'application' && type !== '*') continue;
    const found = FORMS[version].find((form) => subtype === '*' || form.subtype === subtype);
    if (found) return found;
  }
  return undefined;
}
