import { decodeJson, decodeYaml } from '@ashlar/codec';
import { isJsonObject, type JsonObject, type JsonValue, objectMetaSchema, type Schema } from '@ashlar/core';
import { decodeFieldSet, encodeFieldSet, parsePathElement } from '@ashlar/field-manager';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  decodeJsonPatch,
  decodeMergePatch,
  decodeStrategicMergePatch,
  strictJsonPatchFindings,
} from '@ashlar/patch';
import { type Target, textTarget } from '../target.ts';

const REFUSALS = ['PatchError', 'DecodeError', 'ParseError'];
const kind: Schema = {
  type: 'object',
  properties: {
    metadata: objectMetaSchema,
    data: { type: 'object', additionalProperties: { type: 'string' } },
  },
};
const DOCUMENT: JsonObject = {
  metadata: {
    name: 'a',
    labels: { a: 'b' },
    finalizers: ['x/1', 'x/2'],
    ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'n', uid: 'u' }],
  },
  data: { a: '1', list: [1, 2, [3]], '': 0 },
};
const read = (text: string): JsonValue => decodeJson(Buffer.from(text)).value;
const JSON_WORDS = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  'null',
  'true',
  '0',
  '-1',
  '"metadata":',
  '"data":',
  '"a"',
];

/** Changes of a document, and ownership of its fields. */
export const patchTargets: readonly Target[] = [
  textTarget({
    name: 'json-patch',
    seeds: [
      '[{"op":"add","path":"/data/b","value":"c"},{"op":"test","path":"/data/a","value":"1"},{"op":"remove","path":"/data/a"}]',
      '[{"op":"move","from":"/data/a","path":"/data/list/0"},{"op":"copy","from":"/metadata","path":"/data/-"},{"op":"replace","path":"","value":1}]',
      '[{"op":"add","path":"/data/list/-1","value":{}},{"op":"add","path":"/metadata/labels/x~1y","value":null}]',
    ],
    words: [
      ...JSON_WORDS,
      '{"op":"copy","from":"/data","path":"/data/b"},',
      '{"op":"move","from":"/data/list/0","path":"/data/list/1"},',
      '"path":',
      '"from":',
      '"op":',
      '/',
      '~1',
      '/-',
      '/data/list',
      '-1',
    ],
    refusals: REFUSALS,
    read(text) {
      const value = read(text);
      strictJsonPatchFindings(value);
      return applyJsonPatch(DOCUMENT, decodeJsonPatch(value), { maximumCopyBytes: 100_000 });
    },
  }),
  textTarget({
    name: 'merge-patch',
    seeds: ['{"data":{"a":null,"b":{"c":1}}}', '{"metadata":null}', '[]'],
    words: JSON_WORDS,
    refusals: REFUSALS,
    read: (text) => applyMergePatch(DOCUMENT, decodeMergePatch(read(text))),
  }),
  textTarget({
    name: 'strategic-patch',
    seeds: [
      '{"metadata":{"finalizers":["x/3"],"$setElementOrder/finalizers":["x/3","x/1"],"ownerReferences":[{"uid":"u","$patch":"delete"},{"uid":"v","name":"w"}]}}',
      '{"data":{"$patch":"replace","a":"b"},"metadata":{"$deleteFromPrimitiveList/finalizers":["x/1"],"$retainKeys":["name"]}}',
      '{"metadata":{"$setElementOrder/ownerReferences":[{"uid":"u"}],"ownerReferences":[{"$patch":"replace"}]}}',
    ],
    words: [
      ...JSON_WORDS,
      '"$patch":"delete"',
      '"$patch":"replace"',
      '"$patch":"merge"',
      '"$retainKeys":',
      '"$setElementOrder/finalizers":',
      '"$deleteFromPrimitiveList/finalizers":',
      '"ownerReferences":',
      '"uid":',
      '"finalizers":',
    ],
    refusals: REFUSALS,
    read: (text) => applyStrategicMergePatch(DOCUMENT, decodeStrategicMergePatch(read(text)), kind),
  }),
  textTarget({
    name: 'field-set',
    seeds: [
      '{"f:metadata":{"f:labels":{".":{},"f:a":{}},"f:ownerReferences":{"k:{\\"uid\\":\\"u\\"}":{".":{},"f:name":{}}}},"f:finalizers":{"v:\\"x/1\\"":{}}}',
      '{"f:a":{"i:0":{},"v:1":{},"k:{\\"a\\":1,\\"b\\":true}":{}}}',
    ],
    words: [...JSON_WORDS, '"f:', '"k:{', '"v:', '"i:', '".":{}', '\\"', 'f:', '{}'],
    refusals: ['FieldSetError', 'PathElementError', ...REFUSALS],
    read: (text) => encodeFieldSet(decodeFieldSet(read(text))),
  }),
  textTarget({
    name: 'path-element',
    seeds: ['f:a', 'v:"x"', 'k:{"a":1,"b":"c"}', 'i:0', 'v:1.5'],
    words: ['f:', 'v:', 'k:', 'i:', '{', '}', '"', ':', ',', '-1', '\\u0000'],
    refusals: ['FieldSetError', 'PathElementError', ...REFUSALS],
    read: parsePathElement,
  }),
  textTarget({
    name: 'apply',
    seeds: ['apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  finalizers: [x/1]\ndata:\n  a: b\n'],
    words: ['\n  ', ': ', '- ', 'metadata:', 'data:', 'finalizers: ', '{', '}', '[', ']', '~'],
    refusals: REFUSALS,
    read(text) {
      const { value } = decodeYaml(Buffer.from(text));
      return isJsonObject(value) ? applyMergePatch(DOCUMENT, value) : undefined;
    },
  }),
];
