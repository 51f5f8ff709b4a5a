import type { AdmissionPlugin } from '@ashlar/admission';
import {
  accessReviews,
  createCertificateAdmission,
  createConditionTimes,
  createNodeRestriction,
  createRoleEscalation,
  createServiceAccountAdmission,
  identityReviews,
  type ReconciledObjects,
  reconcileDefaultRoles,
} from '@ashlar/apis';
import {
  createBootstrapTokens,
  createUnionAuthenticator,
  createUnionTokens,
  type TokenAuthenticator,
  withAnonymous,
} from '@ashlar/authn';
import { alwaysAllow } from '@ashlar/authz';
import {
  type Ambient,
  type ApiObject,
  type Authenticator,
  type Authorizer,
  actualValueText,
  groupName,
  type Metrics,
  undefinedIfNotFound,
} from '@ashlar/core';
import type { ApiCatalog } from '@ashlar/http';
import { objectOf, type ResourceDefinition } from '@ashlar/registry';
import type { ObjectStore } from '@ashlar/storage';
import { createLiveNodes } from '../live/live-nodes.ts';
import { createLiveRbac } from '../live/live-rbac.ts';
import type { LoopbackIdentity } from './loopback-identity.ts';
import { audiencesOf, type ServiceAccountOptions, storedServiceAccountTokens } from './service-accounts.ts';
import { systemContext } from './system-context.ts';

/** Authorizers that decide by the objects that a server stores, and follow their changes. */
export interface StoredAuthorizers {
  /** Returns the authorizer of mode `RBAC`. A server that uses it creates the default roles and bindings. */
  rbac(): Authorizer;
  /** The authorizer of mode `Node`. */
  readonly node: Authorizer;
  /** The registry of the server's metrics. */
  readonly metrics: Metrics;
}

/** Token authenticators that look tokens up in the objects that a server stores. */
export interface StoredTokens {
  /** Accepts service account tokens; none without the option `serviceAccounts`. */
  readonly serviceAccounts: TokenAuthenticator;
  /** Accepts bootstrap tokens, which are stored as secrets. */
  readonly bootstrap: TokenAuthenticator;
  /** The audiences that identify the server. */
  readonly apiAudiences: readonly string[];
  /** The registry of the server's metrics. */
  readonly metrics: Metrics;
}

/** Creates the authenticator of a server; called once for the server and once for each of its forks. */
export type AuthenticatorFactory = (stored: StoredTokens) => Authenticator;

/** Creates the authorizer of a server; called once for the server and once for each of its forks. */
export type AuthorizerFactory = (stored: StoredAuthorizers) => Authorizer;

export interface ServerAccessOptions {
  readonly ambient: Ambient;
  readonly metrics: Metrics;
  readonly authenticator?: AuthenticatorFactory;
  readonly authorizer?: AuthorizerFactory;
  readonly serviceAccounts?: ServiceAccountOptions;
  readonly apiAudiences?: readonly string[];
  readonly onError?: (error: unknown) => void;
  /** Called with a secret whose token was used. */
  readonly secretUsed?: (secret: ApiObject) => void;
}

/** Authentication, authorization and the admission plugins that depend on them. */
export interface ServerAccess extends Disposable {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly admission: readonly AdmissionPlugin[];
  /** What is called after all other plugins: sets times of conditions, and checks what rules a role or binding grants. */
  readonly lastAdmission: readonly AdmissionPlugin[];
  /** Review resources, which use this authenticator and authorizer. */
  readonly resources: readonly ResourceDefinition[];
  /** Whether the authorizer uses RBAC. */
  readonly usesRoles: boolean;
  /** Creates the default roles where RBAC is used. */
  bootstrapRoles(catalog: ApiCatalog): Promise<void>;
}

/** Creates authentication and authorization over a store; the server's own requests are always allowed. */
export function createServerAccess(
  store: ObjectStore,
  loopback: LoopbackIdentity,
  options: ServerAccessOptions,
): ServerAccess {
  const { ambient, authorizer, onError } = options;
  const following = { ambient, ...(onError && { onError }) };
  const rbac = createLiveRbac(store, following);
  const nodes = createLiveNodes(store, following);
  let usesRoles = false;
  const stored: StoredAuthorizers = {
    rbac() {
      usesRoles = true;
      return rbac.authorizer;
    },
    node: nodes.authorizer,
    metrics: options.metrics,
  };
  const configured = authorizer ? requireMethod('authorizer', 'authorize', authorizer(stored)) : alwaysAllow;
  const withLoopback = loopback.authorizer(configured);
  const group = groupName(ambient.vocabulary, 'rbac.authorization.');
  const apiAudiences = audiencesOf(options.apiAudiences, options.serviceAccounts);
  const authenticator = authenticatorOf(store, options, apiAudiences);
  return {
    authenticator: loopback.authenticator(authenticator),
    authorizer: withLoopback,
    usesRoles,
    resources: [
      ...identityReviews(ambient, {
        apiAudiences,
        ...(authenticator.authenticateToken && {
          authenticateToken: authenticator.authenticateToken.bind(authenticator),
        }),
      }),
      ...accessReviews(ambient, withLoopback),
    ],
    lastAdmission: [
      createConditionTimes(ambient),
      createRoleEscalation({
        ...{ ambient, group, authorizer: withLoopback },
        policy: () => rbac.policy(),
      }),
    ],
    admission: [
      ...createCertificateAdmission({ ambient, authorizer: withLoopback }),
      storedServiceAccountAdmission(store, ambient),
      storedNodeRestriction(store, ambient),
    ],
    async bootstrapRoles(catalog) {
      if (usesRoles) await makeDefaultRoles(catalog, group, ambient);
    },
    [Symbol.dispose]() {
      rbac[Symbol.dispose]();
      nodes[Symbol.dispose]();
    },
  };
}

function storedNodeRestriction(store: ObjectStore, ambient: Ambient): AdmissionPlugin {
  return createNodeRestriction({
    ambient,
    pod: async (namespace, name) => (await store.get(`/pods/${namespace}/${name}`))?.object,
    node: async (name) => (await store.get(`/nodes/${name}`))?.object,
  });
}

function storedServiceAccountAdmission(store: ObjectStore, ambient: Ambient): AdmissionPlugin {
  return createServiceAccountAdmission({
    ambient,
    serviceAccount: async (namespace, name, { allowCached }) =>
      (await store.get(`/serviceaccounts/${namespace}/${name}`, allowCached ? { notOlderThan: 0 } : {}))
        ?.object,
  });
}

function authenticatorOf(
  store: ObjectStore,
  { ambient, authenticator, serviceAccounts, metrics, secretUsed }: ServerAccessOptions,
  apiAudiences: readonly string[],
): Authenticator {
  if (!authenticator) return withAnonymous(createUnionAuthenticator([]));
  const configured = authenticator({
    apiAudiences,
    metrics,
    bootstrap: createBootstrapTokens({
      ambient,
      secret: async (namespace, name) => (await store.get(`/secrets/${namespace}/${name}`))?.object,
    }),
    serviceAccounts: serviceAccounts
      ? storedServiceAccountTokens(store, serviceAccounts, { ambient, apiAudiences, secretUsed })
      : createUnionTokens([]),
  });
  return requireMethod('authenticator', 'authenticate', configured);
}

/** What a function of the host made. @throws TypeError for what is none: a function that returns nothing must not allow everything */
function requireMethod<T extends object>(option: string, method: string, value: T): T {
  if (typeof (value as Readonly<Record<string, unknown>> | undefined)?.[method] === 'function') return value;
  const expected = `a function that returns an object with ${method}`;
  throw new TypeError(
    `option "${option}" of createApiServer must be ${expected}, and it returned ${actualValueText(value)}`,
  );
}

async function makeDefaultRoles(catalog: ApiCatalog, group: string, { vocabulary }: Ambient): Promise<void> {
  const objects = (plural: string): ReconciledObjects => storedObjects(catalog, group, plural);
  await reconcileDefaultRoles(
    {
      clusterRoles: objects('clusterroles'),
      clusterRoleBindings: objects('clusterrolebindings'),
      roles: objects('roles'),
      roleBindings: objects('rolebindings'),
    },
    vocabulary,
  );
}

/** Reads and writes the objects of a served type as the server itself. */
function storedObjects(catalog: ApiCatalog, group: string, plural: string): ReconciledObjects {
  const served = catalog.find(group, 'v1', plural);
  if (!served) throw new TypeError(`${plural}.${group} is not served`);
  const { storage } = served;
  const context = ({ metadata }: Pick<ApiObject, 'metadata'>) =>
    systemContext(served, metadata.namespace ?? '');
  return {
    async get(namespace, name) {
      try {
        const result = await storage.get?.(systemContext(served, namespace), { name });
        return result && objectOf(result);
      } catch (error) {
        return undefinedIfNotFound(error);
      }
    },
    async create(object) {
      await storage.create?.(context(object), object);
    },
    async update(object) {
      await storage.update?.(context(object), { name: object.metadata.name ?? '', update: () => object });
    },
    async delete(object) {
      await storage.delete?.(context(object), object.metadata.name ?? '', {});
    },
  };
}
