import {
  decodeBase64,
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  goQuote,
  groupName,
  type Vocabulary,
  validatePathSegment,
} from '@ashlar/core';
import type { ApiService, ApiServiceSpec } from './api-service.ts';

const STATUSES = ['True', 'False', 'Unknown'];

/** Validates the status. */
export function apiServiceStatusErrors({ status }: ApiService): readonly FieldError[] {
  return fieldErrorsOf(status?.conditions ?? [], (condition, index) =>
    STATUSES.includes(condition.status)
      ? []
      : [FieldErrors.notSupported(`status.conditions[${index}].status`, condition.status, STATUSES)],
  );
}

/** The default port. */
export const HTTPS_PORT = 443;
const MAXIMUM_GROUP_PRIORITY = 20_000;
const MAXIMUM_VERSION_PRIORITY = 1_000;

/** Validates an API service whose metadata has been validated (semantics/discovery#aggregation). */
export function apiServiceErrors(object: ApiService, vocabulary: Vocabulary): readonly FieldError[] {
  const { metadata, spec } = object;
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0, service } = spec;
  const errors = [
    ...groupErrors(group, version),
    ...dns1035LabelErrors(version).map((error) => FieldErrors.invalid('spec.version', version, error)),
    ...priorityErrors('spec.groupPriorityMinimum', groupPriorityMinimum, MAXIMUM_GROUP_PRIORITY),
    ...priorityErrors('spec.versionPriority', versionPriority, MAXIMUM_VERSION_PRIORITY),
    ...(service ? serviceErrors(spec) : localErrors(spec)),
  ];
  const isNamed = apiServiceNameErrors(metadata.name ?? '', object).length === 0;
  if (errors.length === 0 && isNamed && service && alwaysOwn(group, vocabulary))
    return [FieldErrors.forbidden('spec.service', 'this server itself always serves this group')];
  return errors;
}

/** Errors of the name of an API service, which says what is served. */
export function apiServiceNameErrors(name: string, { spec }: ApiService): readonly string[] {
  // what a name begins with is checked as a whole name, as in release 1.32
  const errors = validatePathSegment(name, false);
  const required = `${spec?.version ?? ''}.${spec?.group ?? ''}`;
  if (errors.length > 0 || name === required) return errors;
  return [`must be \`spec.version+"."+spec.group\`: ${goQuote(required)}`];
}

/** Whether an API service is that of another server. The core group and API services themselves are always those of this one. */
export function servesElsewhere({ spec }: ApiService, vocabulary: Vocabulary): boolean {
  return spec.service !== undefined && !alwaysOwn(spec.group, vocabulary);
}

const alwaysOwn = (group: string | undefined, vocabulary: Vocabulary): boolean =>
  (group ?? '') === '' || group === groupName(vocabulary, 'apiregistration.');

function groupErrors(group: string, version: string): readonly FieldError[] {
  if (group !== '')
    return dns1123SubdomainErrors(group).map((error) => FieldErrors.invalid('spec.group', group, error));
  if (version === 'v1') return [];
  const text = 'only v1 may have an empty group and it better be legacy kube';
  return [FieldErrors.required('spec.group', text)];
}

function priorityErrors(path: string, priority: number, maximum: number): readonly FieldError[] {
  if (priority > 0 && priority <= maximum) return [];
  return [FieldErrors.invalid(path, priority, `must be positive and less than ${maximum}`)];
}

function localErrors({ caBundle = '', insecureSkipTLSVerify }: ApiServiceSpec): readonly FieldError[] {
  const errors: FieldError[] = [];
  const size = decodeBase64(caBundle)?.length ?? 0;
  if (size > 0)
    errors.push(
      FieldErrors.invalid('spec.caBundle', `${size} bytes`, 'local APIServices may not have a caBundle'),
    );
  if (insecureSkipTLSVerify)
    errors.push(
      FieldErrors.invalid(
        'spec.insecureSkipTLSVerify',
        true,
        'local APIServices may not have insecureSkipTLSVerify',
      ),
    );
  return errors;
}

function serviceErrors({
  service = {},
  caBundle = '',
  insecureSkipTLSVerify,
}: ApiServiceSpec): readonly FieldError[] {
  const { namespace = '', name = '', port = HTTPS_PORT } = service;
  const errors: FieldError[] = [];
  if (namespace === '') errors.push(FieldErrors.required('spec.service.namespace'));
  if (name === '') errors.push(FieldErrors.required('spec.service.name'));
  if (port < 1 || port > 65_535)
    errors.push(
      FieldErrors.invalid(
        'spec.service.port',
        port,
        'port is not valid: must be between 1 and 65535, inclusive',
      ),
    );
  if (insecureSkipTLSVerify && caBundle !== '')
    errors.push(
      FieldErrors.invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'),
    );
  return errors;
}
