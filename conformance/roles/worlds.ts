import type { JsonObject, JsonValue } from '@ashlar/core';
import fc from 'fast-check';

/** A set of roles and bindings: its users, groups and labels are in no other world. */
export interface World {
  /** Objects to create, in order, with their paths. */
  readonly objects: readonly { readonly path: string; readonly object: JsonObject }[];
  readonly questions: readonly Question[];
  readonly callers: readonly Caller[];
}

/** The spec of a review. */
type Question = JsonObject;

/** A user whose rules are reviewed, and where. */
export interface Caller {
  readonly user: string;
  readonly groups: readonly string[];
  readonly namespace: string;
}

export const ROLES_API = '/apis/rbac.authorization.k8s.io/v1';
const GROUP = 'rbac.authorization.k8s.io';

const VERBS = ['get', 'list', 'create', 'use'];
const GROUPS = ['', 'apps', GROUP];
const RESOURCES = ['pods', 'configmaps', 'widgets'];
const SUBRESOURCES = ['log', 'scale'];
const NAMES = ['a', 'b', 'a.b'];
const PATHS = ['/healthz', '/healthz/ping', '/api', '/apis/apps', '/metrics', '/a/b/c', '/'];

const some = <T>(values: readonly T[], least: number, most: number): fc.Arbitrary<T[]> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: least, maxLength: most });

const rule = fc.oneof(
  { weight: 16, arbitrary: resourceRule() },
  {
    weight: 4,
    arbitrary: fc.record({
      verbs: some([...VERBS, '*'], 1, 2),
      nonResourceURLs: some([...PATHS, '*', '/*', '/api*', '/healthz/*', '/a/*/c', 'no/slash'], 1, 2),
    }),
  },
  // rejected, or without effect
  { weight: 1, arbitrary: fc.record({ verbs: fc.constant([]), apiGroups: some(GROUPS, 0, 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      verbs: some(VERBS, 0, 1),
      resources: some(RESOURCES, 0, 1),
      nonResourceURLs: some(PATHS, 0, 1),
    }),
  },
);

function resourceRule(): fc.Arbitrary<JsonObject> {
  const whole = RESOURCES.flatMap((resource) => [
    resource,
    ...SUBRESOURCES.map((each) => `${resource}/${each}`),
  ]);
  const resources = [...whole, '*', '*/log', '*/scale', 'pods/*', '*/*'];
  return fc.record(
    {
      verbs: some([...VERBS, '*'], 1, 3),
      apiGroups: some([...GROUPS, '*'], 1, 2),
      resources: some(resources, 1, 3),
      resourceNames: some([...NAMES, ''], 0, 2),
    },
    { requiredKeys: ['verbs', 'apiGroups', 'resources'] },
  );
}

const rules = fc.array(rule, { maxLength: 3 });

/** Namespaces of a run, and the mark of a world in it. */
export interface Place {
  readonly namespaces: readonly [string, string];
  readonly mark: string;
}

export function worldOf(place: Place): fc.Arbitrary<World> {
  const { namespaces, mark } = place;
  const count = (most: number, make: (i: number) => fc.Arbitrary<World['objects'][number]>) =>
    fc.tuple(...Array.from({ length: most }, (_, i) => make(i)));
  const objects = fc
    .tuple(
      count(4, (i) => clusterRole(place, i)),
      count(2, (i) => role(place, i)),
      count(2, (i) => binding(place, `${mark}-c${i}`)),
      count(4, (i) => binding(place, `${mark}-b${i}`, namespaces[i % 2])),
    )
    .map((parts) => parts.flat());
  return objects.chain((made) =>
    fc.record({
      objects: fc.constant(made),
      questions: fc.array(question(place, made), { minLength: 10, maxLength: 10 }),
      callers: fc.array(caller(place), { minLength: 2, maxLength: 2 }),
    }),
  );
}

const label = ({ mark }: Place): string => `${mark}.example/in`;

function clusterRole(place: Place, i: number): fc.Arbitrary<World['objects'][number]> {
  const key = label(place);
  const selector = fc.oneof(
    fc.constantFrom('x', 'y').map((value) => ({ matchLabels: { [key]: value } })),
    fc
      .record({ operator: fc.constantFrom('In', 'NotIn'), values: some(['x', 'y'], 1, 2) })
      .map((expression) => ({
        matchExpressions: [
          { key, ...expression },
          { key, operator: 'Exists' },
        ],
      })),
  );
  return fc
    .record({
      rules: fc.oneof({ weight: 3, arbitrary: rules }, { weight: 1, arbitrary: fc.constant(undefined) }),
      labels: fc.oneof(
        fc.constant({}),
        fc.constantFrom('x', 'y').map((value) => ({ [key]: value })),
      ),
      selectors: fc.oneof(
        { weight: 2, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.array(selector, { minLength: 1, maxLength: 2 }) },
      ),
    })
    .map(({ labels, selectors, rules: own }) => ({
      path: `${ROLES_API}/clusterroles`,
      object: written({
        metadata: { name: `${place.mark}-r${i}`, labels },
        // the result of two roles that aggregate each other depends on the order if they have rules of their
        // own
        rules: selectors && Object.keys(labels).length > 0 ? undefined : own,
        ...(selectors && { aggregationRule: { clusterRoleSelectors: selectors } }),
      }),
    }));
}

function role({ namespaces, mark }: Place, i: number): fc.Arbitrary<World['objects'][number]> {
  return rules.map((content) => ({
    path: `${ROLES_API}/namespaces/${namespaces[i % 2]}/roles`,
    object: written({ metadata: { name: `${mark}-r${i}` }, rules: content }),
  }));
}

/** A binding of a namespace, or of the cluster. */
function binding(place: Place, name: string, namespace?: string): fc.Arbitrary<World['objects'][number]> {
  const kinds = namespace === undefined ? ['ClusterRole'] : ['ClusterRole', 'Role'];
  const roleRef = fc.record({
    apiGroup: fc.oneof(
      { weight: 30, arbitrary: fc.constant(GROUP) },
      { weight: 1, arbitrary: fc.constantFrom('', 'apps') },
    ),
    kind: fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(...kinds) },
      { weight: 1, arbitrary: fc.constantFrom('Role', 'Pod') },
    ),
    // the last one does not exist
    name: fc.integer({ min: 0, max: 4 }).map((i) => `${place.mark}-r${i}`),
  });
  const subjects = fc.array(subject(place), { minLength: 1, maxLength: 4 });
  const path = namespace === undefined ? 'clusterrolebindings' : `namespaces/${namespace}/rolebindings`;
  return fc.record({ roleRef, subjects }).map((content) => ({
    path: `${ROLES_API}/${path}`,
    object: written({ metadata: { name }, ...content }),
  }));
}

function subject({ namespaces, mark }: Place): fc.Arbitrary<JsonObject> {
  const apiGroup = fc.constantFrom(GROUP, GROUP, undefined);
  return fc
    .oneof(
      { weight: 12, arbitrary: fc.record({ kind: fc.constant('User'), apiGroup, name: userOf(mark) }) },
      { weight: 9, arbitrary: fc.record({ kind: fc.constant('Group'), apiGroup, name: groupOf(mark) }) },
      {
        weight: 9,
        arbitrary: fc.record({
          kind: fc.constant('ServiceAccount'),
          name: fc.constant(`${mark}-s`),
          namespace: fc.constantFrom(...namespaces, ...namespaces, ...namespaces, ...namespaces, undefined),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constantFrom('User', 'Pod'),
          apiGroup: fc.constantFrom('', 'apps'),
          name: userOf(mark),
        }),
      },
    )
    .map(written);
}

const userOf = (mark: string) => fc.constantFrom(0, 1).map((i) => `${mark}-u${i}`);
const groupOf = (mark: string) => fc.constantFrom(0, 1).map((i) => `${mark}-g${i}`);

/** A user or a service account, with groups of the world. */
function asker({ namespaces, mark }: Place): fc.Arbitrary<{ user: string; groups: string[] }> {
  const accounts = namespaces.map((namespace) => `system:serviceaccount:${namespace}:${mark}-s`);
  return fc.record({
    user: fc.oneof(
      { weight: 3, arbitrary: userOf(mark) },
      { weight: 1, arbitrary: fc.constantFrom(...accounts) },
    ),
    groups: fc.uniqueArray(groupOf(mark), { maxLength: 2 }),
  });
}

function question(place: Place, made: World['objects']): fc.Arbitrary<Question> {
  const attributes = fc.record({
    verb: fc.constantFrom(...VERBS, '*'),
    group: fc.constantFrom(...GROUPS),
    resource: fc.constantFrom(...RESOURCES),
    subresource: fc.constantFrom('', '', ...SUBRESOURCES),
    name: fc.constantFrom('', ...NAMES),
    namespace: fc.constantFrom('', ...place.namespaces, ...place.namespaces, 'elsewhere'),
  });
  const granted = made.flatMap(({ object }) => (object.rules ?? []) as JsonObject[]).filter(isOfResources);
  const resourceAttributes =
    granted.length === 0
      ? attributes
      : fc.oneof(
          attributes,
          fc.tuple(attributes, fc.constantFrom(...granted)).map(([any, by]) => coveredBy(any, by)),
        );
  const nonResourceAttributes = fc.record({
    verb: fc.constantFrom(...VERBS),
    path: fc.constantFrom(...PATHS, '/apis', '/healthzz'),
  });
  const about = fc.oneof(
    { weight: 4, arbitrary: fc.record({ resourceAttributes }) },
    { weight: 1, arbitrary: fc.record({ nonResourceAttributes }) },
  );
  return fc.tuple(asker(place), about).map(([who, what]) => ({ ...who, ...what }));
}

const isOfResources = ({ verbs, apiGroups, resources }: JsonObject): boolean =>
  [verbs, apiGroups, resources].every((list) => Array.isArray(list) && list.length > 0);

/** Attributes that a rule grants, as far as it names something. */
function coveredBy(
  attributes: Readonly<Record<string, string>>,
  by: JsonObject,
): Readonly<Record<string, string>> {
  const first = (list: JsonValue | undefined, otherwise = ''): string => {
    const [item = '*'] = Array.isArray(list) ? (list as string[]) : [];
    return item === '*' ? otherwise : item;
  };
  const [resource = '', subresource = ''] = first(by.resources, attributes.resource).split('/');
  return {
    ...attributes,
    ...{ verb: first(by.verbs, attributes.verb), group: first(by.apiGroups, attributes.group) },
    ...{ resource: resource === '*' ? (attributes.resource ?? '') : resource, subresource },
    name: first(by.resourceNames, attributes.name),
  };
}

const caller = (place: Place): fc.Arbitrary<Caller> =>
  fc
    .tuple(asker(place), fc.constantFrom(...place.namespaces))
    .map(([who, namespace]) => ({ ...who, namespace }));

/** Without absent fields. */
const written = (object: object): JsonObject => JSON.parse(JSON.stringify(object)) as JsonObject;
