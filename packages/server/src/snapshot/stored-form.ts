import type { VersionForms } from '@ashlar/apis/withdrawn';
import { compileProtobuf, decodeEnvelope, decodeJson, type ProtobufCodec } from '@ashlar/codec';
import {
  type ApiObject,
  apiVersionOf,
  isJsonObject,
  type JsonObject,
  parseApiVersion,
  type Schema,
  type Vocabulary,
} from '@ashlar/core';
import {
  objectDecoder,
  type ResourceDefinition,
  type ResourceVersion,
  storageVersion,
  storedKey,
} from '@ashlar/registry';
import { objectCodec } from '../assembly/object-codec.ts';
import { withdrawnForms } from '../emulation/withdrawn-forms.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const UNLIMITED = { maximumValues: Number.POSITIVE_INFINITY } as const;

/** First bytes of values in Protobuf. */
const PROTOBUF = [0x6b, 0x38, 0x73, 0x00] as const;

/** An object as this server stores it. */
export interface StoredForm {
  readonly key: string;
  readonly value: Uint8Array;
}

/** Brings objects that another API server stored, in JSON or Protobuf, to the form in which this one stores them. */
export class StoredForms {
  readonly #definitions: ReadonlyMap<string, ResourceDefinition>;
  /** Versions that are no longer served, in which older servers stored their objects. */
  readonly #withdrawn: VersionForms;
  readonly #codecs: Map<Schema, ProtobufCodec> = new Map();

  /** @param definitions built-in types; objects of all others are custom ones */
  constructor(definitions: readonly ResourceDefinition[], vocabulary: Vocabulary) {
    this.#withdrawn = withdrawnForms(vocabulary);
    this.#definitions = new Map(
      definitions.map((definition) => [`${definition.group}/${definition.names.kind}`, definition]),
    );
  }

  /**
   * @param path the key without the prefix of its writer: `pods/default/a`, `example.com/widgets/default/a`
   * @returns undefined for objects of a kind that this server does not have
   * @throws Error if the value is not an object of its kind
   */
  of(path: string, value: Uint8Array): StoredForm | undefined {
    const isProtobuf = PROTOBUF.every((byte, index) => value[index] === byte);
    return isProtobuf ? this.#fromProtobuf(value) : this.#fromJson(path, value);
  }

  #fromProtobuf(value: Uint8Array): StoredForm | undefined {
    const { apiVersion, kind, raw } = decodeEnvelope(value);
    const type = this.#typeOf(apiVersion, kind);
    if (!type) return undefined;
    let codec = this.#codecs.get(type.schema);
    if (!codec) {
      codec = compileProtobuf(type.schema);
      this.#codecs.set(type.schema, codec);
    }
    return stored(type, { ...codec.decode(raw), apiVersion, kind } as JsonObject);
  }

  #fromJson(path: string, value: Uint8Array): StoredForm | undefined {
    // custom objects stay as they are
    utf8.decode(value);
    const object = decodeJson(value, UNLIMITED).value;
    if (!isJsonObject(object)) throw new TypeError('it is no object');
    const { apiVersion, kind } = object;
    if (typeof apiVersion !== 'string' || typeof kind !== 'string') throw new TypeError('it has no kind');
    const type = this.#typeOf(apiVersion, kind);
    if (type) return stored(type, object);
    const [group = '', plural = '', ...rest] = path.split('/');
    const isCustom = rest.length > 0 && group === parseApiVersion(apiVersion)?.group;
    return isCustom ? { key: `/${plural}.${group}/${rest.join('/')}`, value: withoutEnd(value) } : undefined;
  }

  #typeOf(apiVersion: string, kind: string): StoredType | undefined {
    const { group = '', version: name = '' } = parseApiVersion(apiVersion) ?? {};
    const definition = this.#definitions.get(`${group}/${kind}`);
    const version = definition?.versions.find((candidate) => candidate.name === name);
    return definition && version ? servedType(definition, version) : this.#withdrawnType(apiVersion, kind);
  }

  #withdrawnType(apiVersion: string, kind: string): StoredType | undefined {
    const form = this.#withdrawn.get(`${apiVersion} ${kind}`);
    if (!form) return undefined;
    const toCurrent = (value: JsonObject): ApiObject => form.toCurrent(form.decode(value));
    return { definition: form.current, schema: form.schema, toCurrent };
  }
}

/** The value without the line break that ends it. */
function withoutEnd(value: Uint8Array): Uint8Array {
  let end = value.length;
  while (end > 0 && BLANKS.has(value[end - 1] as number)) end--;
  return value.subarray(0, end);
}

const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** How objects of one version become those of the version that is stored today. */
interface StoredType {
  readonly definition: ResourceDefinition;
  readonly schema: Schema;
  toCurrent(value: JsonObject): ApiObject;
}

function servedType(definition: ResourceDefinition, version: ResourceVersion): StoredType {
  const apiVersion = apiVersionOf({ group: definition.group, version: storageVersion(definition).name });
  return {
    definition,
    schema: version.schema,
    toCurrent(value) {
      const object = objectDecoder(definition, version).settle(value as unknown as ApiObject);
      return { ...(version.toStorage?.(object) ?? object), apiVersion };
    },
  };
}

function stored({ definition, toCurrent }: StoredType, value: JsonObject): StoredForm {
  const object = toCurrent(value);
  const { name = '', namespace = '' } = object.metadata;
  return { key: storedKey(definition, namespace, name), value: objectCodec.encode(object) };
}
