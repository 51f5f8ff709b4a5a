import type { AdmissionRequest } from '@ashlar/admission';
import { type ApiObject, type JsonValue, jsonEqual, pause, StatusError } from '@ashlar/core';
import {
  isFullyPrivileged,
  isSamePolicy,
  isSameStandard,
  isStricter,
  labelledPolicyText,
  policyOfLabels,
  type SecurityPolicy,
  type SecurityStandard,
  standardText,
} from '../pod-security/pod-security-levels.ts';
import { standardViolations } from '../pod-security/pod-security-standards.ts';
import type { SecuredPodSpec } from '../pod-security/secured-pod.ts';
import type { PodSecuritySettings } from './pod-security-options.ts';

interface CheckedPod extends ApiObject {
  readonly spec?: SecuredPodSpec;
}

/** How many pods are checked when a namespace becomes stricter, and for how long. */
const MAXIMUM_PODS = 3000;
const MAXIMUM_MILLISECONDS = 1000;

/** Pods that are checked before others may run. */
const SLICE = 50;

/** Checks the labels of a namespace, and warns of pods that a stricter one would refuse. @throws StatusError 422 */
export async function checkNamespace(
  request: AdmissionRequest,
  settings: PodSecuritySettings,
): Promise<void> {
  const { kind, name, object, oldObject } = request;
  const read = (namespace: ApiObject | undefined) =>
    policyOfLabels(namespace?.metadata.labels, settings.defaults, settings.ambient.vocabulary);
  const { policy, errors } = read(object);
  const before = oldObject && read(oldObject);
  const isOld = before && jsonEqual(errors as unknown as JsonValue, before.errors as unknown as JsonValue);
  if (errors.length > 0 && !isOld) throw StatusError.invalid(kind.group, kind.kind, name, errors);
  if (before && !isStricterPolicy(policy.enforce, before.policy.enforce)) return;
  if (settings.exemptions.namespaces.includes(name)) warnOfExemption(request, policy, settings);
  else if (before) await warnOfPods(request, policy.enforce, settings);
}

const isStricterPolicy = (standard: SecurityStandard, before: SecurityStandard): boolean =>
  standard.level !== 'privileged' &&
  !isSameStandard(standard, before) &&
  (standard.minor !== before.minor || isStricter(standard.level, before.level));

function warnOfExemption(
  { name, object, warn }: AdmissionRequest,
  policy: SecurityPolicy,
  { defaults, ambient }: PodSecuritySettings,
): void {
  if (isFullyPrivileged(policy) || isSamePolicy(policy, defaults)) return;
  const text = labelledPolicyText(object?.metadata.labels, policy, ambient.vocabulary);
  warn(
    `namespace ${JSON.stringify(name)} is exempt from Pod Security, and the policy (${text}) will be ignored`,
  );
}

async function warnOfPods(
  { name, warn }: AdmissionRequest,
  standard: SecurityStandard,
  settings: PodSecuritySettings,
): Promise<void> {
  const { ambient } = settings;
  const pods = prioritized(await settings.podsOf(name), settings.exemptions.runtimeClasses);
  const until = ambient.clock.monotonic() + MAXIMUM_MILLISECONDS;
  const names = new Map<string, string[]>();
  let checked = 0;
  for (const pod of pods.slice(0, MAXIMUM_PODS)) {
    checked++;
    const violations = standardViolations(
      standard,
      pod.metadata,
      pod.spec ?? {},
      ambient.vocabulary.labelDomain,
    );
    const text = violations.map(({ reason }) => reason).join(', ');
    if (text) names.set(text, [...(names.get(text) ?? []), pod.metadata.name ?? '']);
    if (ambient.clock.monotonic() > until) break;
    if (checked % SLICE === 0) await pause(ambient);
  }
  if (checked < pods.length)
    warn(
      `new PodSecurity enforce level only checked against the first ${checked} of ${pods.length} existing pods`,
    );
  if (names.size === 0) return;
  const where = `existing pods in namespace ${JSON.stringify(name)}`;
  warn(`${where} violate the new PodSecurity enforce level "${standardText(standard)}"`);
  for (const text of [...names].map(podsText).sort()) warn(text);
}

/** Of the pods of a controller the first is checked before the others of any. */
function prioritized(
  pods: readonly ApiObject[],
  exemptRuntimeClasses: readonly string[],
): readonly CheckedPod[] {
  const [first, rest]: [CheckedPod[], CheckedPod[]] = [[], []];
  const controllers = new Set<string>();
  for (const pod of pods as readonly CheckedPod[]) {
    if (exemptRuntimeClasses.includes(pod.spec?.runtimeClassName ?? '')) continue;
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller)?.uid;
    (owner !== undefined && controllers.has(owner) ? rest : first).push(pod);
    if (owner !== undefined) controllers.add(owner);
  }
  return [...first, ...rest];
}

function podsText([text, names]: readonly [string, readonly string[]]): string {
  const [first] = [...names].sort();
  const others = names.length - 1;
  const more = others === 0 ? '' : ` (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
  return `${first}${more}: ${text}`;
}
