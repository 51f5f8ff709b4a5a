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

/** The encoding of a request body. */
export type BodyFormat = 'json' | 'yaml' | 'protobuf' | 'cbor';

/** Settings that all resources of a server share: names on the wire, encodings, and the budget for cached encodings. */
export interface ServerEncodings {
  readonly vocabulary: Vocabulary;
  readonly encodings?: OptionalEncodings;
  /** Limits what all resources of the server cache. */
  readonly budget?: EncodingBudget;
}

/** The media types of one resource type, for requests and responses (semantics/encodings#media-types). */
export class ResourceMediaTypes {
  /** Media types of responses. */
  readonly types: readonly ServedMediaType[];
  /** Which views are served in which media types. */
  readonly transforms: TransformRule;
  readonly #read: readonly ServedMediaType[];
  readonly #protobuf: string;

  /** @param routes those of the type that a subresource of another kind belongs to: of custom types nothing is sent in Protobuf, only views of it */
  constructor(
    { vocabulary, encodings }: ServerEncodings,
    dialect: ResourceDialect,
    routes: ResourceDialect = dialect,
  ) {
    this.types = objectMediaTypes(vocabulary, encodings);
    this.transforms = objectTransforms(
      vocabulary,
      routes === 'custom' ? { protobuf: 'transforms-only' } : {},
    );
    this.#protobuf = vocabulary.protobufMediaType;
    this.#read =
      dialect === 'custom' ? this.types.filter(({ mediaType }) => mediaType !== this.#protobuf) : this.types;
  }

  /** Names of the media types of responses. */
  get names(): readonly string[] {
    return mediaTypeNames(this.types);
  }

  /** Returns the format of a body by its Content-Type; JSON by default (semantics/encodings#content-type). @throws StatusError 415 */
  bodyFormat(contentType: string | undefined): BodyFormat {
    const mediaType = negotiateContentType(contentType, this.types);
    if (!this.#read.some((type) => type.mediaType === mediaType))
      throw StatusError.unsupportedMediaType(mediaTypeNames(this.#read));
    if (mediaType === this.#protobuf) return 'protobuf';
    if (mediaType === CBOR_MEDIA_TYPE) return 'cbor';
    return mediaType === YAML_MEDIA_TYPE ? 'yaml' : 'json';
  }
}
