import { type AdmissionPlugin, type AdmissionRequest, forbiddenByAdmission } from '@ashlar/admission';
import { type ApiObject, fieldErrorText, groupName, joinedTexts, jsonEqual, StatusError } from '@ashlar/core';
import {
  isFullyPrivileged,
  policyOfLabels,
  type SecurityPolicy,
  type SecurityStandard,
  securityPrefix,
  standardText,
} from '../pod-security/pod-security-levels.ts';
import { standardViolations, violationsText } from '../pod-security/pod-security-standards.ts';
import type { SecuredContainer, SecuredPodSpec, Violation } from '../pod-security/secured-pod.ts';
import { checkNamespace } from './pod-security-of-namespaces.ts';
import type {
  PodSecurityExemptions,
  PodSecurityOptions,
  PodSecuritySettings,
} from './pod-security-options.ts';

const ANYTHING: SecurityStandard = { level: 'privileged', minor: undefined };
const NO_POLICY: SecurityPolicy = { enforce: ANYTHING, audit: ANYTHING, warn: ANYTHING };
const NO_EXEMPTIONS: PodSecurityExemptions = { namespaces: [], usernames: [], runtimeClasses: [] };

interface Template {
  readonly metadata?: ApiObject['metadata'];
  readonly spec?: SecuredPodSpec;
}
interface TemplateOwner extends ApiObject {
  readonly template?: Template;
  readonly spec?: {
    readonly template?: Template;
    readonly jobTemplate?: { readonly spec?: TemplateOwner['spec'] };
  };
}

/**
 * Refuses pods that violate the security standard that labels of their namespace name, warns of them and of templates, and notes both in
 * the audit log; also of existing pods when the labels of a namespace become stricter (semantics/admission#default-plugins).
 */
export function createPodSecurity(options: PodSecurityOptions): AdmissionPlugin {
  const settings: PodSecuritySettings = { defaults: NO_POLICY, exemptions: NO_EXEMPTIONS, ...options };
  const owners = templateOwners(settings);
  return {
    name: 'PodSecurity',
    handles({ resource: { group, resource }, subresource, operation }) {
      if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
      if (group === '' && resource === 'pods') return !IGNORED_SUBRESOURCES.has(subresource);
      if (subresource !== '') return false;
      return owners.get(resource) === group || (group === '' && resource === 'namespaces');
    },
    async validate(request) {
      const { resource } = request.resource;
      if (resource === 'namespaces') await checkNamespace(request, settings);
      else await checkPods(request, settings);
    },
  };
}

const IGNORED_SUBRESOURCES: ReadonlySet<string> = new Set(
  'exec attach binding eviction log portforward proxy status'.split(' '),
);

/** The groups of kinds with a template of pods, by their plural. */
function templateOwners({ ambient: { vocabulary } }: PodSecuritySettings): ReadonlyMap<string, string> {
  const of = (group: string, ...plurals: readonly string[]): readonly (readonly [string, string])[] =>
    plurals.map((plural) => [plural, group && groupName(vocabulary, group)]);
  return new Map([
    ...of('', 'replicationcontrollers', 'podtemplates'),
    ...of('apps', 'replicasets', 'deployments', 'statefulsets', 'daemonsets'),
    ...of('batch', 'jobs', 'cronjobs'),
  ]);
}

async function checkPods(request: AdmissionRequest, settings: PodSecuritySettings): Promise<void> {
  const { ambient, defaults, exemptions } = settings;
  const isPod = request.resource.resource === 'pods';
  const note = (key: string, value: string): void =>
    request.annotate(securityPrefix(ambient.vocabulary) + key, value);
  if (exemptions.namespaces.includes(request.namespace)) return note('exempt', 'namespace');
  if (exemptions.usernames.includes(request.user.name)) return note('exempt', 'user');
  const namespace = await settings.namespace(request.namespace);
  if (!namespace) return refuseUnknownNamespace(request, isPod, note);
  const { policy, errors } = policyOfLabels(namespace.metadata.labels, defaults, ambient.vocabulary);
  if (errors.length === 0 && isFullyPrivileged(policy))
    return isPod ? note('enforce-policy', standardText(policy.enforce)) : undefined;
  if (isPod && !isSignificant(request)) return;
  const template = isPod ? (request.object as Template) : templateOf(request.object as TemplateOwner);
  if (!template) return;
  if (exemptions.runtimeClasses.includes(template.spec?.runtimeClassName ?? ''))
    return note('exempt', 'runtimeClass');
  if (errors.length > 0) note('error', `Failed to parse policy: ${joinedTexts(errors.map(fieldErrorText))}`);
  evaluate(request, template, { policy, enforces: isPod, labelDomain: ambient.vocabulary.labelDomain, note });
}

/** @throws StatusError 500 for pods */
function refuseUnknownNamespace(
  { namespace }: AdmissionRequest,
  isPod: boolean,
  note: (key: string, value: string) => void,
): void {
  const why = `failed to lookup namespace ${JSON.stringify(namespace)}`;
  if (isPod) throw StatusError.internalError(new Error(why));
  note('error', `${why}: namespaces ${JSON.stringify(namespace)} not found`);
}

const templateOf = ({ template, spec }: TemplateOwner): Template | undefined =>
  template ?? spec?.template ?? spec?.jobTemplate?.spec?.template;

interface Evaluation {
  readonly policy: SecurityPolicy;
  readonly enforces: boolean;
  readonly labelDomain: string;
  readonly note: (key: string, value: string) => void;
}

/** @throws StatusError 403 for a pod that violates the enforced standard */
function evaluate(
  request: AdmissionRequest,
  { metadata, spec = {} }: Template,
  { policy, enforces, labelDomain, note }: Evaluation,
): void {
  const violationsByStandard = new Map<string, readonly Violation[]>();
  const problem = (standard: SecurityStandard): string | undefined => {
    const text = standardText(standard);
    const found = violationsByStandard.get(text) ?? standardViolations(standard, metadata, spec, labelDomain);
    violationsByStandard.set(text, found);
    return found.length > 0 ? `violate PodSecurity "${text}": ${violationsText(found)}` : undefined;
  };
  if (enforces) note('enforce-policy', standardText(policy.enforce));
  const noted = problem(policy.audit);
  if (noted) note('audit-violations', `would ${noted}`);
  const refused = enforces ? problem(policy.enforce) : undefined;
  if (refused) throw forbiddenByAdmission(request, refused.replace('violate', 'violates'));
  const warned = problem(policy.warn);
  if (warned) request.warn(`would ${warned}`);
}

/** Whether an update of a pod changes what was checked: its images, and which containers it has. */
function isSignificant({ operation, object, oldObject }: AdmissionRequest): boolean {
  if (operation === 'CREATE') return true;
  const [spec, before] = [(object as Template).spec ?? {}, (oldObject as Template).spec ?? {}];
  const images = (containers: readonly SecuredContainer[] | null | undefined): string[] =>
    (containers ?? []).map(({ image = '' }) => image);
  const added = new Map((before.ephemeralContainers ?? []).map(({ name, image }) => [name, image]));
  return (
    !jsonEqual(images(spec.containers), images(before.containers)) ||
    !jsonEqual(images(spec.initContainers), images(before.initContainers)) ||
    (spec.ephemeralContainers ?? []).some(({ name, image }) => added.get(name) !== image)
  );
}
