import { goQuote } from '@ashlar/core';
import type { PolicyRule } from './policy-rule.ts';

/** A rule as rejections print it: `{APIGroups:["apps"], Resources:["deployments"], Verbs:["get"]}` (semantics/access#rbac). */
export function policyRuleText(rule: PolicyRule): string {
  const parts: readonly (readonly [string, readonly string[] | null | undefined])[] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ];
  const texts = parts.flatMap(([name, values]) =>
    values && values.length > 0 ? [`${name}:${quotedList(values)}`] : [],
  );
  return `{${texts.join(', ')}}`;
}

/** Quoted strings in brackets, separated by spaces. */
export function quotedList(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`;
}
