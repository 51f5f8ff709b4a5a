import {
  type ApiObject,
  type Authorizer,
  groupName,
  type JsonObject,
  StatusError,
  type Vocabulary,
} from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionRuleMatches } from '../admission-rule.ts';
import { type ReviewedObjects, reviewRequest } from './admission-review.ts';
import { type MatchConditions, meetsConditions } from './match-conditions.ts';
import type { ReadyWebhook } from './webhook-source.ts';

/** What matching reads besides the request. */
export interface MatchingEnvironment {
  readonly vocabulary: Vocabulary;
  /** Decides for the user of the request what match conditions ask of `authorizer`. */
  readonly authorizer: Authorizer;
  /** Returns a stored namespace, which with `allowCached` may be a little old. */
  namespace(
    name: string,
    options: { readonly allowCached: boolean },
  ): ApiObject | undefined | Promise<ApiObject | undefined>;
}

/** A request in the versions in which webhooks see it: each is converted once. */
export class VersionedRequest {
  readonly request: AdmissionRequest;
  readonly #objects: Map<string, ReviewedObjects> = new Map();

  constructor(request: AdmissionRequest) {
    this.request = request;
  }

  async inVersion(version: string): Promise<ReviewedObjects> {
    const known = this.#objects.get(version);
    if (known) return known;
    const { object, oldObject } = this.request;
    const converted = {
      version,
      object: object && (await this.#convert(object, version)),
      oldObject: oldObject && (await this.#convert(oldObject, version)),
    };
    this.#objects.set(version, converted);
    return converted;
  }

  async #convert(object: ApiObject, version: string): Promise<ApiObject> {
    const { versions, resource } = this.request;
    const own = resource.version;
    return version === own || !versions ? object : versions.convert(object, own, version);
  }
}

/** A request that a webhook is to be called for. */
export interface MatchedRequest {
  readonly objects: ReviewedObjects;
  /** The request of the review, without uid. */
  readonly review: JsonObject;
}

/**
 * Returns the request as a webhook sees it, if it is to be called: by rules, selectors and match conditions, in this order
 * (semantics/admission#webhook-configuration).
 * @throws StatusError 403 for a condition that fails, 404 for a namespace that is gone
 */
export async function matchWebhook(
  ready: ReadyWebhook,
  versioned: VersionedRequest,
  environment: MatchingEnvironment,
): Promise<MatchedRequest | undefined> {
  const { request } = versioned;
  const version = matchedVersion(ready, request);
  if (version === undefined || !objectMatches(ready, request)) return undefined;
  if (!(await namespaceMatches(ready, request, environment))) return undefined;
  const objects = await versioned.inVersion(version);
  const review = reviewRequest(request, objects, environment.vocabulary);
  return (await conditionsHold(ready, request, objects, review, environment))
    ? { objects, review }
    : undefined;
}

/** Whether webhooks are never asked: about their own configurations and about policies. */
export function isExempt({ resource }: Pick<AdmissionRequest, 'resource'>, vocabulary: Vocabulary): boolean {
  return EXEMPT.has(resource.resource) && resource.group === groupName(vocabulary, 'admissionregistration.');
}

const EXEMPT: ReadonlySet<string> = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);

/** Returns the version in which a rule matches: that of the request if one does, else the first of the others. */
function matchedVersion({ webhook }: ReadyWebhook, request: AdmissionRequest): string | undefined {
  const rules = webhook.rules ?? [];
  if (rules.some((rule) => admissionRuleMatches(rule, request))) return request.resource.version;
  const { others = [] } = request.versions ?? {};
  if (webhook.matchPolicy === 'Exact' || others.length === 0) return undefined;
  for (const rule of rules) {
    const found = others.find((version) =>
      admissionRuleMatches(rule, { ...request, resource: { ...request.resource, version } }),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function objectMatches({ objectSelector }: ReadyWebhook, { object, oldObject }: AdmissionRequest): boolean {
  const fits = (one: ApiObject | undefined): boolean =>
    one !== undefined && objectSelector.matches(one.metadata?.labels ?? {});
  return fits(object) || fits(oldObject);
}

async function namespaceMatches(
  { namespaceSelector }: ReadyWebhook,
  request: AdmissionRequest,
  environment: MatchingEnvironment,
): Promise<boolean> {
  if (request.namespace === '' || namespaceSelector.isEmpty) return true;
  const labels = await namespaceLabels(request, environment);
  return namespaceSelector.matches(labels);
}

/** Returns the labels of the namespace of a request; those of a namespace that is written are the new ones. */
async function namespaceLabels(
  { resource, namespace: name, operation, subresource, object }: AdmissionRequest,
  { namespace }: MatchingEnvironment,
): Promise<Readonly<Record<string, string>>> {
  const isNamespace = resource.group === '' && resource.resource === 'namespaces';
  const isWritten = operation === 'CREATE' || operation === 'UPDATE';
  if (isNamespace && isWritten && subresource === '') return object?.metadata.labels ?? {};
  const found =
    (await namespace(name, { allowCached: true })) ?? (await namespace(name, { allowCached: false }));
  if (!found) throw StatusError.notFound({ group: '', resource: 'namespaces' }, name);
  return found.metadata.labels ?? {};
}

async function conditionsHold(
  ready: ReadyWebhook,
  request: AdmissionRequest,
  { object, oldObject }: ReviewedObjects,
  review: JsonObject,
  { vocabulary, authorizer }: MatchingEnvironment,
): Promise<boolean> {
  if ((ready.webhook.matchConditions ?? []).length === 0) return true;
  const conditions = ready.conditions();
  const met =
    conditions instanceof Error
      ? conditions
      : await meetsConditions(
          conditions as MatchConditions,
          { request, review, object: object ?? null, oldObject: oldObject ?? null },
          vocabulary,
          authorizer,
        );
  if (!(met instanceof Error)) return met;
  if (ready.webhook.failurePolicy === 'Ignore') return false;
  throw StatusError.forbidden(request.resource, request.name, met.message);
}
