import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  compileCbor,
  compileProtobuf,
  createProtobufSerializer,
  decodeJson,
  decodeProtobufEvent,
  frameProtobufEvent,
  listSchema,
  metaKindSchema,
  type SchemaLookup,
  type Serializer,
  selfDescribed,
} from '@ashlar/codec';
import {
  type JsonObject,
  type JsonValue,
  kubernetesVocabulary,
  parseApiVersion,
  type Schema,
} from '@ashlar/core';
import type { CaseResult, Suite } from '../suite.ts';
import { DescriptorSchemas } from './codec/descriptor-schemas.ts';
import { answerOf, compare, fromHex, type OracleCase, readOracle, toHex } from './codec/oracle.ts';

/**
 * Protobuf, and the CBOR of the same objects, compared with the reference's serializer (oracles/wire*.jsonl),
 * by schemas of objects/descriptor.json.
 */
export const suite: Suite = {
  name: 'oracles/wire',
  async *run(dataDirectory) {
    const descriptorFile = join(dataDirectory, 'objects', 'descriptor.json');
    if (!existsSync(descriptorFile)) return;
    const schemaOf = schemaLookup(new DescriptorSchemas(descriptorFile));
    const codecs: Codecs = { schemaOf, serializer: createProtobufSerializer(kubernetesVocabulary, schemaOf) };
    for (const entry of readOracle(dataDirectory, 'wire')) {
      const runCase = CHECKS[entry.suite];
      if (runCase) yield runCase(entry, codecs);
    }
  },
};

interface Codecs {
  readonly schemaOf: SchemaLookup;
  readonly serializer: Serializer;
}

function schemaLookup(schemas: DescriptorSchemas): SchemaLookup {
  return (apiVersion, kind) => {
    const { group = '', version = '' } = parseApiVersion(apiVersion) ?? {};
    const folder = group === '' ? 'core' : (group.split('.')[0] ?? '');
    const name = `k8s.io.api.${folder}.${version}.${kind}`;
    const item = kind.endsWith('List') ? schemas.schemaOf(name.slice(0, -4)) : undefined;
    const own = item ? listSchema(item) : schemas.schemaOf(name);
    return own ?? metaKindSchema(kubernetesVocabulary, apiVersion, kind);
  };
}

const CHECKS: Readonly<Record<string, (entry: OracleCase, codecs: Codecs) => CaseResult>> = {
  object: checkObject,
  'object-random': checkObject,
  'protobuf-decode': checkDecode,
  'watch-frame': checkFrame,
  'protobuf-field': checkField,
};

function parse(text: unknown): JsonValue {
  return decodeJson(new TextEncoder().encode(text as string)).value;
}

function checkObject(entry: OracleCase, { serializer, schemaOf }: Codecs): CaseResult {
  const { json, protobuf, cbor, input } = entry;
  const actual = answerOf(() => {
    const object = parse(json) as JsonObject;
    const { apiVersion, kind } = object as { apiVersion: string; kind: string };
    const codec = compileCbor(schemaOf(apiVersion, kind) ?? {});
    return {
      protobuf: toHex(serializer.encode(object)),
      fromInput: toHex(serializer.encode(input as JsonObject)),
      json: serializer.decode(fromHex(protobuf as string)).value,
      cbor: toHex(selfDescribed(codec.encode(object, { sortKeys: true }))),
      fromCbor: codec.decode(fromHex(cbor as string)),
    };
  });
  const value = parse(json);
  return compare(entry, { protobuf, fromInput: protobuf, json: value, cbor, fromCbor: value }, actual);
}

function checkDecode(entry: OracleCase, { serializer }: Codecs): CaseResult {
  const actual = answerOf(() => serializer.decode(fromHex(entry.hex as string)).value);
  return compare(entry, entry.error === undefined ? parse(entry.json) : { error: entry.error }, actual);
}

function checkFrame(entry: OracleCase, { serializer }: Codecs): CaseResult {
  const actual = answerOf(() => {
    const object = serializer.encode(parse(entry.json) as JsonObject);
    const event = decodeProtobufEvent(fromHex(entry.frame as string).subarray(4));
    return {
      frame: toHex(frameProtobufEvent(entry.type as 'ADDED', object)),
      type: event.type,
      object: serializer.decode(event.object).value,
    };
  });
  return compare(entry, { frame: entry.frame, type: entry.type, object: parse(entry.json) }, actual);
}

const FIELD_SCHEMAS: Readonly<Record<string, Schema>> = {
  intstr: { intOrString: true },
  rawext: { type: 'object', format: 'raw-extension' },
  fieldsv1: { type: 'object', format: 'fields-v1' },
  time: { type: 'string', format: 'date-time' },
  microtime: { type: 'string', format: 'date-time-micro' },
  quantity: { type: 'string', format: 'quantity' },
};

/** The value of a field alone, as the only field of a message, without its key. */
function checkField(entry: OracleCase): CaseResult {
  const schema = FIELD_SCHEMAS[(entry.kind as string).split('-')[0] ?? ''];
  if (!schema)
    return {
      id: entry.id,
      suite: entry.suite,
      outcome: 'failed',
      input: entry,
      expected: 'a kind of field',
      actual: entry.kind,
    };
  const codec = compileProtobuf({ type: 'object', properties: { value: { ...schema, tag: 1 } } });
  const actual = answerOf(() => {
    const bytes = codec.encode({ value: entry.json as JsonValue });
    return { hex: toHex(bytes.subarray(2)), json: codec.decode(bytes).value };
  });
  return compare(entry, { hex: entry.hex, json: entry.json }, actual);
}
