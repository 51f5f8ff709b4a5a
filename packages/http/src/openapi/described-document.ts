import { encodeJson } from '@ashlar/codec';
import { type DatedDocument, tagDocument } from './document-cache.ts';
import { type DocumentForm, JSON_FORM } from './openapi-forms.ts';
import type { OpenApiDocument } from './openapi-frame.ts';
import { encodeOpenApiV3 } from './openapi-v3-protobuf.ts';

/** A document of OpenAPI v3, which is created and encoded on first use. */
export class DescribedDocument {
  readonly #make: () => OpenApiDocument;
  #document: OpenApiDocument | undefined;
  #tagged: Promise<DatedDocument> | undefined;
  #protobuf: Uint8Array | undefined;

  constructor(make: () => OpenApiDocument) {
    this.#make = make;
  }

  get document(): OpenApiDocument {
    this.#document ??= this.#make();
    return this.#document;
  }

  /** Returns the encoded document; its ETag is that of its JSON, in any format. @param now when it is first asked for */
  async encoded(now: number, { isProtobuf }: DocumentForm = JSON_FORM): Promise<DatedDocument> {
    this.#tagged ??= dateDocument(encodeJson(this.document), now);
    const tagged = await this.#tagged;
    if (!isProtobuf) return tagged;
    this.#protobuf ??= encodeOpenApiV3(this.document);
    return { ...tagged, bytes: this.#protobuf };
  }
}

/** Tags and dates an encoded document. */
export async function dateDocument(bytes: Uint8Array, now: number): Promise<DatedDocument> {
  return { ...(await tagDocument(bytes)), modified: now };
}
