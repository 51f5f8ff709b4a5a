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
const V2_PROTOBUF: DocumentForm = {
  subtype: 'com.github.proto-openapi.spec.v2.v1.0+protobuf',
  answered: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  isProtobuf: true,
};
const V2_FORMS = [
  JSON_FORM,
  { ...V2_PROTOBUF, subtype: 'com.github.proto-openapi.spec.v2@v1.0+protobuf' },
  V2_PROTOBUF,
];

/** The form that the caller likes best; undefined where none will do (semantics L3). */
export function chosenForm(accept: string | undefined, version: 'v2' | 'v3'): DocumentForm | undefined {
  const forms = version === 'v2' ? V2_FORMS : [JSON_FORM];
  for (const { type, subtype } of parseAccept(accept || '*/*')) {
    if (type !== 'application' && type !== '*') continue;
    const found = forms.find((form) => subtype === '*' || form.subtype === subtype);
    if (found) return found;
  }
  return undefined;
}
