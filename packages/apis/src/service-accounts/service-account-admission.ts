import { type AdmissionPlugin, type AdmissionRequest, forbiddenByAdmission } from '@ashlar/admission';
import { podReferences } from '@ashlar/authz';
import { type Ambient, StatusError } from '@ashlar/core';
import {
  DEFAULT_SERVICE_ACCOUNT,
  enforcingAnnotation,
  type ServiceAccount,
} from '../core/serviceaccounts.ts';
import type { Pod } from '../workloads/core/pod-types.ts';
import { mirrorAnnotation } from '../workloads/pods/pod-annotations.ts';
import { type FindServiceAccount, ServiceAccountLookUp } from './service-account-look-up.ts';
import { withTokenVolume } from './token-volume.ts';
import { unmountableSecret, unmountableSecretOfEphemeral } from './unmountable-secret.ts';

export interface ServiceAccountAdmissionOptions {
  readonly ambient: Ambient;
  /** The stored account of a name. */
  readonly serviceAccount: FindServiceAccount;
}

/**
 * Ensures that every pod has an existing service account: the one that it names, otherwise `default`. Adds
 * the account's image pull secrets, if the pod names none, and mounts a token, unless pod or account opt out;
 * if the account requires it, pods may reference only its secrets. Mirror pods have neither account nor
 * secrets (semantics/access#authentication; semantics/access#service-accounts).
 *
 * @example
 * const plugin = createServiceAccountAdmission({ ambient, serviceAccount: findServiceAccount });
 * const admission = createAdmissionChain([plugin]);
 */
export function createServiceAccountAdmission(options: ServiceAccountAdmissionOptions): AdmissionPlugin {
  const { ambient } = options;
  const { vocabulary } = ambient;
  const mirror = mirrorAnnotation(vocabulary);
  const rules: PodRules = {
    ...{ ambient, mirror, accounts: new ServiceAccountLookUp(options.serviceAccount, ambient) },
    enforcing: enforcingAnnotation(vocabulary),
  };
  return {
    name: 'ServiceAccount',
    handles: ({ resource, subresource, operation, object }) =>
      resource.group === '' &&
      resource.resource === 'pods' &&
      object !== undefined &&
      ((operation === 'CREATE' && subresource === '') ||
        (operation === 'UPDATE' && subresource === 'ephemeralcontainers')),
    // rejected before the object is read further, and again after other plugins have changed it
    async admit(request) {
      const pod = request.object as Pod;
      if (request.operation !== 'CREATE') return undefined;
      if (isAnnotated(pod, mirror)) return refuse(request, mirrorProblem(pod));
      return withAccount(request, pod, rules);
    },
    validate: (request) => check(request, request.object as Pod, rules),
  };
}

/** Restrictions of pods. */
interface PodRules {
  readonly ambient: Ambient;
  readonly accounts: ServiceAccountLookUp;
  /** Annotation of mirror pods. */
  readonly mirror: string;
  /** Annotation of accounts that limits their pods to the account's secrets. */
  readonly enforcing: string;
}

const isAnnotated = ({ metadata }: Pod, annotation: string): boolean =>
  metadata.annotations?.[annotation] !== undefined;

/**
 * The pod with the defaults of its account. @throws StatusError 403 if it may not use it, or references
 * forbidden secrets
 */
async function withAccount(request: AdmissionRequest, pod: Pod, rules: PodRules): Promise<Pod> {
  const named = withAccountName(pod);
  const account = await rules.accounts.require(request, named.spec?.serviceAccountName ?? '');
  const mounted = isMounted(account, named) ? withTokenVolume(named, rules.ambient) : named;
  const defaulted = withPullSecrets(mounted, account);
  checkSecrets(request, defaulted, account, rules);
  return defaulted;
}

/** @throws StatusError */
async function check(request: AdmissionRequest, pod: Pod, rules: PodRules): Promise<void> {
  if (request.operation === 'UPDATE') return checkEphemeral(request, pod, rules);
  if (isAnnotated(pod, rules.mirror)) return refuse(request, mirrorProblem(pod));
  return checkPod(request, pod, rules);
}

function withAccountName(pod: Pod): Pod {
  if (pod.spec?.serviceAccountName) return pod;
  const name = DEFAULT_SERVICE_ACCOUNT;
  return { ...pod, spec: { ...pod.spec, serviceAccountName: name, serviceAccount: name } };
}

/** The pod takes precedence over its account. */
const isMounted = (account: ServiceAccount, { spec }: Pod): boolean =>
  spec?.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;

function withPullSecrets(pod: Pod, { imagePullSecrets = [] }: ServiceAccount): Pod {
  if (pod.spec?.imagePullSecrets?.length || imagePullSecrets.length === 0) return pod;
  return { ...pod, spec: { ...pod.spec, imagePullSecrets } };
}

function mirrorProblem(pod: Pod): string | undefined {
  const { serviceAccountName, volumes = [] } = pod.spec ?? {};
  if (serviceAccountName) return 'a mirror pod may not reference service accounts';
  if (podReferences(pod).some(({ resource }) => resource === 'secrets'))
    return 'a mirror pod may not reference secrets';
  const sources = volumes.flatMap(({ projected }) => projected?.sources ?? []);
  return sources.some(({ serviceAccountToken }) => serviceAccountToken)
    ? 'a mirror pod may not use ServiceAccountToken volume projections'
    : undefined;
}

async function checkPod(request: AdmissionRequest, pod: Pod, rules: PodRules): Promise<void> {
  checkSecrets(request, pod, await accountOf(request, pod, rules), rules);
}

/** @throws StatusError 403 */
function checkSecrets(request: AdmissionRequest, pod: Pod, account: ServiceAccount, rules: PodRules): void {
  if (isEnforcing(account, rules)) refuse(request, unmountableSecret(account, pod));
}

/** For containers added to a running pod the rejection is an internal error: 500. @throws Error */
async function checkEphemeral(request: AdmissionRequest, pod: Pod, rules: PodRules): Promise<void> {
  const account = await accountOf(request, pod, rules);
  const message = isEnforcing(account, rules) ? unmountableSecretOfEphemeral(account, pod) : undefined;
  if (message !== undefined) throw new StatusError({ code: 500, reason: '', message });
}

function accountOf(request: AdmissionRequest, pod: Pod, { accounts }: PodRules): Promise<ServiceAccount> {
  const name = pod.spec?.serviceAccountName;
  if (!name)
    throw forbiddenByAdmission(
      request,
      `no service account specified for pod ${request.namespace}/${pod.metadata.name ?? ''}`,
    );
  return accounts.require(request, name);
}

/** Go's spellings of true. */
const TRUE: ReadonlySet<string | undefined> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

const isEnforcing = ({ metadata }: ServiceAccount, { enforcing }: PodRules): boolean =>
  TRUE.has(metadata.annotations?.[enforcing]);

function refuse(request: AdmissionRequest, why: string | undefined): undefined {
  if (why !== undefined) throw forbiddenByAdmission(request, why);
  return undefined;
}
