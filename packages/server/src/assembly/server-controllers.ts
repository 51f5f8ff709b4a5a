import type { TypedKinds } from '@ashlar/admission';
import type { Client } from '@ashlar/client';
import {
  type Controller,
  type ControllerOptions,
  createApiServiceController,
  createClusterInfoSigner,
  createFlowSchemaStatusController,
  createGarbageCollector,
  createNamespaceController,
  createPolicyStatusController,
  createRequestCleaner,
  createRoleAggregationController,
  createRootCertificatePublisher,
  createServiceAccountController,
  createStorageVersionMigrator,
  createTokenCleaner,
  type OwnershipSource,
} from '@ashlar/controllers';
import type { ObjectStore } from '@ashlar/storage';
import { type CertificateSigning, createSigningController } from '../certificates/certificate-signing.ts';
import { createQuotaController } from '../quota/quota-controller.ts';
import {
  type ControllerChoice,
  type ControllerName,
  controllerNames,
  isChosen,
} from './controller-selection.ts';

/** Selects the controllers that a server runs. */
export interface ServerControllersOptions {
  /** Default: those that are on by default. `false`: none. */
  readonly controllers?: boolean | readonly ControllerChoice[];
  readonly certificateSigning?: CertificateSigning;
  /** CA certificate, PEM; published in every namespace if present. */
  readonly rootCertificateAuthority?: string;
  /** The store whose quotas are counted; absent if quotas are not enforced. */
  readonly quotaStore?: ObjectStore;
  /** Whether pods need service accounts. */
  readonly makesAccounts: boolean;
  /** Reports the owners of objects to the garbage collector. */
  readonly ownership: OwnershipSource;
  /** Whether RBAC is used. */
  readonly usesRoles: boolean;
  /** The kinds that admission policies are checked against; absent if no policies are served. */
  readonly kinds?: TypedKinds;
  /** Whether flow schemas are served. */
  readonly servesFlowSchemas: boolean;
  /** Whether certificate signing requests are served. */
  readonly servesSigningRequests: boolean;
  /** Whether storage version migrations are served. */
  readonly servesMigrations: boolean;
}

/** What every controller gets, which acts as the server itself, or as a user of its own. */
export interface OwnControllerOptions extends ControllerOptions {
  clientOf(name: ControllerName): Client;
}

/**
 * Creates the selected controllers that have work to do. The API service controller always runs unless `controllers` is `false`.
 * @throws TypeError for a signing certificate that cannot be used
 */
export function createServerControllers(
  options: ServerControllersOptions,
  own: OwnControllerOptions,
): readonly Controller[] {
  const as = (name: ControllerName): ControllerOptions => ({ ...own, client: own.clientOf(name) });
  const { controllers = true, certificateSigning, usesRoles, servesSigningRequests } = options;
  const { rootCertificateAuthority: certificateAuthority, makesAccounts, quotaStore, kinds } = options;
  if (certificateSigning && !servesSigningRequests)
    throw new TypeError('certificateSigning needs certificatesigningrequests, which are not served');
  const signing = certificateSigning && createSigningController(certificateSigning, as('csrsigning'));
  if (controllers === false) return [];
  const choices = controllers === true ? (['*'] as const) : controllers;
  const factories: Readonly<Record<ControllerName, () => Controller | undefined>> = {
    namespace: () => createNamespaceController(as('namespace')),
    garbagecollector: () => createGarbageCollector({ ...as('garbagecollector'), source: options.ownership }),
    'clusterrole-aggregation': () =>
      usesRoles ? createRoleAggregationController(as('clusterrole-aggregation')) : undefined,
    csrsigning: () => signing,
    csrcleaner: () => (servesSigningRequests ? createRequestCleaner(as('csrcleaner')) : undefined),
    tokencleaner: () => createTokenCleaner(as('tokencleaner')),
    bootstrapsigner: () => createClusterInfoSigner(as('bootstrapsigner')),
    serviceaccount: () => createServiceAccountController(as('serviceaccount')),
    resourcequota: () => quotaStore && createQuotaController({ ...as('resourcequota'), store: quotaStore }),
    svm: () => (options.servesMigrations ? createStorageVersionMigrator(as('svm')) : undefined),
    'validatingadmissionpolicy-status': () =>
      kinds && createPolicyStatusController({ ...as('validatingadmissionpolicy-status'), kinds }),
    'root-ca-cert-publisher': () =>
      certificateAuthority === undefined
        ? undefined
        : createRootCertificatePublisher({ ...as('root-ca-cert-publisher'), certificateAuthority }),
  };
  const enabled: readonly ControllerName[] = [
    ...(makesAccounts ? (['serviceaccount'] as const) : []),
    ...(quotaStore ? (['resourcequota'] as const) : []),
  ];
  const selected = controllerNames
    .filter((name) => isChosen(choices, name, enabled))
    .map((name) => factories[name]());
  return [
    createApiServiceController(own),
    ...(options.servesFlowSchemas ? [createFlowSchemaStatusController(own)] : []),
    ...selected.filter((controller) => controller !== undefined),
  ];
}
