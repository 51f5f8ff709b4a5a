import type { Target } from '../attack.ts';

/** A schema of an OpenAPI v3 document. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

export type Schemas = Readonly<Record<string, Schema>>;

/** A kind that can be created. */
export interface ServedKind {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Where the operator creates it. */
  readonly path: string;
  readonly schema: Schema;
  readonly schemas: Schemas;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly 'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string };
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>;
  readonly components: { readonly schemas: Schemas };
}

/** A server that is asked. */
export type AskedServer = Pick<Target, 'credentials' | 'send'>;

async function getJson<T>(target: AskedServer, path: string): Promise<T> {
  const headers = [target.credentials('operator'), 'Connection: close'];
  const { head, body } = await target.send({ path, headers });
  const text = /^transfer-encoding: chunked/im.test(head) ? unchunked(body) : body;
  return JSON.parse(text) as T;
}

function unchunked(body: string): string {
  let text = '';
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.slice(at, line), 16);
    if (!(size > 0)) return text;
    text += body.slice(line + 2, line + 2 + size);
    at = line + 4 + size;
  }
}

/** The kinds with a request that creates one, besides definitions of users, in the order of their groups. */
export async function servedKinds(target: AskedServer): Promise<readonly ServedKind[]> {
  const { paths } = await getJson<{ paths: Record<string, { serverRelativeURL: string }> }>(
    target,
    '/openapi/v3',
  );
  const groups = Object.keys(paths).filter((path) => /^apis?\/.*v\d/.test(path));
  const kinds: ServedKind[] = [];
  for (const group of groups.sort())
    kinds.push(...kindsOf(await getJson<Document>(target, paths[group]?.serverRelativeURL ?? '')));
  return kinds;
}

function kindsOf({ paths, components: { schemas } }: Document): readonly ServedKind[] {
  return Object.entries(paths).flatMap(([template, { post }]) => {
    const { group, version, kind } = post?.['x-kubernetes-group-version-kind'] ?? {};
    const schema = Object.values(post?.requestBody?.content ?? {})[0]?.schema;
    const isOfNames = template.includes('{name}');
    if (!schema || !kind || !version || isOfNames || /\/(proxy|exec|attach)/.test(template)) return [];
    const apiVersion = group ? `${group}/${version}` : version;
    const path = template.replace('{namespace}', 'tenant');
    return [{ name: `${apiVersion}/${kind}`, apiVersion, kind, path, schema, schemas }];
  });
}
