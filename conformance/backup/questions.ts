import type { Caller } from './caller.ts';
import { type Collection, listPath, pathIn } from './collections.ts';
import type { Form } from './comparable.ts';

/** A request that both servers are sent. */
export interface Comparison {
  readonly path: string;
  readonly form: Form;
  readonly isList: boolean;
}

const JSON_FORMS: readonly Form[] = ['json', 'yaml', 'table'];
/** Every so many objects one is asked for in all forms. */
const IN_ALL_FORMS = 10;

/** Lists of a collection in all forms, and each of its objects. */
export async function comparisonsOf(caller: Caller, type: Collection): Promise<Comparison[]> {
  const { items } = await caller.read<{
    items: readonly { metadata: { name: string; namespace?: string } }[];
  }>(listPath(type));
  return [...listsOf(type), ...items.flatMap(({ metadata }, index) => getsOf(type, metadata, index))];
}

function listsOf(type: Collection): Comparison[] {
  const forms: Form[] = [...JSON_FORMS, 'metadata list', ...(type.custom ? [] : (['protobuf'] as const))];
  const list = (path: string, form: Form): Comparison => ({ path, form, isList: true });
  const whole = listPath(type);
  return [
    ...forms.map((form) => list(whole, form)),
    list(`${whole}?includeObject=Object`, 'table'),
    list(`${whole}?limit=7`, 'json'),
    list(`${whole}?labelSelector=zone`, 'json'),
    list(`${whole}?fieldSelector=metadata.name=copy-3`, 'json'),
    ...(type.namespaced ? [list(pathIn(type, 'blue'), 'json'), list(pathIn(type, 'blue'), 'table')] : []),
  ];
}

function getsOf(
  type: Collection,
  { name, namespace = '' }: { readonly name: string; readonly namespace?: string },
  index: number,
): Comparison[] {
  const path = pathIn(type, namespace, name);
  const all: Form[] = [...JSON_FORMS, 'metadata', ...(type.custom ? [] : (['protobuf'] as const))];
  const forms: Form[] = index % IN_ALL_FORMS === 0 ? all : ['json'];
  return forms.map((form) => ({ path, form, isList: false }));
}
