import {
  createBearerAuthenticator,
  createStaticTokens,
  createUnionTokens,
  withAnonymous,
  withAuthenticatedGroup,
  withServerAudiences,
} from '@ashlar/authn';
import { withPrivilegedGroup } from '@ashlar/authz';
import { groupName, type UserInfo, type Vocabulary } from '@ashlar/core';
import { type ApiServer, type ApiServerOptions, generateServiceAccountKey } from '@ashlar/server';
import { createSeededRandom } from '@ashlar/testing';
import { it, type TestAPI } from 'vitest';
import {
  type ClauseServer,
  clauseOptions,
  describeVocabularies,
  forkOf,
  toClauseServer,
} from '../clause-server.fixture.ts';

/** Users by token; the token is the name. */
const USERS: readonly UserInfo[] = [
  { name: 'root', groups: ['system:masters'] },
  { name: 'al', uid: '1', groups: ['dev'], extra: { scopes: ['one', 'two'] } },
  { name: 'bo', groups: [] },
  { name: 'system:node:n', groups: ['system:nodes'] },
  { name: 'system:node:outside', groups: [] },
  { name: 'nameless', groups: ['system:nodes'] },
  { name: 'watcher', groups: ['system:monitoring'] },
];

/** Audiences that tokens of these servers must have. */
export const AUDIENCE = 'https://issuer.example';

const { key: signingKey } = generateServiceAccountKey();

/** A rule of a role. */
export interface WireRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

interface WireSubject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
  readonly namespace?: string;
}

const AL: WireSubject = { kind: 'User', name: 'al' };

/** A rule about one core resource. */
export const rule = (verbs: string, resource: string, more: Partial<WireRule> = {}): WireRule => ({
  verbs: verbs.split(','),
  apiGroups: [''],
  resources: [resource],
  ...more,
});

/** A server with several users. */
export interface AccessServer {
  readonly api: ApiServer;
  /** A member of `system:masters`. */
  readonly root: ClauseServer;
  /** A user of the group `dev` with uid and extra fields. */
  readonly al: ClauseServer;
  readonly anonymous: ClauseServer;
  /** The user of a token. */
  as(token: string): ClauseServer;
  /** Grants permissions in the namespace `a`, by a role and a binding of one name. */
  allow(name: string, rules: readonly WireRule[], subject?: WireSubject): Promise<void>;
  /** The same, cluster-wide. */
  allowEverywhere(name: string, rules: readonly WireRule[], subject?: WireSubject): Promise<void>;
  /** A new token of a service account in the namespace `a`, which is created for it. */
  accountToken(name: string): Promise<string>;
}

interface AccessContext {
  readonly vocabulary: Vocabulary;
  /** A fork of a server with RBAC; its time stands still. */
  readonly access: AccessServer;
  /** Paths of the groups of access, in version v1. */
  readonly paths: AccessPaths;
}

interface AccessPaths {
  readonly rbac: string;
  readonly authentication: string;
  readonly authorization: string;
}

/**
 * Runs the tests of a section once per vocabulary, over servers with RBAC.
 * @param more options in addition to {@link accessOptions}
 */
export function forEachAccess(
  section: string,
  tests: (test: TestAPI<AccessContext>) => void,
  more: (vocabulary: Vocabulary) => ApiServerOptions = () => ({}),
): void {
  describeVocabularies(section, (vocabulary) => {
    const fork = forkOf({ ...accessOptions(vocabulary), ...more(vocabulary) }, vocabulary);
    const test = it.extend<AccessContext>({
      vocabulary,
      access: async ({ vocabulary: _ }, use) => {
        await using api = await fork();
        await use(toAccessServer(api));
      },
      paths: accessPaths(vocabulary),
    });
    tests(test);
  });
}

/** Options of such servers; tests with another authenticator or authorizer extend them. */
export function accessOptions(vocabulary: Vocabulary): ApiServerOptions {
  const users = createStaticTokens(
    USERS.map((user) => ({ token: user.name, user })),
    createSeededRandom(2),
  );
  return {
    ...clauseOptions(vocabulary),
    serviceAccounts: { issuers: [AUDIENCE], signingKey },
    authenticator: ({ serviceAccounts, bootstrap, apiAudiences }) => {
      const named = [users, bootstrap].map((tokens) => withServerAudiences(tokens, apiAudiences));
      const bearer = createBearerAuthenticator(createUnionTokens([...named, serviceAccounts]));
      return withAnonymous(withAuthenticatedGroup(bearer));
    },
    authorizer: ({ rbac }) => withPrivilegedGroup(rbac()),
  };
}

export function accessPaths(vocabulary: Vocabulary): AccessPaths {
  const path = (group: string): string => `/apis/${groupName(vocabulary, group)}/v1`;
  return {
    rbac: path('rbac.authorization.'),
    authentication: path('authentication.'),
    authorization: path('authorization.'),
  };
}

/** Sends requests as the users of {@link accessOptions}. */
export function toAccessServer(api: ApiServer): AccessServer {
  const as = (token: string): ClauseServer => toClauseServer(api, token);
  const root = as('root');
  const { rbac } = accessPaths(api.vocabulary);
  const give = async (
    [kind, at]: readonly [kind: string, at: string],
    name: string,
    rules: readonly WireRule[],
    subject: WireSubject,
  ): Promise<void> => {
    const metadata = { name };
    await created(root.post(`${at}/${kind.toLowerCase()}s`, { metadata, rules }));
    const binding = { metadata, roleRef: { kind, name }, subjects: [subject] };
    await created(root.post(`${at}/${kind.toLowerCase()}bindings`, binding));
  };
  return {
    api,
    as,
    root,
    al: as('al'),
    anonymous: toClauseServer(api),
    allow: (name, rules, subject = AL) => give(['Role', `${rbac}/namespaces/a`], name, rules, subject),
    allowEverywhere: (name, rules, subject = AL) => give(['ClusterRole', rbac], name, rules, subject),
    async accountToken(name) {
      const accounts = '/api/v1/namespaces/a/serviceaccounts';
      await created(root.post(accounts, { metadata: { name } }));
      const { body } = await root.post(`${accounts}/${name}/token`, { spec: {} });
      return (body.status as { token: string }).token;
    },
  };
}

/**
 * The allowed ones of several operations in the namespace `a`, by an access review.
 * @param questions such as `get pods/log`, `list roles.rbac.authorization.` (a trailing dot stands for the
 * vendor's domain) or `get /metrics`
 */
export async function rightsOf(
  server: ClauseServer,
  vocabulary: Vocabulary,
  questions: readonly string[],
): Promise<readonly string[]> {
  const allowed: string[] = [];
  for (const question of questions) {
    const { authorization } = accessPaths(vocabulary);
    const spec = attributesOf(question, vocabulary);
    const { body } = await server.post(`${authorization}/selfsubjectaccessreviews`, { spec });
    if ((body.status as { readonly allowed: boolean }).allowed) allowed.push(question);
  }
  return allowed;
}

function attributesOf(question: string, vocabulary: Vocabulary): object {
  const [, verb = '', path = ''] = /^(\S+) (\S+)$/.exec(question) ?? [];
  if (path.startsWith('/')) return { nonResourceAttributes: { verb, path } };
  const [, resource = '', group = '', subresource = ''] =
    /^([^./]+)(?:\.([^/]+))?(?:\/(.+))?$/.exec(path) ?? [];
  const of = { group: groupName(vocabulary, group), resource, subresource };
  return { resourceAttributes: { verb, namespace: 'a', ...of } };
}

/** @throws Error if a precondition of a test could not be created */
async function created(reply: ReturnType<ClauseServer['post']>): Promise<void> {
  const { status, text } = await reply;
  if (status !== 201) throw new Error(text);
}
