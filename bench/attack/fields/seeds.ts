import { recordedObjects } from '../../../acceptance/mutated-objects.fixture.ts';
import { bodyRequest } from '../bodies.ts';
import { sampleOf } from './samples.ts';
import type { AskedServer, ServedKind } from './served-kinds.ts';
import { SMALL_OBJECTS } from './small-objects.ts';

export type Members = Record<string, unknown>;

/** How many recorded objects of a kind are tried. */
const CANDIDATES = 40;

const recorded = recordedObjects();

/** A small object of a kind, which the server accepts if one was recorded, and otherwise has what its type requires. */
export async function seedOf(target: AskedServer, kind: ServedKind): Promise<Members> {
  const small = SMALL_OBJECTS[kind.kind];
  const least = named(
    small
      ? { ...small, metadata: { name: nameOf(kind) } }
      : (sampleOf(kind.schema, kind.schemas, 1, 'least') as Members),
    kind,
  );
  const candidates = [...recorded]
    .filter(([name]) => isSameKind(name, kind))
    .flatMap(([, objects]) => objects);
  const seeds = [
    least,
    ...candidates.map((seed) => named(seed as Members, kind)).sort((a, b) => sizeOf(a) - sizeOf(b)),
  ];
  for (const seed of seeds.slice(0, CANDIDATES)) {
    const { status } = await target.send(
      asOperator(
        target,
        bodyRequest('POST', `${kind.path}?dryRun=All`, 'application/json', JSON.stringify(seed)),
      ),
    );
    if (status < 300) return seed;
  }
  return least;
}

const nameOf = ({ kind }: ServedKind): string =>
  ({ APIService: 'v1.a.io', CustomResourceDefinition: 'as.attack.example.com' })[kind] ?? 'a';

const sizeOf = (seed: Members): number => JSON.stringify(seed).length;

const isSameKind = (name: string, { apiVersion, kind }: ServedKind): boolean => {
  const groupOf = (version: string): string => version.split('/').at(-2) ?? '';
  return name.endsWith(`/${kind}`) && groupOf(name.slice(0, -kind.length - 1)) === groupOf(apiVersion);
};

function named(seed: Members, { apiVersion, kind, path }: ServedKind): Members {
  const { name, labels } = (seed.metadata ?? {}) as { name?: string; labels?: unknown };
  const metadata = {
    name: name ?? 'a',
    ...(labels ? { labels } : {}),
    ...(path.includes('/tenant/') && { namespace: 'tenant' }),
  };
  return { ...seed, apiVersion, kind, metadata };
}

export function asOperator<Request extends { readonly headers?: readonly string[] }>(
  target: AskedServer,
  request: Request,
): Request {
  return { ...request, headers: [target.credentials('operator'), ...(request.headers ?? [])] };
}
