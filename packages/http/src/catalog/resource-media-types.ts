import {
  CBOR_MEDIA_TYPE,
  mediaTypeNames,
  negotiateContentType,
  type OptionalEncodings,
  objectMediaTypes,
  objectTransforms,
  type ServedMediaType,
  type TransformRule,
  YAML_MEDIA_TYPE,
} from '@ashlar/codec';
import { StatusError, type Vocabulary } from '@ashlar/core';
import type { ResourceDialect } from '@ashlar/registry';
import type { EncodingBudget } from '../encoding/encoding-budget.ts';
import type { BodyFormat } from '../request/request-body.ts';

/** What is the same for all resources of a server: its names on the wire, and what it can write. */
export interface ServerLanguage {
  readonly vocabulary: Vocabulary;
  readonly encodings?: OptionalEncodings;
  /** What its resources may keep of what they have encoded, all together. */
  readonly budget?: EncodingBudget;
}

/** The media types of one resource type, in and out (semantics/encodings#media-types). */
export class ResourceMediaTypes {
  /** What it is answered in. */
  readonly types: readonly ServedMediaType[];
  /** Which views it has in which of them. */
  readonly transforms: TransformRule;
  readonly #read: readonly ServedMediaType[];
  readonly #protobuf: string;

  constructor({ vocabulary, encodings }: ServerLanguage, dialect: ResourceDialect) {
    this.types = objectMediaTypes(vocabulary, encodings);
    this.transforms = objectTransforms(
      vocabulary,
      dialect === 'custom' ? { protobuf: 'transforms-only' } : {},
    );
    this.#protobuf = vocabulary.protobufMediaType;
    this.#read =
      dialect === 'custom' ? this.types.filter(({ mediaType }) => mediaType !== this.#protobuf) : this.types;
  }

  /** Names of the types that bodies may have. */
  get names(): readonly string[] {
    return mediaTypeNames(this.types);
  }

  /** The format of a body by its Content-Type; JSON without one (semantics/encodings#content-type). @throws StatusError 415 */
  bodyFormat(contentType: string | undefined): BodyFormat {
    const mediaType = negotiateContentType(contentType, this.types);
    if (!this.#read.some((type) => type.mediaType === mediaType))
      throw StatusError.unsupportedMediaType(mediaTypeNames(this.#read));
    if (mediaType === this.#protobuf) return 'protobuf';
    if (mediaType === CBOR_MEDIA_TYPE) return 'cbor';
    return mediaType === YAML_MEDIA_TYPE ? 'yaml' : 'json';
  }
}
