import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  type JsonValue,
  jsonEqual,
  type Vocabulary,
} from '@ashlar/core';
import type { FlowPathRule, FlowResourceRule, FlowRule, FlowSchema, FlowSubject } from '@ashlar/flow-control';
import { each, follows, repetition, required } from '../field-rules.ts';
import { defaultFlowSchemas } from './default-flow-objects.ts';

const MAXIMUM_PRECEDENCE = 10_000;
const METHODS = ['ByNamespace', 'ByUser'];
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** Errors of a flow schema; those that every server needs have fixed specs. */
export function flowSchemaErrors(vocabulary: Vocabulary): (schema: FlowSchema) => readonly FieldError[] {
  const fixed = new Map(
    defaultFlowSchemas(vocabulary).mandatory.map(({ metadata, spec }) => [metadata.name, spec]),
  );
  return ({ metadata, spec = {}, status }) => [
    ...precedenceErrors(metadata.name ?? '', spec.matchingPrecedence ?? 0),
    ...(spec.distinguisherMethod && !METHODS.includes(spec.distinguisherMethod.type ?? '')
      ? [FieldErrors.notSupported('spec.distinguisherMethod.type', spec.distinguisherMethod, METHODS)]
      : []),
    ...levelErrors(spec.priorityLevelConfiguration?.name),
    ...each('spec.rules', spec.rules, ruleErrors),
    ...fixedErrors(spec, fixed.get(metadata.name), `spec of '${metadata.name}'`),
    ...conditionErrors(status?.conditions),
  ];
}

function precedenceErrors(name: string, precedence: number): readonly FieldError[] {
  const path = 'spec.matchingPrecedence';
  const invalid = (why: string): readonly FieldError[] => [FieldErrors.invalid(path, precedence, why)];
  if (precedence <= 0) return invalid('must be a positive value');
  if (precedence > MAXIMUM_PRECEDENCE) return invalid(`must not be greater than ${MAXIMUM_PRECEDENCE}`);
  return precedence === 1 && name !== 'exempt'
    ? invalid("only the schema named 'exempt' may have matchingPrecedence 1")
    : [];
}

function levelErrors(name = ''): readonly FieldError[] {
  const path = 'spec.priorityLevelConfiguration.name';
  return name === ''
    ? [FieldErrors.required(path, 'must reference a priority level')]
    : follows(path, name, dns1123SubdomainErrors);
}

/** Errors of an object whose spec no one can change. @param fixed undefined for other objects */
export function fixedErrors(spec: unknown, fixed: unknown, what: string): readonly FieldError[] {
  return fixed === undefined || jsonEqual(spec as JsonValue, fixed as JsonValue)
    ? []
    : [FieldErrors.invalid('spec', spec, `${what} must equal the fixed value`)];
}

/** Errors of the conditions in a status. */
export function conditionErrors(
  conditions: readonly { readonly type?: string }[] | undefined,
): readonly FieldError[] {
  const repeated = repetition();
  return each('status.conditions', conditions, ({ type }, path) => [
    ...(repeated(type) ? [FieldErrors.duplicate(`${path}.type`, type)] : []),
    ...(type ? [] : [FieldErrors.required(`${path}.type`, 'must not be empty')]),
  ]);
}

function ruleErrors(rule: FlowRule, path: string): readonly FieldError[] {
  const { resourceRules = [], nonResourceRules = [] } = rule;
  const subjects = rule.subjects ?? [];
  return [
    ...(subjects.length === 0
      ? [FieldErrors.required(`${path}.subjects`, 'subjects must contain at least one value')]
      : each(`${path}.subjects`, subjects, subjectErrors)),
    ...(resourceRules.length === 0 && nonResourceRules.length === 0
      ? [FieldErrors.required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...each(`${path}.resourceRules`, resourceRules, resourceRuleErrors),
    ...each(`${path}.nonResourceRules`, nonResourceRules, pathRuleErrors),
  ];
}

/** The member of a subject for each kind, in the order of errors. */
const MEMBERS = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;
type Member = (typeof MEMBERS)[keyof typeof MEMBERS];

function subjectErrors(subject: FlowSubject, path: string): readonly FieldError[] {
  const { kind = '' } = subject;
  if (!Object.hasOwn(MEMBERS, kind))
    return [FieldErrors.notSupported(`${path}.kind`, kind, Object.keys(MEMBERS).sort())];
  const own = MEMBERS[kind as keyof typeof MEMBERS];
  const forbiddenMembers = Object.entries(MEMBERS).filter(([, member]) => member !== own && subject[member]);
  return [
    ...memberErrors(subject, own, path),
    ...forbiddenMembers.map(([name, member]) =>
      FieldErrors.forbidden(`${path}.${member}`, `${member} is forbidden when subject kind is not '${name}'`),
    ),
  ];
}

function memberErrors(subject: FlowSubject, member: Member, parent: string): readonly FieldError[] {
  const path = `${parent}.${member}`;
  const value = subject[member];
  if (!value)
    return [FieldErrors.required(path, `${member} is required when subject kind is '${subject.kind}'`)];
  if (member !== 'serviceAccount') return required(`${path}.name`, value.name);
  const { namespace = '', name = '' } = subject.serviceAccount ?? {};
  return [
    ...(name === '' || name === '*'
      ? required(`${path}.name`, name)
      : follows(`${path}.name`, name, dns1123SubdomainErrors)),
    ...(namespace === ''
      ? [FieldErrors.required(`${path}.namespace`, 'must specify namespace for service account')]
      : follows(`${path}.namespace`, namespace, dns1123LabelErrors)),
  ];
}

function verbErrors({ verbs }: Pick<FlowPathRule, 'verbs'>, parent: string): readonly FieldError[] {
  const path = `${parent}.verbs`;
  if (!verbs?.length) return [FieldErrors.required(path, 'verbs must contain at least one value')];
  if (verbs.includes('*')) return aloneErrors(path, verbs, 'verbs');
  if (verbs.every((verb) => VERBS.includes(verb))) return [];
  return [FieldErrors.notSupported(path, verbs, VERBS)];
}

function aloneErrors(path: string, values: readonly string[], what: string): readonly FieldError[] {
  return values.length > 1 && values.includes('*')
    ? [FieldErrors.invalid(path, values, `if '*' is present, must not specify other ${what}`)]
    : [];
}

type List = FlowResourceRule['verbs'];

function resourceRuleErrors(rule: FlowResourceRule, path: string): readonly FieldError[] {
  const { apiGroups, resources, namespaces, clusterScope = false } = rule;
  const some = (field: string, values: List, one: string): readonly FieldError[] =>
    !values?.length
      ? [FieldErrors.required(`${path}.${field}`, `resource rules must supply at least one ${one}`)]
      : aloneErrors(`${path}.${field}`, values, `${one}s`);
  return [
    ...verbErrors(rule, path),
    ...some('apiGroups', apiGroups, 'api group'),
    ...some('resources', resources, 'resource'),
    ...namespaceErrors(namespaces ?? [], clusterScope, `${path}.namespaces`),
  ];
}

function namespaceErrors(
  namespaces: readonly string[],
  hasClusterScope: boolean,
  path: string,
): readonly FieldError[] {
  if (namespaces.length === 0 && !hasClusterScope) {
    const why = 'resource rules that are not cluster scoped must supply at least one namespace';
    return [FieldErrors.required(path, why)];
  }
  if (namespaces.includes('*')) return aloneErrors(path, namespaces, 'namespaces');
  return each(path, namespaces, (namespace, at) =>
    dns1123LabelErrors(namespace).map((why) =>
      FieldErrors.invalid(at, namespace, `each member of this list must be '*' or a DNS-1123 label; ${why}`),
    ),
  );
}

function pathRuleErrors(rule: FlowPathRule, parent: string): readonly FieldError[] {
  const nonResourceURLs = rule.nonResourceURLs ?? [];
  const path = `${parent}.nonResourceURLs`;
  const why = 'nonResourceURLs must contain at least one value';
  return [
    ...verbErrors(rule, parent),
    ...(nonResourceURLs.length === 0 ? [FieldErrors.required(path, why)] : []),
    ...(nonResourceURLs.includes('*')
      ? aloneErrors(path, nonResourceURLs, 'non-resource URLs')
      : each(path, nonResourceURLs, urlErrors)),
  ];
}

function urlErrors(url: string, path: string): readonly FieldError[] {
  const invalid = (why: string): readonly FieldError[] => [FieldErrors.invalid(path, url, why)];
  if (url === '') return invalid('must not be empty');
  if (url === '/') return [];
  if (!url.startsWith('/')) return invalid('must start with slash');
  if (url.includes(' ')) return invalid('must not contain white-space');
  if (url.includes('//')) return invalid('must not contain double slash');
  const star = url.indexOf('*');
  return star >= 0 && (star < url.length - 1 || !url.endsWith('/*'))
    ? invalid('wildcard can only do suffix matching')
    : [];
}
