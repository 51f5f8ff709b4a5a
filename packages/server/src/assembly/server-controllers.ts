import {
  type Controller,
  type ControllerOptions,
  createApiServiceController,
  createClusterInfoSigner,
  createNamespaceController,
  createRequestCleaner,
  createRoleAggregationController,
  createRootCertificatePublisher,
  createServiceAccountController,
  createTokenCleaner,
} from '@ashlar/controllers';
import { type CertificateSigning, createSigningController } from '../certificates/certificate-signing.ts';
import {
  type ControllerChoice,
  type ControllerName,
  controllerNames,
  isChosen,
} from './controller-selection.ts';

/** Which loops run in a server. */
export interface ServerControllersOptions {
  /** Without it all that are on by default; `false`: none. */
  readonly controllers?: boolean | readonly ControllerChoice[];
  readonly certificateSigning?: CertificateSigning;
  /** PEM; published where it is given. */
  readonly rootCertificateAuthority?: string;
  /** Whether pods are given service accounts. */
  readonly serviceAccountAdmission?: boolean;
  /** Whether roles decide. */
  readonly usesRoles: boolean;
  /** Whether requests of certificates are served. */
  readonly servesSigningRequests: boolean;
}

/**
 * The loops that are chosen and have something to do. API services are kept wherever loops run at all.
 * @throws TypeError for signing that cannot be
 */
export function createServerControllers(
  options: ServerControllersOptions,
  surroundings: ControllerOptions,
): readonly Controller[] {
  const { controllers = true, certificateSigning, usesRoles, servesSigningRequests } = options;
  const { rootCertificateAuthority: certificateAuthority, serviceAccountAdmission = false } = options;
  if (certificateSigning && !servesSigningRequests)
    throw new TypeError('certificates are to be signed, but requests of certificates are not served');
  const signing = certificateSigning && createSigningController(certificateSigning, surroundings);
  if (controllers === false) return [];
  const choices = controllers === true ? (['*'] as const) : controllers;
  const loops: Readonly<Record<ControllerName, () => Controller | undefined>> = {
    namespace: () => createNamespaceController(surroundings),
    'clusterrole-aggregation': () => (usesRoles ? createRoleAggregationController(surroundings) : undefined),
    csrsigning: () => signing,
    csrcleaner: () => (servesSigningRequests ? createRequestCleaner(surroundings) : undefined),
    tokencleaner: () => createTokenCleaner(surroundings),
    bootstrapsigner: () => createClusterInfoSigner(surroundings),
    serviceaccount: () => createServiceAccountController(surroundings),
    'root-ca-cert-publisher': () =>
      certificateAuthority === undefined
        ? undefined
        : createRootCertificatePublisher({ ...surroundings, certificateAuthority }),
  };
  const wanted: readonly ControllerName[] = serviceAccountAdmission ? ['serviceaccount'] : [];
  const chosen = controllerNames
    .filter((name) => isChosen(choices, name, wanted))
    .map((name) => loops[name]());
  return [createApiServiceController(surroundings), ...chosen.filter((loop) => loop !== undefined)];
}
