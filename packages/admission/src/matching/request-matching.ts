import { type ApiObject, type LabelSelector, StatusError } from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';
import { type AdmissionRule, admissionRuleMatches } from '../admission-rule.ts';

/** A rule that may be limited to names of objects: those of policies. */
export interface NamedAdmissionRule extends AdmissionRule {
  /** Matches every name if empty. */
  readonly resourceNames?: readonly string[] | null;
}

/** Returns a stored namespace, which with `allowCached` may be a little old. */
export type NamespaceReader = (
  name: string,
  options: { readonly allowCached: boolean },
) => ApiObject | undefined | Promise<ApiObject | undefined>;

/**
 * Returns the version in which a rule matches: that of the request if one does, else the first of the others
 * (semantics/admission#webhook-configuration).
 */
export function matchedVersion(
  rules: readonly NamedAdmissionRule[],
  matchPolicy: string | undefined,
  request: AdmissionRequest,
): string | undefined {
  for (const rule of rules) if (ruleMatches(rule, request)) return request.resource.version;
  const { others = [] } = request.versions ?? {};
  if (matchPolicy === 'Exact' || others.length === 0) return undefined;
  for (const rule of rules) {
    const found = others.find((version) =>
      ruleMatches(rule, { ...request, resource: { ...request.resource, version } }),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function ruleMatches(rule: NamedAdmissionRule, request: AdmissionRequest): boolean {
  const { resourceNames } = rule;
  if (resourceNames && resourceNames.length > 0 && !resourceNames.includes(request.name)) return false;
  return admissionRuleMatches(rule, request);
}

/** Whether the object before or after the change has the labels. */
export function objectMatches(selector: LabelSelector, { object, oldObject }: AdmissionRequest): boolean {
  if (selector.isEmpty) return object !== undefined || oldObject !== undefined;
  const fits = (one: ApiObject | undefined): boolean =>
    // options of connections have no metadata, thus no labels
    one?.metadata !== undefined && selector.matches(one.metadata.labels ?? {});
  return fits(object) || fits(oldObject);
}

/** Whether the namespace of a request has the labels; what is in no namespace matches. @throws StatusError 404 if it does not exist */
export function namespaceMatches(
  selector: LabelSelector,
  request: AdmissionRequest,
  namespace: NamespaceReader,
): boolean | Promise<boolean> {
  if (selector.isEmpty || (request.namespace === '' && !isNamespace(request))) return true;
  const { operation, subresource, object } = request;
  const isWritten = operation === 'CREATE' || operation === 'UPDATE';
  // those of a namespace that is written are the new ones
  if (isNamespace(request) && isWritten && subresource === '')
    return selector.matches(object?.metadata.labels ?? {});
  return readNamespace(request.namespace, namespace).then(({ metadata }) =>
    selector.matches(metadata.labels ?? {}),
  );
}

/** Whether a request is for a namespace itself. */
const isNamespace = ({ resource }: Pick<AdmissionRequest, 'resource'>): boolean =>
  resource.group === '' && resource.resource === 'namespaces';

/** Returns a function that reads the namespace of a request at most once; requests for namespaces themselves have none. */
export function namespaceOnce(
  request: AdmissionRequest,
  namespace: NamespaceReader,
): () => Promise<ApiObject | undefined> {
  let found: Promise<ApiObject | undefined> | undefined;
  return () => {
    found ??=
      request.namespace === '' || isNamespace(request)
        ? Promise.resolve(undefined)
        : readNamespace(request.namespace, namespace);
    return found;
  };
}

/** @throws StatusError 404 */
async function readNamespace(name: string, namespace: NamespaceReader): Promise<ApiObject> {
  const found =
    (await namespace(name, { allowCached: true })) ?? (await namespace(name, { allowCached: false }));
  if (!found) throw StatusError.notFound({ group: '', resource: 'namespaces' }, name);
  return found;
}
