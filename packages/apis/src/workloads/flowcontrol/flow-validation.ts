import {
  type ApiObject,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  type JsonValue,
  jsonEqual,
} from '@ashlar/core';
import { each, follows, optionalOneOf } from '../field-rules.ts';
import { fixedFlowSchemas, fixedPriorityLevels } from './fixed-flows.ts';

interface Subject {
  readonly kind?: string;
  readonly user?: { readonly name?: string };
  readonly group?: { readonly name?: string };
  readonly serviceAccount?: { readonly name?: string; readonly namespace?: string };
}

interface PolicyRule {
  readonly subjects?: readonly Subject[];
  readonly resourceRules?: readonly {
    readonly verbs?: readonly string[];
    readonly apiGroups?: readonly string[];
    readonly resources?: readonly string[];
    readonly namespaces?: readonly string[];
    readonly clusterScope?: boolean;
  }[];
  readonly nonResourceRules?: readonly {
    readonly verbs?: readonly string[];
    readonly nonResourceURLs?: readonly string[];
  }[];
}

/** Classifies requests into flows. */
export interface FlowSchema extends ApiObject {
  readonly spec?: {
    readonly priorityLevelConfiguration?: { readonly name?: string };
    readonly matchingPrecedence?: number;
    readonly distinguisherMethod?: { readonly type?: string };
    readonly rules?: readonly PolicyRule[];
  };
  readonly status?: { readonly conditions?: readonly { readonly type?: string; readonly status?: string }[] };
}

const LAST = 10_000;
const EXEMPT = 'exempt';

/** Returns the errors of a flow schema. */
export function flowSchemaErrors({ metadata, spec = {} }: FlowSchema): readonly FieldError[] {
  const name = metadata.name ?? '';
  const { priorityLevelConfiguration: level = {}, distinguisherMethod, rules } = spec;
  const path = 'spec.priorityLevelConfiguration.name';
  return [
    ...precedenceErrors(spec.matchingPrecedence ?? 0, name),
    ...optionalOneOf('spec.distinguisherMethod', distinguisherMethod?.type, ['ByNamespace', 'ByUser']),
    ...(level.name
      ? follows(path, level.name, dns1123SubdomainErrors)
      : [FieldErrors.required(path, 'must reference a priority level')]),
    ...each('spec.rules', rules, ruleErrors),
    ...fixedErrors(name, spec, fixedFlowSchemas),
  ];
}

function precedenceErrors(precedence: number, name: string): readonly FieldError[] {
  const invalid = (why: string): readonly FieldError[] => [
    FieldErrors.invalid('spec.matchingPrecedence', precedence, why),
  ];
  return [
    ...(precedence <= 0 ? invalid('must be a positive value') : []),
    ...(precedence > LAST ? invalid(`must not be greater than ${LAST}`) : []),
    ...(precedence === 1 && name !== EXEMPT
      ? invalid("only the schema named 'exempt' may have matchingPrecedence 1")
      : []),
  ];
}

function ruleErrors(
  { subjects = [], resourceRules = [], nonResourceRules = [] }: PolicyRule,
  path: string,
): readonly FieldError[] {
  const needed = (at: string, list: readonly string[] | undefined): readonly FieldError[] =>
    list?.length ? wildcardErrors(at, list) : [FieldErrors.required(at)];
  return [
    ...(subjects.length === 0
      ? [FieldErrors.required(`${path}.subjects`, 'subjects must contain at least one value')]
      : each(`${path}.subjects`, subjects, subjectErrors)),
    ...(resourceRules.length + nonResourceRules.length === 0
      ? [FieldErrors.required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...each(`${path}.resourceRules`, resourceRules, (rule, at) => [
      ...needed(`${at}.verbs`, rule.verbs),
      ...needed(`${at}.apiGroups`, rule.apiGroups),
      ...needed(`${at}.resources`, rule.resources),
      ...(rule.namespaces?.length || rule.clusterScope
        ? wildcardErrors(`${at}.namespaces`, rule.namespaces ?? [])
        : [
            FieldErrors.required(
              `${at}.namespaces`,
              'resource rules that are not cluster scoped must supply at least one namespace',
            ),
          ]),
    ]),
    ...each(`${path}.nonResourceRules`, nonResourceRules, (rule, at) => [
      ...needed(`${at}.verbs`, rule.verbs),
      ...needed(`${at}.nonResourceURLs`, rule.nonResourceURLs),
    ]),
  ];
}

const wildcardErrors = (path: string, list: readonly string[]): readonly FieldError[] =>
  list.length > 1 && list.includes('*')
    ? [FieldErrors.invalid(path, list, "if '*' is present, must not specify other things")]
    : [];

const SUBJECTS: Readonly<Record<string, 'user' | 'group' | 'serviceAccount'>> = {
  Group: 'group',
  ServiceAccount: 'serviceAccount',
  User: 'user',
};

function subjectErrors(subject: Subject, path: string): readonly FieldError[] {
  const { kind = '' } = subject;
  const own = Object.hasOwn(SUBJECTS, kind) ? SUBJECTS[kind] : undefined;
  if (!own) return [FieldErrors.notSupported(`${path}.kind`, kind, Object.keys(SUBJECTS))];
  const missing =
    subject[own] === undefined
      ? [FieldErrors.required(`${path}.${own}`, `${own} is required when subject kind is '${kind}'`)]
      : subject[own].name
        ? []
        : [FieldErrors.required(`${path}.${own}.name`)];
  const others = Object.entries(SUBJECTS).filter(
    ([, field]) => field !== own && subject[field] !== undefined,
  );
  return [
    ...missing,
    ...others.map(([other, field]) =>
      FieldErrors.forbidden(`${path}.${field}`, `${field} is forbidden when subject kind is not '${other}'`),
    ),
  ];
}

/** Concurrency limits of a priority. */
export interface PriorityLevel extends ApiObject {
  readonly spec?: {
    readonly type?: string;
    readonly limited?: LimitedLevel;
    readonly exempt?: { readonly nominalConcurrencyShares?: number; readonly lendablePercent?: number };
  };
}

interface LimitedLevel {
  readonly nominalConcurrencyShares?: number;
  readonly lendablePercent?: number;
  readonly borrowingLimitPercent?: number;
  readonly limitResponse?: {
    readonly type?: string;
    readonly queuing?: {
      readonly queues?: number;
      readonly handSize?: number;
      readonly queueLengthLimit?: number;
    };
  };
}

/** How a kept zero share was marked in an older version. */
export const keptZero = (labelDomain: string): string =>
  `flowcontrol.${labelDomain}/v1beta3-preserve-zero-concurrency-shares`;

/** Returns the errors of a priority level. @param groupDomain of the vocabulary */
export function priorityLevelErrors(
  { metadata, spec = {} }: PriorityLevel,
  groupDomain: string,
): readonly FieldError[] {
  const name = metadata.name ?? '';
  const marker = keptZero(groupDomain);
  const { type = '', limited, exempt } = spec;
  return [
    ...(metadata.annotations?.[marker] === undefined
      ? []
      : [FieldErrors.forbidden('metadata.annotations', `annotation '${marker}' is forbidden`)]),
    ...((name === EXEMPT) === (type === 'Exempt')
      ? []
      : [FieldErrors.invalid('spec.type', type, "type must be 'Exempt' if and only if name is 'exempt'")]),
    ...shapeErrors(type, limited, exempt),
    ...fixedErrors(name, name === EXEMPT ? withoutExempt(spec) : spec, fixedPriorityLevels),
  ];
}

const withoutExempt = ({ exempt: _, ...spec }: NonNullable<PriorityLevel['spec']>): object => spec;

function shapeErrors(
  type: string,
  limited: LimitedLevel | undefined,
  exempt: NonNullable<PriorityLevel['spec']>['exempt'],
): readonly FieldError[] {
  if (type === 'Exempt')
    return [
      ...(limited ? [FieldErrors.forbidden('spec.limited', 'must be nil if the type is not Limited')] : []),
      ...(exempt ? shareErrors('spec.exempt', exempt) : []),
    ];
  if (type !== 'Limited') return [FieldErrors.notSupported('spec.type', type, ['Exempt', 'Limited'])];
  return [
    ...(exempt ? [FieldErrors.forbidden('spec.exempt', 'must be nil if the type is Limited')] : []),
    ...(limited
      ? limitedErrors(limited)
      : [FieldErrors.required('spec.limited', 'must not be empty when type is Limited')]),
  ];
}

function limitedErrors(limited: LimitedLevel): readonly FieldError[] {
  const { borrowingLimitPercent: borrowed, limitResponse = {} } = limited;
  return [
    ...shareErrors('spec.limited', limited),
    ...responseErrors(limitResponse),
    ...(borrowed !== undefined && borrowed < 0
      ? [
          FieldErrors.invalid(
            'spec.limited.borrowingLimitPercent',
            borrowed,
            'if specified, must be a non-negative integer',
          ),
        ]
      : []),
  ];
}

function shareErrors(
  path: string,
  { nominalConcurrencyShares: shares, lendablePercent: lent }: LimitedLevel,
): readonly FieldError[] {
  return [
    ...(shares !== undefined && shares < 0
      ? [FieldErrors.invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer')]
      : []),
    ...(lent !== undefined && (lent < 0 || lent > 100)
      ? [FieldErrors.invalid(`${path}.lendablePercent`, lent, 'must be between 0 and 100, inclusive')]
      : []),
  ];
}

function responseErrors({
  type = '',
  queuing,
}: NonNullable<LimitedLevel['limitResponse']>): readonly FieldError[] {
  const path = 'spec.limited.limitResponse';
  if (type === 'Reject')
    return queuing
      ? [FieldErrors.forbidden(`${path}.queuing`, 'must be nil if limited.limitResponse.type is not Limited')]
      : [];
  if (type !== 'Queue') return [FieldErrors.notSupported(`${path}.type`, type, ['Queue', 'Reject'])];
  if (queuing) return queuingErrors(queuing, `${path}.queuing`);
  const why = 'must not be empty if limited.limitResponse.type is Limited';
  return [FieldErrors.required(`${path}.queuing`, why)];
}

const MOST_QUEUES = 10_000_000;

function queuingErrors(
  queuing: NonNullable<NonNullable<LimitedLevel['limitResponse']>['queuing']>,
  path: string,
): readonly FieldError[] {
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing;
  const invalid = (field: string, value: number, why: string): readonly FieldError[] => [
    FieldErrors.invalid(`${path}.${field}`, value, why),
  ];
  return [
    ...(queueLengthLimit <= 0 ? invalid('queueLengthLimit', queueLengthLimit, 'must be positive') : []),
    ...(queues <= 0
      ? invalid('queues', queues, 'must be positive')
      : queues > MOST_QUEUES
        ? invalid('queues', queues, `must not be greater than ${MOST_QUEUES}`)
        : []),
    ...(handSize <= 0 ? invalid('handSize', handSize, 'must be positive') : []),
    ...(handSize > queues
      ? invalid('handSize', handSize, `should not be greater than queues (${queues})`)
      : []),
  ];
}

/** Some objects must be what the server itself makes them. */
function fixedErrors(
  name: string,
  spec: object,
  fixed: Readonly<Record<string, JsonValue>>,
): readonly FieldError[] {
  const wanted = Object.hasOwn(fixed, name) ? fixed[name] : undefined;
  if (wanted === undefined || jsonEqual(spec as JsonValue, wanted)) return [];
  return [FieldErrors.invalid('spec', spec, `spec of '${name}' must equal the fixed value`)];
}
