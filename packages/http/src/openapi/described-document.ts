import { encodeJsonSteps } from '@ashlar/codec';
import { type Ambient, pause, runInSlices, type Steps } from '@ashlar/core';
import { type DatedDocument, tagDocument } from './document-cache.ts';
import { type DocumentForm, JSON_FORM } from './openapi-forms.ts';
import type { OpenApiDocument } from './openapi-frame.ts';
import { encodeOpenApiV3Steps } from './openapi-v3-protobuf.ts';

/** What creating documents takes: their date, and turns with other work. */
export type DocumentAmbient = Pick<Ambient, 'clock' | 'turns'>;

/** A document of OpenAPI v3, which is created and encoded on first use. */
export class DescribedDocument {
  readonly #make: () => Steps<OpenApiDocument>;
  #document: OpenApiDocument | undefined;
  #tagged: Promise<DatedDocument> | undefined;
  #protobuf: Promise<Uint8Array> | undefined;

  constructor(make: () => Steps<OpenApiDocument>) {
    this.#make = make;
  }

  /** Returns the document; created with pauses. */
  *documentSteps(): Steps<OpenApiDocument> {
    this.#document ??= yield* this.#make();
    return this.#document;
  }

  /** Returns the encoded document; its ETag is that of its JSON, in any format. */
  async encoded(ambient: DocumentAmbient, { isProtobuf }: DocumentForm = JSON_FORM): Promise<DatedDocument> {
    this.#tagged ??= dateDocument(this.#encodeSteps(encodeJsonSteps), ambient);
    const tagged = await this.#tagged;
    if (!isProtobuf) return tagged;
    this.#protobuf ??= Promise.resolve(runInSlices(this.#encodeSteps(encodeOpenApiV3Steps), ambient));
    return { ...tagged, bytes: await this.#protobuf };
  }

  *#encodeSteps(encode: (document: OpenApiDocument) => Steps<Uint8Array>): Steps<Uint8Array> {
    return yield* encode(yield* this.documentSteps());
  }
}

/** Bytes that are copied in a millisecond. */
const LONG_DOCUMENT = 2_097_152;

/** Encodes a document with pauses, tags and dates it. */
export async function dateDocument(
  encoding: Steps<Uint8Array>,
  ambient: DocumentAmbient,
): Promise<DatedDocument> {
  const bytes = await runInSlices(encoding, ambient);
  // what hashes it copies it first
  if (bytes.length > LONG_DOCUMENT) await pause(ambient);
  return { ...(await tagDocument(bytes)), modified: ambient.clock.now() };
}
