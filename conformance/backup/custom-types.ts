import { isJsonObject, type JsonObject } from '@ashlar/core';
import type { Caller } from './caller.ts';
import { type Collection, collectionsOf } from './collections.ts';

const GROUPS = ['example.com', 'shop.example.org'] as const;
const FIELDS: JsonObject = {
  size: { type: 'integer', default: 3, minimum: 0 },
  ratio: { type: 'number' },
  port: { 'x-kubernetes-int-or-string': true },
  tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  limits: { type: 'object', additionalProperties: { type: 'string' } },
  since: { type: 'string', format: 'date-time' },
  raw: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};
const COLUMNS: readonly JsonObject[] = [
  { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
  { name: 'Ratio', type: 'number', jsonPath: '.spec.ratio', priority: 1 },
  { name: 'Tags', type: 'string', jsonPath: '.spec.tags' },
  { name: 'Limits', type: 'string', jsonPath: '.spec.limits' },
  { name: 'Port', type: 'string', jsonPath: '.spec.port' },
  { name: 'Since', type: 'date', jsonPath: '.spec.since' },
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/** Keys are in no order, and numbers and texts are such that their notation may change on the way. */
const CONTENTS: readonly JsonObject[] = [
  {
    spec: {
      tags: ['b', 'a'],
      size: 7,
      ratio: 1.5,
      port: 'http',
      since: '2025-02-03T04:05:06Z',
      limits: { z: '1', a: '2' },
    },
    status: { phase: 'Up', conditions: [{ type: 'Ready', status: 'True' }] },
  },
  {
    spec: {
      ratio: 3,
      port: 8080,
      raw: { z: [1, 2.0, null, { y: 1, x: '<&>' }], 'a b': 1e21, é: 1e-7, '': false },
    },
  },
  { spec: {}, status: {} },
  {
    spec: {
      raw: { text: 'line\u2028 \u0001 \ud83d\ude00 "quoted"', big: 9007199254740991, tiny: -0.0 },
      extra: { b: 1, a: {} },
    },
  },
];

/** A custom type, and objects of it. */
export interface CustomType {
  readonly definition: JsonObject;
  readonly objects: readonly JsonObject[];
}

/** Sixteen types that differ in scope, columns, versions, subresources and how strict their schema is. */
export const customTypes: readonly CustomType[] = Array.from({ length: 16 }, (_, index) => customType(index));

function customType(index: number): CustomType {
  const group = GROUPS[index % 2] as string;
  const kind = `Sample${String.fromCharCode(65 + index)}`;
  const plural = `${kind.toLowerCase()}s`;
  const bit = (at: number): boolean => ((index >> at) & 1) === 1;
  const version = {
    schema: { openAPIV3Schema: schemaOf(bit(1)) },
    ...(bit(2) && { subresources: { status: {} } }),
  };
  const versions = [
    {
      name: 'v1',
      served: true,
      storage: true,
      ...version,
      ...(bit(0) && { additionalPrinterColumns: COLUMNS }),
    },
    ...(bit(1) ? [{ name: 'v1beta1', served: true, storage: false, ...version }] : []),
  ];
  return {
    definition: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: { group, scope: bit(3) ? 'Cluster' : 'Namespaced', names: { plural, kind }, versions },
    } as unknown as JsonObject,
    objects: [0, 1, 2, 3].map((which) => ({
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name: `sample-${which}`, labels: { zone: `z${which}` } },
      ...CONTENTS[which],
    })),
  };
}

function schemaOf(isOpen: boolean): JsonObject {
  return {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: FIELDS,
        ...(isOpen && { 'x-kubernetes-preserve-unknown-fields': true }),
      },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  };
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Creates the definitions, with more metadata, and resolves to everything that is served once their types are. */
export async function createDefinitions(caller: Caller, more: JsonObject = {}): Promise<Collection[]> {
  for (const { definition } of customTypes) {
    const metadata = { ...(isJsonObject(definition.metadata) && definition.metadata), ...more };
    await caller.ask(DEFINITIONS, { method: 'POST', body: { ...definition, metadata } });
  }
  for (;;) {
    const collections = await collectionsOf(caller);
    const kinds = new Set(collections.map(({ kind }) => kind));
    if (customTypes.every(({ objects }) => kinds.has(String(objects[0]?.kind)))) return collections;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
