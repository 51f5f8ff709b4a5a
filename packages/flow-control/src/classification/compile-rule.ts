import type { FlowPathRule, FlowResourceRule, FlowRule } from '../flow-objects.ts';
import type { FlowRequest } from './flow-request.ts';

/** Whether a request is one that a rule matches, whoever sends it. */
export type RequestMatch = (request: FlowRequest) => boolean;

const ALL = '*';
const always = (): boolean => true;

/** Compiles the part of a rule that does not depend on the user (semantics/requests#priority-and-fairness). */
export function compileRule({ resourceRules = [], nonResourceRules = [] }: FlowRule): RequestMatch {
  const ofResources = anyOf(resourceRules.map(resourceMatch));
  const ofPaths = anyOf(nonResourceRules.map(pathMatch));
  return (request) => (request.isResourceRequest ? ofResources : ofPaths)(request);
}

function anyOf(matches: readonly RequestMatch[]): RequestMatch {
  const [only = () => false] = matches;
  return matches.length < 2 ? only : (request) => matches.some((matches) => matches(request));
}

function resourceMatch(rule: FlowResourceRule): RequestMatch {
  const verb = memberOf(rule.verbs);
  const resource = memberOf(rule.resources);
  const group = memberOf(rule.apiGroups);
  const namespace = memberOf(rule.namespaces);
  const { clusterScope = false } = rule;
  return (request) =>
    verb(request.verb) &&
    resource(request.subresource ? `${request.resource}/${request.subresource}` : request.resource) &&
    group(request.apiGroup) &&
    (request.namespace === '' ? clusterScope : namespace(request.namespace));
}

function pathMatch(rule: FlowPathRule): RequestMatch {
  const verb = memberOf(rule.verbs);
  const path = memberOf(rule.nonResourceURLs);
  const folders = (rule.nonResourceURLs ?? []).map(folderOf);
  return (request) =>
    verb(request.verb) && (path(request.path) || folders.some((folder) => request.path.startsWith(folder)));
}

/** A path covers all below it, with or without a star at its end. */
function folderOf(path: string): string {
  const prefix = path.endsWith(ALL) ? path.slice(0, -1) : path;
  return prefix.endsWith('/') ? prefix : `${prefix}/`;
}

function memberOf(values: readonly string[] | null | undefined): (value: string) => boolean {
  if (values?.length === 1 && values[0] === ALL) return always;
  const set = new Set(values ?? []);
  return (value) => set.has(value);
}
