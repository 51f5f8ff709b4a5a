import { choiceErrors, type FieldError, FieldErrors, fieldErrorsOf } from '@ashlar/core';
import type { AdmissionRule } from './admission-rule.ts';

const NO_ERRORS: readonly FieldError[] = [];
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];

/** Returns the errors of a rule of a webhook or a policy (semantics/admission#webhook-configuration). */
export function admissionRuleErrors(rule: AdmissionRule, path: string): readonly FieldError[] {
  const { operations, apiGroups, apiVersions, resources, scope } = rule;
  return [
    ...listErrors(operations ?? [], `${path}.operations`, 'operations'),
    ...fieldErrorsOf(operations ?? [], (operation, index) =>
      choiceErrors(`${path}.operations[${index}]`, operation, OPERATIONS),
    ),
    ...listErrors(apiGroups ?? [], `${path}.apiGroups`, 'API groups'),
    ...listErrors(apiVersions ?? [], `${path}.apiVersions`, 'API versions'),
    ...fieldErrorsOf(apiVersions ?? [], (version, index) =>
      version === '' ? [FieldErrors.required(`${path}.apiVersions[${index}]`)] : [],
    ),
    ...resourceErrors(resources ?? [], `${path}.resources`),
    ...choiceErrors(`${path}.scope`, scope ?? undefined, SCOPES),
  ];
}

function listErrors(values: readonly string[], path: string, what: string): readonly FieldError[] {
  if (values.length === 0) return [FieldErrors.required(path)];
  if (values.length === 1 || !values.includes('*')) return [];
  return [FieldErrors.invalid(path, values, `if '*' is present, must not specify other ${what}`)];
}

function resourceErrors(resources: readonly string[], path: string): readonly FieldError[] {
  if (resources.length === 0) return [FieldErrors.required(path)];
  const errors = overlapErrors(resources, path);
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(
      FieldErrors.invalid(path, resources, "if '*/*' is present, must not specify other resources"),
    );
  const isPlain = (resource: string): boolean => resource !== '' && !resource.includes('/');
  // as in the reference, only the last resource without a slash counts
  const last = resources.filter(isPlain).at(-1);
  if (resources.includes('*') && last !== '*') {
    const why = "if '*' is present, must not specify other resources without subresources";
    errors.push(FieldErrors.invalid(path, resources, why));
  }
  return errors;
}

/** Returns the errors of resources that a wildcard before them contains. */
function overlapErrors(resources: readonly string[], path: string): FieldError[] {
  const wildcardResources = new Set<string>();
  const wildcardSubresources = new Set<string>();
  return fieldErrorsOf(resources, (text, index) => {
    const field = `${path}[${index}]`;
    if (text === '') return [FieldErrors.required(field)];
    const slash = text.indexOf('/');
    if (slash < 0) return NO_ERRORS;
    const errors: FieldError[] = [];
    const [resource, subresource] = [text.slice(0, slash), text.slice(slash + 1)];
    const refuse = (wildcard: string): void =>
      void errors.push(
        FieldErrors.invalid(field, text, `if '${wildcard}' is present, must not specify ${text}`),
      );
    if (wildcardResources.has(resource)) refuse(`${resource}/*`);
    if (wildcardSubresources.has(subresource)) refuse(`*/${subresource}`);
    if (subresource === '*') wildcardResources.add(resource);
    if (resource === '*') wildcardSubresources.add(subresource);
    return errors;
  });
}
