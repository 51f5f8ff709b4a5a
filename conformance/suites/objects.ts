import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  compileCbor,
  compileProtobuf,
  decodeEnvelope,
  decodeJson,
  decodeYaml,
  encodeEnvelope,
  encodeYaml,
  selfDescribed,
} from '@ashlar/codec';
import type { JsonObject, Schema } from '@ashlar/core';
import type { CaseResult, Suite } from '../suite.ts';
import { DescriptorSchemas } from './codec/descriptor-schemas.ts';
import { answerOf, compare, toHex } from './codec/oracle.ts';

/** Golden objects (objects/README.md): JSON to Protobuf, YAML and CBOR and back, by schemas made of the published descriptor. */
export const suite: Suite = {
  name: 'objects',
  async *run(dataDirectory) {
    const folder = join(dataDirectory, 'objects');
    const descriptorFile = join(folder, 'descriptor.json');
    if (!existsSync(descriptorFile)) return;
    const schemas = new DescriptorSchemas(descriptorFile);
    for (const file of readdirSync(folder).sort()) {
      if (file.endsWith('.json') && file !== 'descriptor.json')
        yield* runCase(folder, file.slice(0, -5), schemas);
    }
  },
};

function* runCase(folder: string, name: string, schemas: DescriptorSchemas): Iterable<CaseResult> {
  const object = decodeJson(readFileSync(join(folder, `${name}.json`))).value as JsonObject;
  yield* checkProtobuf(folder, name, object, schemas);
  yield* checkYaml(folder, name, object);
  yield* checkCbor(folder, name, object, schemas);
}

function* checkProtobuf(
  folder: string,
  name: string,
  object: JsonObject,
  schemas: DescriptorSchemas,
): Iterable<CaseResult> {
  const file = join(folder, `${name}.pb`);
  if (!existsSync(file)) return;
  const golden = new Uint8Array(readFileSync(file));
  const envelope = decodeEnvelope(golden);
  const schema = schemaOf(name, schemas);
  if (!schema) {
    yield {
      id: `${name}.pb`,
      suite: 'protobuf',
      outcome: 'skipped',
      reason: 'the descriptor has no such message',
    };
    return;
  }
  const codec = compileProtobuf(schema);
  const { apiVersion, kind } = object as { apiVersion: string; kind: string };
  const entry = (way: string) => ({ id: `${name} ${way}`, suite: 'protobuf' });
  const encoded = answerOf(() => toHex(encodeEnvelope({ apiVersion, kind, raw: codec.encode(object) })));
  yield compare(entry('json to protobuf'), toHex(golden), encoded);
  const decoded = answerOf(() => ({
    kind: envelope.kind,
    apiVersion: envelope.apiVersion,
    ...codec.decode(envelope.raw),
  }));
  yield compare(entry('protobuf to json'), object, decoded);
}

const META = 'k8s.io.apimachinery.pkg.apis.meta.v1';

/** Where the message of `<group>.<version>.<Kind>` may be found. */
const GO_PACKAGES: readonly ((name: string) => string)[] = [
  (name) => `k8s.io.api.${goName(name)}`,
  (name) => `${META}.${name.split('.').at(-1)}`,
];

function schemaOf(name: string, schemas: DescriptorSchemas): Schema | undefined {
  return GO_PACKAGES.map((of) => schemas.schemaOf(of(name))).find((found) => found !== undefined);
}

function goName(name: string): string {
  const [kind = '', version = '', ...group] = name.split('.').reverse();
  const first = group.at(-1) ?? '';
  const folder = first === 'internal' ? 'apiserverinternal' : first === 'rbac' ? 'rbac' : first;
  return `${folder}.${version}.${kind}`;
}

function* checkYaml(folder: string, name: string, object: JsonObject): Iterable<CaseResult> {
  const file = join(folder, `${name}.yaml`);
  if (!existsSync(file)) return;
  const golden = readFileSync(file);
  const entry = (way: string) => ({ id: `${name} ${way}`, suite: 'yaml' });
  yield compare(
    entry('yaml to json'),
    object,
    answerOf(() => decodeYaml(golden).value),
  );
  yield compare(
    entry('json to yaml'),
    golden.toString(),
    answerOf(() => new TextDecoder().decode(encodeYaml(object))),
  );
}

function* checkCbor(
  folder: string,
  name: string,
  object: JsonObject,
  schemas: DescriptorSchemas,
): Iterable<CaseResult> {
  const file = join(folder, `${name}.cbor`);
  if (!existsSync(file)) return;
  const golden = new Uint8Array(readFileSync(file));
  // the few kinds that the descriptor lacks contain neither bytes nor fractions
  const codec = compileCbor(schemaOf(name, schemas) ?? {});
  const entry = (way: string) => ({ id: `${name} ${way}`, suite: 'cbor' });
  const encoded = answerOf(() => toHex(selfDescribed(codec.encode(object, { sortKeys: true }))));
  yield compare(entry('json to cbor'), toHex(golden), encoded);
  yield compare(
    entry('cbor to json'),
    object,
    answerOf(() => codec.decode(golden)),
  );
}
