import { deleteOptionsSchema, type JsonObject, type Schema } from '@ashlar/core';
import { type Collection, pathIn } from '../backup/collections.ts';
import type { AskedBody, BodyFormat } from './body-format.ts';
import type { Choices } from './choices.ts';
import { changed } from './random-objects.ts';

/** A request that both servers are sent. */
export interface Question {
  /** What is asked, without its particulars. */
  readonly about: string;
  readonly method: string;
  readonly path: string;
  readonly accept: string;
  readonly contentType?: string;
  readonly body?: Uint8Array;
  /** What the body says, for people. */
  readonly sent?: JsonObject;
}

/** A type with a recorded object of it. */
export interface QuestionedType {
  readonly collection: Collection;
  readonly schema: Schema;
  readonly template: JsonObject;
}

const MOST_CHANGES = 4;

/** Asks about objects with bodies in an encoding; none of the requests leaves anything behind but the objects that later ones are about. */
export class ObjectQuestions {
  readonly #choices: Choices;
  readonly #namespace: string;
  readonly #format: BodyFormat;

  constructor(choices: Choices, namespace: string, format: BodyFormat) {
    this.#choices = choices;
    this.#namespace = namespace;
    this.#format = format;
  }

  /** A creation as a dry run. Undefined if the changed object has no form in the encoding. */
  creation({ collection, schema, template }: QuestionedType, name: string): Question | undefined {
    const object = this.#named(
      changed(this.#choices, template, schema, this.#choices.below(MOST_CHANGES + 1)),
      name,
    );
    const body = this.#body(collection, schema, object);
    if (!body) return undefined;
    const path = `${pathIn(collection, this.#namespace)}?dryRun=All${this.#validation()}`;
    return {
      about: `create ${collection.kind}${body.about}`,
      method: 'POST',
      path,
      ...this.#headers(),
      ...{ body: body.bytes, sent: object },
    };
  }

  /** The creation of the object that later questions are about. */
  preparation({ collection, schema, template }: QuestionedType, name: string): Question | undefined {
    const { mediaType } = this.#format;
    const bytes = this.#format.encode({ ...collection, schema }, this.#named(template, name));
    if (!bytes) return undefined;
    const path = pathIn(collection, this.#namespace);
    return {
      about: `prepare ${collection.kind}`,
      method: 'POST',
      path,
      accept: mediaType,
      contentType: mediaType,
      body: bytes,
    };
  }

  /** Writes to an object that exists, as dry runs, and reads of it. */
  *about(type: QuestionedType, name: string): Iterable<Question> {
    const path = pathIn(type.collection, this.#namespace, name);
    for (let i = 0; i < 2; i++) yield* this.#writes(type, name, path, i);
    yield* this.#reads(type, name, path);
    yield this.#deletion(type, path);
  }

  *#writes(
    { collection, schema, template }: QuestionedType,
    name: string,
    path: string,
    step: number,
  ): Iterable<Question> {
    const { kind } = collection;
    const object = changed(
      this.#choices,
      this.#named(template, name),
      schema,
      1 + this.#choices.below(MOST_CHANGES),
    );
    const body = this.#body(collection, schema, object);
    if (body)
      yield {
        about: `update ${kind}${body.about}`,
        method: 'PUT',
        path: `${path}?dryRun=All${this.#validation()}`,
        ...this.#headers(),
        ...{ body: body.bytes, sent: object },
      };
    const { applyType } = this.#format;
    if (body && applyType)
      yield {
        about: `apply ${kind}${body.about}`,
        method: 'PATCH',
        path: `${path}?dryRun=All&fieldManager=codecs${this.#choices.pick(['', '&force=true'])}${this.#validation()}`,
        ...this.#headers(),
        ...{ contentType: applyType, body: body.bytes, sent: object },
      };
    const patch = { ...object, metadata: { labels: { step: String(step) } } };
    yield {
      ...{ about: `patch ${kind}`, method: 'PATCH', path: `${path}?dryRun=All` },
      ...{ accept: this.#choices.pick(this.#format.accepts), contentType: 'application/merge-patch+json' },
      body: Buffer.from(JSON.stringify(patch)),
    };
  }

  *#reads({ collection }: QuestionedType, name: string, path: string): Iterable<Question> {
    const { kind } = collection;
    const { mediaType, accepts, hasCustomObjects } = this.#format;
    for (const accept of [mediaType, this.#choices.pick(accepts)])
      yield { about: `get ${kind}`, method: 'GET', path, accept };
    const list = `${pathIn(collection, this.#namespace)}?fieldSelector=metadata.name%3D${name}`;
    yield { about: `list ${kind}`, method: 'GET', path: list, accept: mediaType };
    yield {
      about: `list metadata of ${kind}`,
      method: 'GET',
      path: list,
      accept: `${mediaType};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`,
    };
    // the frames of Protobuf are compared by recorded exchanges
    if (hasCustomObjects)
      yield {
        about: `watch ${kind}`,
        method: 'GET',
        path: `${list}&watch=true&resourceVersion=0&timeoutSeconds=1`,
        accept: this.#choices.pick([mediaType, `${mediaType};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`]),
      };
  }

  #deletion({ collection }: QuestionedType, path: string): Question {
    const { mediaType } = this.#format;
    const options = {
      dryRun: ['All'],
      propagationPolicy: 'Background',
      gracePeriodSeconds: this.#choices.below(3),
    };
    const apiVersion = this.#choices.pick(['v1', 'meta.k8s.io/v1', collection.apiVersion]);
    const kind = { apiVersion, kind: 'DeleteOptions', schema: deleteOptionsSchema };
    const isOwn = apiVersion === collection.apiVersion;
    return {
      about: `delete ${collection.kind} with options of ${isOwn ? 'its group' : apiVersion}`,
      method: 'DELETE',
      ...{ path, accept: mediaType, contentType: mediaType },
      body: this.#format.encode(kind, options) as Uint8Array,
    };
  }

  #body({ apiVersion, kind }: Collection, schema: Schema, object: JsonObject): AskedBody | undefined {
    const asked = { apiVersion, kind, schema };
    if (this.#choices.chance(20))
      return this.#format.unusual(this.#choices, asked, { apiVersion, kind, ...object });
    const bytes = this.#format.encode(asked, object);
    return bytes && { bytes, about: '' };
  }

  #headers(): { accept: string; contentType: string } {
    return { accept: this.#choices.pick(this.#format.accepts), contentType: this.#format.mediaType };
  }

  #validation(): string {
    return this.#choices.pick(['', '', '&fieldValidation=Strict', '&fieldValidation=Ignore']);
  }

  #named(object: JsonObject, name: string): JsonObject {
    const {
      uid: _,
      resourceVersion: __,
      namespace: ___,
      generateName: ____,
      ...metadata
    } = (object.metadata ?? {}) as JsonObject;
    return { ...object, metadata: { ...metadata, name } };
  }
}
