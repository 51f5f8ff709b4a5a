import type { Attack, Scenario, Target } from '../attack.ts';
import { awakeNow } from '../awake-time.ts';
import { type Deed, faultsBeside, pause } from '../beside.ts';
import { createMany } from '../repeated.ts';

const MAPS = '/api/v1/namespaces/tenant/configmaps';
const GROWN_MEGABYTES = 320;
const PATIENCE_MILLISECONDS = 40_000;

interface Owner {
  readonly name: string;
  readonly uid: string;
  readonly apiVersion?: string;
  readonly kind?: string;
}

const reference = ({ apiVersion = 'v1', kind = 'ConfigMap', name, uid }: Owner): object => ({
  ...{ apiVersion, kind, name, uid, blockOwnerDeletion: true },
});
const map = (name: string, owners: readonly Owner[] = []): object => ({
  metadata: { name, ...(owners.length > 0 && { ownerReferences: owners.map(reference) }) },
});
const many = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));

async function call(target: Target, method: string, path: string, body?: object): Promise<string> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const answer = await target.send({
    ...{ method, path, headers: [target.credentials('operator'), `Content-Type: ${type}`] },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (answer.status >= 400)
    throw new Error(`${method} ${path}: ${answer.status} ${answer.body.slice(0, 300)}`);
  return answer.body;
}

const remove = (target: Target, name: string, propagationPolicy: string): Promise<string> =>
  call(target, 'DELETE', `${MAPS}/${name}`, { propagationPolicy });

/** Waits until a condition holds that a list of names fulfils. */
async function until(
  target: Target,
  holds: (names: readonly string[]) => boolean,
): Promise<readonly string[]> {
  const end = awakeNow() + PATIENCE_MILLISECONDS;
  for (;;) {
    await pause(1_000);
    const list = JSON.parse(await call(target, 'GET', `${MAPS}?labelSelector=`)) as {
      items: { metadata: { name: string } }[];
    };
    const names = list.items.map(({ metadata }) => metadata.name);
    if (holds(names)) return [];
    if (awakeNow() > end) return [`${names.length} objects are left after ${PATIENCE_MILLISECONDS / 1000} s`];
  }
}

const gone =
  (prefix: string) =>
  (names: readonly string[]): boolean =>
    !names.some((name) => name.startsWith(prefix));

function collected(name: string, sends: string, run: (target: Target) => Promise<readonly Deed[]>): Scenario {
  return {
    ...{ name, sends },
    run: async (target) => faultsBeside(target, await run(target)),
  };
}

const deed = (name: string, run: Deed['run']): Deed => ({ name, grownMegabytes: GROWN_MEGABYTES, run });
const none = async (work: Promise<unknown>): Promise<readonly string[]> => {
  await work;
  return [];
};

/** An owner with dependents, deleted with a propagation policy. */
const deletedOwner = (policy: string, left: (names: readonly string[]) => boolean): Scenario =>
  collected(
    `dependents, ${policy}`,
    `an owner of 4,000 objects that is deleted: ${policy}`,
    async (target) => {
      const [uid = ''] = await createMany(target, MAPS, [map('owner')]);
      await createMany(
        target,
        MAPS,
        many(4_000, (i) => map(`d${i}`, [{ name: 'owner', uid }])),
      );
      return [
        deed('deletion', async () => {
          await remove(target, 'owner', policy);
          return until(target, left);
        }),
      ];
    },
  );

/** Owners and dependents as clients make them: very many, in circles, of kinds that do not exist. */
export const attacks: readonly Attack[] = [
  deletedOwner('Background', gone('d')),
  deletedOwner('Foreground', gone('d')),
  deletedOwner('Orphan', (names) => !names.includes('owner')),
  collected(
    'owners that are not there',
    'objects with 10,000 owners each, none of which exists',
    async (target) => [
      deed('creation', () =>
        none(
          createMany(
            target,
            MAPS,
            many(4, (i) =>
              map(
                `o${i}`,
                many(10_000, (j) => ({ name: `n${j}`, uid: `u${i}-${j}` })),
              ),
            ),
          ),
        ),
      ),
      deed('collection', () => until(target, gone('o'))),
    ],
  ),
  collected('one owner that is there', 'objects with 10,000 owners, of which one exists', async (target) => {
    const [uid = ''] = await createMany(target, MAPS, [map('owner')]);
    const owners = [{ name: 'owner', uid }, ...many(10_000, (j) => ({ name: `n${j}`, uid: `u${j}` }))];
    return [
      deed('creation', () =>
        none(
          createMany(
            target,
            MAPS,
            many(4, (i) => map(`o${i}`, owners)),
          ),
        ),
      ),
      deed('references', async () => {
        await pause(5_000);
        const { items } = JSON.parse(await call(target, 'GET', MAPS)) as {
          items: { metadata: { ownerReferences?: object[] } }[];
        };
        return items.some(({ metadata }) => (metadata.ownerReferences ?? []).length > 1)
          ? ['owners that do not exist are left']
          : [];
      }),
      deed('deletion', async () => {
        await remove(target, 'owner', 'Background');
        return until(target, gone('o'));
      }),
    ];
  }),
  collected('each owned by all', 'objects that are all owned by two hundred others', async (target) => {
    const uids = await createMany(
      target,
      MAPS,
      many(200, (i) => map(`owner${i}`)),
    );
    const owners = uids.map((uid, i) => ({ name: `owner${i}`, uid }));
    await createMany(
      target,
      MAPS,
      many(500, (i) => map(`d${i}`, owners)),
    );
    return [
      deed('deletion', async () => {
        for (let i = 0; i < 20; i++) await remove(target, `owner${i}`, 'Foreground');
        return until(target, (names) => !names.includes('owner19'));
      }),
      deed('deletion of all', async () => {
        await call(target, 'DELETE', MAPS, { propagationPolicy: 'Foreground' });
        return until(target, (names) => gone('d')(names) && gone('owner')(names));
      }),
    ];
  }),
  collected(
    'a circle',
    'a thousand objects that each own the next, deleted in the foreground',
    async (target) => {
      const uids = await createMany(
        target,
        MAPS,
        many(1_000, (i) => map(`c${i}`)),
      );
      for (const [i] of uids.entries()) {
        const next = (i + 1) % uids.length;
        const ownerReferences = [reference({ name: `c${next}`, uid: uids[next] as string })];
        await call(target, 'PATCH', `${MAPS}/c${i}`, { metadata: { ownerReferences } });
      }
      return [
        deed('deletion', async () => {
          await remove(target, 'c0', 'Foreground');
          return until(target, gone('c'));
        }),
      ];
    },
  ),
  collected(
    'a chain',
    'a thousand objects that each own the next, deleted in the background',
    async (target) => {
      let owner: Owner[] = [];
      for (let i = 0; i < 1_000; i++) {
        const [uid = ''] = await createMany(target, MAPS, [map(`c${i}`, owner)]);
        owner = [{ name: `c${i}`, uid }];
      }
      return [
        deed('deletion', async () => {
          await remove(target, 'c0', 'Background');
          return until(target, gone('c'));
        }),
      ];
    },
  ),
  collected(
    'owners of no kind',
    'objects whose owners have kinds that do not exist, while types are added',
    async (target) => {
      const owner = (i: number): Owner => ({
        apiVersion: `g${i}.example.com/v1`,
        kind: 'Nobody',
        name: 'n',
        uid: `u${i}`,
      });
      await createMany(
        target,
        MAPS,
        many(3_000, (i) => map(`k${i}`, [owner(i)])),
      );
      return [
        deed('new types', async () => {
          for (let i = 0; i < 20; i++) {
            await createMany(target, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', [
              definition(i),
            ]);
            await pause(200);
          }
          return [];
        }),
      ];
    },
  ),
  collected('a namespace', 'a namespace with 4,000 objects that is deleted', async (target) => {
    await createMany(target, '/api/v1/namespaces', [{ metadata: { name: 'full' } }]);
    await createMany(
      target,
      '/api/v1/namespaces/full/configmaps',
      many(4_000, (i) => map(`d${i}`)),
    );
    return [
      deed('deletion', async () => {
        await call(target, 'DELETE', '/api/v1/namespaces/full');
        const end = awakeNow() + PATIENCE_MILLISECONDS;
        while (awakeNow() < end) {
          const headers = [target.credentials('operator')];
          const { status } = await target.send({ path: '/api/v1/namespaces/full', headers });
          if (status === 404) return [];
          await pause(500);
        }
        return ['the namespace is still there'];
      }),
    ];
  }),
];

const definition = (i: number): object => ({
  metadata: { name: `others${i}.attack.example.com` },
  spec: {
    group: 'attack.example.com',
    scope: 'Namespaced',
    names: { plural: `others${i}`, kind: `Other${i}` },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});
