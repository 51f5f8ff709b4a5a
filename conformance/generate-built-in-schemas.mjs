// Writes conformance/built-in-schemas.jsonl: the shapes, merge strategies and list types of the built-in
// kinds in the published OpenAPI v3 of an API server; one named type per line, without descriptions. The
// conformance suites of patches and server-side apply on built-in kinds read it.
//
//   node conformance/generate-built-in-schemas.mjs DIRECTORY
//
// DIRECTORY contains responses of /openapi/v3/<path>, one JSON file each.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const directory = process.argv[2];
const extensions = {
  'x-kubernetes-patch-strategy': 'patchStrategy',
  'x-kubernetes-patch-merge-key': 'patchMergeKey',
  'x-kubernetes-list-type': 'listType',
  'x-kubernetes-list-map-keys': 'listMapKeys',
  'x-kubernetes-map-type': 'mapType',
  'x-kubernetes-preserve-unknown-fields': 'preserveUnknownFields',
};

const typeName = (ref) =>
  ref
    .split('/')
    .at(-1)
    .replace(/^io\.k8s\./, 'k8s.io.');

function convert(schema) {
  const out = {};
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (ref) out.ref = typeName(ref);
  if (schema.type) out.type = schema.type;
  if (schema.format === 'int-or-string') out.intOrString = true;
  else if (schema.format) out.format = schema.format;
  const isEmptyObject = typeof schema.default === 'object' && Object.keys(schema.default ?? {}).length === 0;
  if (
    schema.default !== undefined &&
    schema.default !== '' &&
    schema.default !== 0 &&
    schema.default !== false &&
    !isEmptyObject
  )
    out.default = schema.default;
  if (schema.properties)
    out.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [name, convert(field)]),
    );
  if (schema.items) out.items = convert(schema.items);
  if (schema.additionalProperties) out.additionalProperties = convert(schema.additionalProperties);
  for (const [from, to] of Object.entries(extensions)) if (schema[from] !== undefined) out[to] = schema[from];
  const kinds = schema['x-kubernetes-group-version-kind'];
  if (kinds?.length === 1)
    out.kind = `${[kinds[0].group, kinds[0].version].filter((part) => part !== '').join('/')} ${kinds[0].kind}`;
  return out;
}

const types = new Map();
for (const file of readdirSync(directory).sort()) {
  const { components } = JSON.parse(readFileSync(join(directory, file), 'utf8'));
  for (const [name, schema] of Object.entries(components.schemas)) types.set(typeName(name), convert(schema));
}

const reached = new Set();
function reach(name) {
  if (reached.has(name)) return;
  reached.add(name);
  const refs = (value) => {
    if (typeof value !== 'object' || value === null) return;
    if (typeof value.ref === 'string') reach(value.ref);
    for (const member of Object.values(value)) refs(member);
  };
  refs(types.get(name));
}
for (const [name, schema] of types)
  if (schema.kind && !/List$/.test(name) && !name.startsWith('k8s.io.apimachinery.')) reach(name);
const lines = [...types]
  .filter(([name]) => reached.has(name))
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, schema]) => JSON.stringify({ name, ...schema }));
writeFileSync(new URL('./built-in-schemas.jsonl', import.meta.url), `${lines.join('\n')}\n`);
