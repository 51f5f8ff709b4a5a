import { dns1123SubdomainErrors, type FieldError, FieldErrors } from '@ashlar/core';
import { AUDIT_LEVELS, AUDIT_STAGES, type AuditStage } from '../events/audit-level.ts';
import type { AuditedResources, AuditPolicy, AuditRule } from './audit-policy.ts';

/** Returns what is wrong with the fields of a policy (semantics/requests#audit). */
export function validateAuditPolicy({ rules, omitStages }: AuditPolicy): readonly FieldError[] {
  return [
    ...stageErrors('omitStages', omitStages),
    ...rules.flatMap((rule, index) => ruleErrors(`rules[${index}]`, rule)),
  ];
}

function ruleErrors(field: string, rule: AuditRule): readonly FieldError[] {
  const { nonResourceURLs = [], resources = [], namespaces = [] } = rule;
  const paths = `${field}.nonResourceURLs`;
  const isMixed = nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0);
  return [
    ...levelErrors(`${field}.level`, rule.level),
    ...nonResourceURLs.flatMap((path, index) => pathErrors(`${paths}[${index}]`, path)),
    ...resources.flatMap((each) => resourceErrors(`${field}.resources`, each)),
    ...stageErrors(`${field}.omitStages`, rule.omitStages),
    ...(isMixed ? [FieldErrors.invalid(paths, nonResourceURLs, MIXED)] : []),
  ];
}

const MIXED = 'rules cannot apply to both regular resources and non-resource URLs';

function levelErrors(field: string, level: string): readonly FieldError[] {
  if (level === '') return [FieldErrors.required(field)];
  const isKnown = (AUDIT_LEVELS as readonly string[]).includes(level);
  return isKnown ? [] : [FieldErrors.notSupported(field, level, AUDIT_LEVELS)];
}

function stageErrors(field: string, stages: readonly AuditStage[] = []): readonly FieldError[] {
  const allowed = `allowed stages are ${AUDIT_STAGES.join(',')}`;
  return stages.flatMap((stage, index) =>
    AUDIT_STAGES.includes(stage) ? [] : [FieldErrors.invalid(`${field}[${index}]`, stage, allowed)],
  );
}

function pathErrors(field: string, path: string): readonly FieldError[] {
  if (path === '*') return [];
  const invalid = (why: string): FieldError => FieldErrors.invalid(field, path, why);
  return [
    ...(path.startsWith('/') ? [] : [invalid("non-resource URL rules must begin with a '/' character")]),
    ...(path.slice(0, -1).includes('*')
      ? [invalid("non-resource URL wildcards '*' must be the final character of the rule")]
      : []),
  ];
}

function resourceErrors(
  field: string,
  { group = '', resources = [], resourceNames = [] }: AuditedResources,
): readonly FieldError[] {
  const names = `${field}.resourceNames`;
  const why = 'using resourceNames requires at least one resource';
  return [
    ...(group === '' ? [] : dns1123SubdomainErrors(group)).map((text) =>
      FieldErrors.invalid(`${field}.group`, group, text),
    ),
    ...(resourceNames.length > 0 && resources.length === 0
      ? [FieldErrors.invalid(names, resourceNames, why)]
      : []),
  ];
}
