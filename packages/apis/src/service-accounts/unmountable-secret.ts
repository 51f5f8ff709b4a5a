import type { ServiceAccount } from '../core/serviceaccounts.ts';
import type { Pod } from '../workloads/core/pod-types.ts';
import type { Container } from '../workloads/pods/container-types.ts';

/** Why a pod may not reference its secrets, if it is limited to those of its account; undefined if it may. */
export function unmountableSecret(account: ServiceAccount, { spec = {} }: Pod): string | undefined {
  const isAllowed = allowedSecrets(account);
  const refused = (what: string, kind?: string): string => notAllowed(what, account, kind);
  for (const { secret } of spec.volumes ?? []) {
    const { secretName = '' } = secret ?? {};
    if (secret && !isAllowed(secretName)) return refused(`volume with secret.secretName="${secretName}"`);
  }
  const found =
    ofContainers('init container', spec.initContainers, isAllowed) ??
    ofContainers('container', spec.containers, isAllowed);
  if (found !== undefined) return refused(found);
  const ofImages = new Set((account.imagePullSecrets ?? []).map(({ name = '' }) => name));
  const at = (spec.imagePullSecrets ?? []).findIndex(({ name = '' }) => !ofImages.has(name));
  return at < 0
    ? undefined
    : refused(`imagePullSecrets[${at}].name="${spec.imagePullSecrets?.[at]?.name ?? ''}"`, 'imagePullSecret');
}

/** The same for containers added to a running pod. */
export function unmountableSecretOfEphemeral(account: ServiceAccount, { spec }: Pod): string | undefined {
  const found = ofContainers('ephemeral container', spec?.ephemeralContainers, allowedSecrets(account));
  return found && notAllowed(found, account);
}

const notAllowed = (what: string, { metadata }: ServiceAccount, kind = 'secret'): string =>
  `${what} is not allowed because service account ${metadata.name} does not reference that ${kind}`;

function allowedSecrets({ secrets = [] }: ServiceAccount): (name: string) => boolean {
  const names = new Set(secrets.map(({ name = '' }) => name));
  return (name) => names.has(name);
}

/** The first reference of containers to a forbidden secret. */
function ofContainers(
  kind: string,
  containers: readonly Container[] | null | undefined,
  isAllowed: (name: string) => boolean,
): string | undefined {
  for (const { name, env = [], envFrom = [] } of containers ?? []) {
    for (const variable of env) {
      const secret = variable.valueFrom?.secretKeyRef;
      if (secret && !isAllowed(secret.name ?? ''))
        return `${kind} ${name} with envVar ${variable.name} referencing secret.secretName="${secret.name ?? ''}"`;
    }
    for (const { secretRef } of envFrom) {
      if (secretRef && !isAllowed(secretRef.name ?? ''))
        return `${kind} ${name} with envFrom referencing secret.secretName="${secretRef.name ?? ''}"`;
    }
  }
  return undefined;
}
