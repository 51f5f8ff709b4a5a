import { fieldErrorText, groupName, type JsonObject, type JsonValue, type Vocabulary } from '@ashlar/core';
import type { AuditStage } from '../events/audit-level.ts';
import type { AuditedResources, AuditPolicy, AuditRule } from './audit-policy.ts';
import { AuditPolicyError } from './audit-policy-error.ts';
import { PolicyReader } from './policy-reader.ts';
import { validateAuditPolicy } from './validate-audit-policy.ts';

/** A policy, and what was not understood of its document. */
export interface ReadAuditPolicy {
  readonly policy: AuditPolicy;
  /** Sentences about unknown fields, which are ignored. */
  readonly warnings: readonly string[];
}

const KIND = 'Policy';
const POLICY = ['apiVersion', 'kind', 'metadata', 'rules', 'omitStages', 'omitManagedFields'];
const RULE = ['level', 'users', 'userGroups', 'verbs', 'resources', 'namespaces', 'nonResourceURLs'];
const OMITTED = ['omitStages', 'omitManagedFields'];
const RESOURCES = ['group', 'resources', 'resourceNames'];

/**
 * Reads a `Policy` of the group `audit`, version `v1`, from its decoded JSON or YAML, and validates it (semantics/requests#audit).
 * @throws AuditPolicyError that says what is wrong with it
 * @example
 * const { policy } = readAuditPolicy(value, vocabulary);
 */
export function readAuditPolicy(value: JsonValue, vocabulary: Vocabulary): ReadAuditPolicy {
  const reader = new PolicyReader();
  const document = reader.object(value, '', POLICY);
  requireKind(document, vocabulary);
  const policy: AuditPolicy = {
    rules: reader.list(document.rules, 'rules', (item, field) => ruleOf(reader, item, field)) ?? [],
    ...omittedOf(reader, document, ''),
  };
  const errors = validateAuditPolicy(policy);
  if (errors.length > 0) throw new AuditPolicyError(errors.map(fieldErrorText).join(', '), errors);
  if (policy.rules.length === 0) throw new AuditPolicyError('loaded illegal policy with 0 rules');
  return { policy, warnings: reader.warnings };
}

function requireKind({ kind, apiVersion }: JsonObject, vocabulary: Vocabulary): void {
  const expected = `${groupName(vocabulary, 'audit.')}/v1`;
  if (kind === KIND && apiVersion === expected) return;
  const found = `kind ${JSON.stringify(kind ?? '')} of apiVersion ${JSON.stringify(apiVersion ?? '')}`;
  throw new AuditPolicyError(`${found} is not ${KIND} of ${expected}`);
}

function ruleOf(reader: PolicyReader, value: JsonValue, field: string): AuditRule {
  const rule = reader.object(value, field, [...RULE, ...OMITTED]);
  const texts = (name: keyof AuditRule): object =>
    present(name, reader.texts(rule[name], `${field}.${name}`));
  const resources = reader.list(rule.resources, `${field}.resources`, (item, of) =>
    resourcesOf(reader, item, of),
  );
  return {
    level: reader.text(rule.level, `${field}.level`) as AuditRule['level'],
    ...texts('users'),
    ...texts('userGroups'),
    ...texts('verbs'),
    ...present('resources', resources),
    ...texts('namespaces'),
    ...texts('nonResourceURLs'),
    ...omittedOf(reader, rule, `${field}.`),
  };
}

function resourcesOf(reader: PolicyReader, value: JsonValue, field: string): AuditedResources {
  const { group, resources, resourceNames } = reader.object(value, field, RESOURCES);
  return {
    group: reader.text(group, `${field}.group`),
    ...present('resources', reader.texts(resources, `${field}.resources`)),
    ...present('resourceNames', reader.texts(resourceNames, `${field}.resourceNames`)),
  };
}

function omittedOf(
  reader: PolicyReader,
  { omitStages, omitManagedFields }: JsonObject,
  prefix: string,
): Pick<AuditRule, 'omitStages' | 'omitManagedFields'> {
  const stages = reader.texts(omitStages, `${prefix}omitStages`) as readonly AuditStage[] | undefined;
  const fields = reader.boolean(omitManagedFields, `${prefix}omitManagedFields`);
  return { ...present('omitStages', stages), ...present('omitManagedFields', fields) };
}

/** A member that has a value, or none. */
function present<N extends string, T>(name: N, value: T | undefined): { readonly [K in N]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [K in N]?: T });
}
