import { compileProtobuf, encodeEnvelope } from '@ashlar/codec';
import { deleteOptionsSchema, type JsonObject, type Schema } from '@ashlar/core';
import { type Collection, pathIn } from '../backup/collections.ts';
import { brokenBody } from './broken-bodies.ts';
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

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const ACCEPTS = [
  PROTOBUF,
  PROTOBUF,
  PROTOBUF,
  'application/json',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  `${PROTOBUF};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`,
];
const MOST_CHANGES = 4;

/** Asks about objects of types whose bodies are Protobuf; none of the requests leaves anything behind. */
export class ObjectQuestions {
  readonly #choices: Choices;
  readonly #namespace: string;

  constructor(choices: Choices, namespace: string) {
    this.#choices = choices;
    this.#namespace = namespace;
  }

  /** A creation as a dry run. Undefined if the changed object has no Protobuf form. */
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
    const bytes = encoded(collection, schema, this.#named(template, name));
    if (!bytes) return undefined;
    const path = pathIn(collection, this.#namespace);
    return {
      about: `prepare ${collection.kind}`,
      method: 'POST',
      path,
      accept: PROTOBUF,
      contentType: PROTOBUF,
      body: bytes,
    };
  }

  /** Writes to an object that exists, as dry runs, and reads of it. */
  *about(type: QuestionedType, name: string): Iterable<Question> {
    const { collection, schema, template } = type;
    const { kind } = collection;
    const path = pathIn(collection, this.#namespace, name);
    for (let i = 0; i < 2; i++) {
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
      const patch = { ...object, metadata: { labels: { step: String(i) } } };
      yield {
        ...{ about: `patch ${kind}`, method: 'PATCH', path: `${path}?dryRun=All` },
        ...{ accept: this.#choices.pick(ACCEPTS), contentType: 'application/merge-patch+json' },
        body: Buffer.from(JSON.stringify(patch)),
      };
    }
    for (const accept of [PROTOBUF, this.#choices.pick(ACCEPTS)])
      yield { about: `get ${kind}`, method: 'GET', path, accept };
    const list = `${pathIn(collection, this.#namespace)}?fieldSelector=metadata.name%3D${name}`;
    yield { about: `list ${kind}`, method: 'GET', path: list, accept: PROTOBUF };
    yield {
      about: `list metadata of ${kind}`,
      method: 'GET',
      path: list,
      accept: `${PROTOBUF};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`,
    };
    const options = {
      dryRun: ['All'],
      propagationPolicy: 'Background',
      gracePeriodSeconds: this.#choices.below(3),
    };
    const raw = compileProtobuf(deleteOptionsSchema).encode(options);
    const apiVersion = this.#choices.pick(['v1', 'meta.k8s.io/v1', collection.apiVersion]);
    yield {
      ...{
        about: `delete ${kind} with options of ${apiVersion === collection.apiVersion ? 'its group' : apiVersion}`,
        method: 'DELETE',
      },
      ...{ path, accept: PROTOBUF, contentType: PROTOBUF },
      body: encodeEnvelope({ apiVersion, kind: 'DeleteOptions', raw }),
    };
  }

  #body(
    { apiVersion, kind }: Collection,
    schema: Schema,
    object: JsonObject,
  ): { bytes: Uint8Array; about: string } | undefined {
    const whole = encoded({ apiVersion, kind }, schema, object);
    if (!whole) return undefined;
    return this.#choices.chance(20) ? brokenBody(this.#choices, whole) : { bytes: whole, about: '' };
  }

  #headers(): { accept: string; contentType: string } {
    return { accept: this.#choices.pick(ACCEPTS), contentType: PROTOBUF };
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

function encoded(
  { apiVersion, kind }: Pick<Collection, 'apiVersion' | 'kind'>,
  schema: Schema,
  object: JsonObject,
): Uint8Array | undefined {
  try {
    return encodeEnvelope({ apiVersion, kind, raw: compileProtobuf(schema).encode(object) });
  } catch (error) {
    // recorded objects also have members of other types
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}
