import type { GroupResource, Steps } from '@ashlar/core';
import type { AdmissionRule } from '../admission-rule.ts';

/** Patterns that are read between two pauses. */
const PATTERNS_PER_STEP = 4096;
const NONE: readonly never[] = [];

/**
 * The rules that may match requests for a resource or its subresources, in their order, each with what of it may match them. Rules
 * may be of other resources by the hundred thousand, which each request would read otherwise.
 */
export function* rulesOfResourceSteps<R extends AdmissionRule>(
  rules: readonly R[],
  { group, resource }: GroupResource,
): Steps<readonly R[]> {
  const found: R[] = [];
  let patterns = 0;
  for (const rule of rules) {
    const groups = rule.apiGroups ?? NONE;
    const resources = rule.resources ?? NONE;
    const apiGroups = groups.filter((name) => name === '*' || name === group);
    const named = apiGroups.length > 0 ? resources.filter((pattern) => isOf(pattern, resource)) : NONE;
    if (named.length > 0) found.push(narrowed(rule, apiGroups, named));
    patterns += 1 + groups.length + resources.length;
    if (patterns < PATTERNS_PER_STEP) continue;
    patterns = 0;
    yield;
  }
  return found.length > 0 ? found : NONE;
}

/** Whether a pattern is one of the resource or its subresources: `pods`, `pods/status`, `*` and `*` before `/status`. */
function isOf(pattern: string, resource: string): boolean {
  const slash = pattern.indexOf('/');
  if (slash < 0) return pattern === resource || pattern === '*';
  return (slash === resource.length && pattern.startsWith(resource)) || pattern.startsWith('*/');
}

function narrowed<R extends AdmissionRule>(
  rule: R,
  apiGroups: readonly string[],
  resources: readonly string[],
): R {
  const isWhole = apiGroups.length === rule.apiGroups?.length && resources.length === rule.resources?.length;
  return isWhole ? rule : { ...rule, apiGroups, resources };
}
