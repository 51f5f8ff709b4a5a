import type { JsonObject, JsonValue } from '@ashlar/core';

// A custom type with 300 fields and 20 rules, and an object of 4 KB: a workload of a platform team.

const text = (more: JsonObject = {}): JsonObject => ({ type: 'string', maxLength: 63, ...more });
const port = (more: JsonObject = {}): JsonObject => ({
  type: 'integer',
  minimum: 0,
  maximum: 65535,
  ...more,
});
const objectOf = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const list = (items: JsonValue, more: JsonObject = {}): JsonObject => ({
  type: 'array',
  maxItems: 16,
  items,
  ...more,
});
const rules = (...texts: readonly string[]): JsonObject => ({
  'x-orch-validations': texts.map((rule) => ({ rule, message: `must hold: ${rule}` })),
});

const container = objectOf(
  {
    name: text({ pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }),
    image: text({ maxLength: 255, minLength: 1 }),
    args: list(text({ maxLength: 255 })),
    env: list(objectOf({ name: text(), value: text({ maxLength: 255 }) }, { required: ['name'] }), {
      'x-orch-list-type': 'map',
      'x-orch-list-map-keys': ['name'],
    }),
    port: port(),
    protocol: text({ enum: ['TCP', 'UDP', 'SCTP'], default: 'TCP' }),
    cpu: { 'x-orch-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    memory: text({ maxLength: 20 }),
  },
  {
    required: ['name', 'image'],
    ...rules(
      "self.name != 'reserved'",
      '!has(self.env) || self.env.all(e, e.name.size() > 0)',
      "!self.image.endsWith(':latest')",
    ),
  },
);

/** A group of fields, as large definitions have many. */
function group(index: number): JsonObject {
  const fields: Record<string, JsonValue> = {};
  for (let i = 0; i < 14; i++) {
    fields[`field${i}`] = [text(), port(), { type: 'boolean' }, text({ format: 'date-time' }), list(text())][
      i % 5
    ] as JsonValue;
  }
  const own = rules(`!has(self.field1) || self.field1 < ${60000 + index}`);
  return objectOf(fields, index < 10 ? own : {});
}

const groups = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`group${i}`, group(i)]));

export const definition: JsonObject = objectOf(
  {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: objectOf(
      {
        replicas: port({ default: 1 }),
        minimum: port(),
        maximum: port(),
        note: text({ maxLength: 500 }),
        mode: text({ enum: ['Rolling', 'Recreate'] }),
        labels: { type: 'object', maxProperties: 32, additionalProperties: text() },
        containers: list(container, { 'x-orch-list-type': 'map', 'x-orch-list-map-keys': ['name'] }),
        ...groups,
      },
      {
        required: ['containers'],
        ...rules(
          'self.minimum <= self.replicas && self.replicas <= self.maximum',
          'self.containers.exists(c, c.name == "main")',
          'has(self.mode) && self.mode in ["Rolling", "Recreate"]',
          '!has(self.labels) || self.labels.all(k, k.size() <= 63)',
          'self.containers.size() <= 8',
          'oldSelf.mode == self.mode',
        ),
      },
    ),
    status: objectOf({ ready: port(), phase: text() }),
  },
  rules('self.metadata.name.size() <= 52'),
);

function filled(index: number): JsonObject {
  return {
    field0: `value of group ${index}`,
    field1: 1000 + index,
    field2: index % 2 === 0,
    field3: '2026-01-02T03:04:05Z',
    field4: ['first', 'second', 'third'],
    field5: `another value ${index}`,
    field6: 42,
  };
}

const filledContainer = (name: string): JsonObject => ({
  name,
  image: `registry.example.com/team/${name}:1.2.3`,
  args: ['--verbose', '--listen=0.0.0.0:8080', `--name=${name}`],
  env: Array.from({ length: 5 }, (_, i) => ({ name: `VARIABLE_${i}`, value: `some value of ${name} ${i}` })),
  port: 8080,
  protocol: 'TCP',
  cpu: '500m',
  memory: '256Mi',
});

export const object: JsonObject = {
  apiVersion: 'example.com/v1',
  kind: 'Workload',
  metadata: {
    name: 'example',
    namespace: 'default',
    uid: '6ad3b1f4-6b0b-4b52-9a43-3c1f0b4a7c11',
    creationTimestamp: '2026-01-02T03:04:05Z',
    generation: 1,
    labels: { app: 'example', team: 'platform' },
  },
  spec: {
    replicas: 3,
    minimum: 1,
    maximum: 10,
    note: 'a workload',
    mode: 'Rolling',
    labels: { app: 'example', tier: 'backend', team: 'platform', zone: 'a' },
    containers: [filledContainer('main'), filledContainer('sidecar'), filledContainer('proxy')],
    ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`group${i}`, filled(i)])),
  },
};
