import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  compileProtobuf,
  decodeEnvelope,
  decodeJson,
  decodeYaml,
  encodeEnvelope,
  encodeYaml,
} from '@ashlar/codec';
import type { JsonObject, Schema } from '@ashlar/core';
import { compileTyped } from '@ashlar/schema';
import { declaredSchemas } from '../declared-schemas.ts';
import type { CaseResult, Suite } from '../suite.ts';
import { answerOf, compare, toHex } from './codec/oracle.ts';

/**
 * Golden objects of every declared kind, by the kind's own schema: JSON = YAML = Protobuf, bytes equal,
 * nothing lost in decoding.
 */
export const suite: Suite = {
  name: 'objects',
  async *run(dataDirectory) {
    const folder = join(dataDirectory, 'objects');
    if (!existsSync(folder)) return;
    const schemas = declaredSchemas();
    for (const file of readdirSync(folder).sort()) {
      if (!file.endsWith('.pb')) continue;
      const name = file.slice(0, -3);
      const golden = new Uint8Array(readFileSync(join(folder, file)));
      const { apiVersion, kind, raw } = decodeEnvelope(golden);
      const schema = schemas.get(`${apiVersion} ${kind}`);
      if (schema) yield* runCase(folder, name, schema, { apiVersion, kind, raw, golden });
    }
  },
};

interface Golden {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
  readonly golden: Uint8Array;
}

function* runCase(folder: string, name: string, schema: Schema, golden: Golden): Iterable<CaseResult> {
  const entry = (way: string) => ({ id: `${name} ${way}`, suite: 'declared kinds' });
  const { apiVersion, kind } = golden;
  const codec = compileProtobuf(schema);
  const typed = compileTyped(schema);
  const bytes = readFileSync(join(folder, `${name}.json`));
  const object = decodeJson(bytes).value as JsonObject;
  const found: string[] = [];
  const report = ({ kind: what, path }: { kind: string; path: string }): void =>
    void found.push(`${what} ${path}`);
  const decoded = answerOf(() => typed.decodeText(bytes.toString(), report));
  yield compare(entry('json through the schema'), { object, found: [] }, { object: decoded, found });
  const yaml = answerOf(() =>
    typed.decode(decodeYaml(readFileSync(join(folder, `${name}.yaml`))).value, report),
  );
  yield compare(entry('yaml through the schema'), object, yaml);
  const encoded = answerOf(() => toHex(encodeEnvelope({ apiVersion, kind, raw: codec.encode(object) })));
  yield compare(entry('json to protobuf by the schema'), toHex(golden.golden), encoded);
  const read = answerOf(() => ({ kind, apiVersion, ...codec.decode(golden.raw) }));
  yield compare(entry('protobuf to json by the schema'), object, read);
  const printed = answerOf(() => new TextDecoder().decode(encodeYaml(read as JsonObject)));
  yield compare(
    entry('protobuf to yaml by the schema'),
    readFileSync(join(folder, `${name}.yaml`), 'utf8'),
    printed,
  );
}
