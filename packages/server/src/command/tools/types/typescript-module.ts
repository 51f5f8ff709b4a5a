import { apiVersionOf, type Schema } from '@ashlar/core';
import { toTypeScript } from '@ashlar/schema';
import { type NamedVersion, written } from './named-versions.ts';

/** Prints the types of objects. */
export function typeScriptModule(versions: readonly NamedVersion[]): string {
  const declarations = versions.map((each) =>
    written(each, () =>
      toTypeScript(objectSchema(each), {
        name: each.name,
        metadataType: 'ObjectMeta',
        baseType: 'ApiObject',
      }),
    ),
  );
  return ["import type { ApiObject, ObjectMeta } from '@ashlar/core';\n", ...declarations].join('\n');
}

/**
 * Prints the types of objects, and for each a constant that `client.resource` takes, so that what is made of it, such as clients and
 * informers, has these types.
 */
export function clientModule(versions: readonly NamedVersion[]): string {
  const constants = versions.map(({ name, definition, version }) => {
    const { kind, plural } = definition.names;
    const constant = constantName(plural) + name.slice(kind.length);
    return `/** The resource of {@link ${name}}. */
export const ${constant}: DefinedResource<${name}> = {
  group: ${JSON.stringify(definition.group)},
  names: { plural: ${JSON.stringify(plural)}, kind: ${JSON.stringify(kind)} },
  versions: [{ name: ${JSON.stringify(version.name)}, served: true, storage: true }],
};
`;
  });
  return [
    "import type { DefinedResource } from '@ashlar/client';",
    typeScriptModule(versions),
    constants.join('\n'),
  ].join('\n');
}

/** A plural may have characters that no name of a constant has. */
const constantName = (plural: string): string =>
  plural.replace(/^\d/, '_$&').replace(/-+(.?)/g, (_, next: string) => next.toUpperCase());

/** Returns the schema of a version, including the fields of every object. */
function objectSchema({ definition, version }: NamedVersion): Schema {
  const { group, names } = definition;
  const { schema } = version;
  const { apiVersion: _, kind: __, metadata: ___, ...own } = schema.properties ?? {};
  const common = ['apiVersion', 'kind', 'metadata'];
  return {
    ...schema,
    required: [...common, ...(schema.required ?? []).filter((name) => !common.includes(name))],
    properties: {
      apiVersion: { type: 'string', enum: [apiVersionOf({ group, version: version.name })] },
      kind: { type: 'string', enum: [names.kind] },
      metadata: { type: 'object' },
      ...own,
    },
  };
}
