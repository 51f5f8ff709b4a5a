import {
  compareUtf8,
  type FieldError,
  FieldErrors,
  jsonEqual,
  ownMember,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { eachEntry } from '../field-rules.ts';
import type { ResourceList } from '../pods/container-types.ts';
import { printedScopes, scopesErrors } from '../resources/quota-scopes.ts';
import type { ResourceQuota } from '../resources/quota-types.ts';
import { amountErrors } from '../resources/resource-amounts.ts';
import { quotaResourceErrors } from '../resources/resource-names.ts';
import { resourceQuotaSchema } from '../shapes/core/resource-quota.ts';
import { workloadType } from '../workload-type.ts';

/** Quotas; the plugin ResourceQuota enforces them (semantics/verbs#kinds, semantics/tables#built-in-columns). */
export function resourceQuotas(vocabulary: Vocabulary): ResourceDefinition {
  const isLimit = (name: string): boolean => name.startsWith('limits.');
  return workloadType({
    group: '',
    kind: 'ResourceQuota',
    plural: 'resourcequotas',
    shortNames: ['quota'],
    scope: 'Namespaced',
    schema: resourceQuotaSchema,
    columns: [
      nameColumn,
      ageColumn,
      column('Request', 'What is used, of what may be.', (quota: ResourceQuota) =>
        usageText(quota, (name) => !isLimit(name)),
      ),
      column('Limit', 'The same of limits.', (quota: ResourceQuota) => usageText(quota, isLimit)),
    ],
    status: {
      validate: ({ status = {} }: ResourceQuota) => [
        ...hardErrors(status.hard, vocabulary, 'status.hard'),
        ...hardErrors(status.used, vocabulary, 'status.used'),
      ],
    },
    strategy: {
      updateChecks: ['metadata-change'],
      returnsDeletedObject: true,
      validate: ({ spec }: ResourceQuota) => specErrors(spec, vocabulary),
      validateUpdate: ({ spec }: ResourceQuota, stored: ResourceQuota) => [
        ...specErrors(spec, vocabulary),
        ...(jsonEqual(setOf(spec?.scopes), setOf(stored.spec?.scopes))
          ? []
          : [FieldErrors.invalid('spec.scopes', printedScopes(spec?.scopes), 'field is immutable')]),
      ],
    },
  });
}

const setOf = (scopes: readonly string[] = []): string[] => [...new Set(scopes)].sort();

function usageText({ status = {} }: ResourceQuota, isShown: (name: string) => boolean): string {
  const { hard = {}, used = {} } = status;
  return Object.keys(hard)
    .filter(isShown)
    .sort(compareUtf8)
    .map((name) => `${name}: ${ownMember(used, name) ?? '0'}/${hard[name]}`)
    .join(', ');
}

function hardErrors(
  amounts: ResourceList | undefined,
  vocabulary: Vocabulary,
  path: string,
): readonly FieldError[] {
  return eachEntry(amounts, (name, amount) => [
    ...quotaResourceErrors(name, `${path}[${name}]`),
    ...amountErrors(name, amount, vocabulary, `${path}[${name}]`),
  ]);
}

function specErrors(spec: ResourceQuota['spec'], vocabulary: Vocabulary): readonly FieldError[] {
  return [...hardErrors(spec?.hard, vocabulary, 'spec.hard'), ...scopesErrors(spec ?? {}, 'spec')];
}
