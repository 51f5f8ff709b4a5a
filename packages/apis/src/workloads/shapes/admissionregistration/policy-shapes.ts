import type { Schema } from '@ashlar/core';
import { atomic, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { among, embedded, listOf, part, textOf, texts, withDefault } from '../../shape-fields.ts';
import { MATCH_POLICIES } from '../shared/enumerations.ts';
import { labelSelector } from '../shared/label-selector.ts';
import { ruleWithOperations } from './webhook-configurations.ts';

/** The types that policies of all versions share. */
interface PolicyShapes {
  readonly matchResources: Schema;
  readonly paramKind: Schema;
  readonly paramRef: Schema;
  readonly variable: Schema;
}

/** Returns the shared types with the names of a version. */
export function policyShapes(version: string): PolicyShapes {
  const namedRuleWithOperations = type(
    `api.admissionregistration.${version}.NamedRuleWithOperations`,
    {
      resourceNames: texts(1, atomic),
      ...embedded(2, ruleWithOperations),
    },
    { mapType: 'atomic' },
  );

  const matchResources = type(
    `api.admissionregistration.${version}.MatchResources`,
    {
      namespaceSelector: withDefault(optional(part(1, labelSelector)), {}),
      objectSelector: withDefault(optional(part(2, labelSelector)), {}),
      resourceRules: listOf(3, namedRuleWithOperations, atomic),
      excludeResourceRules: listOf(4, namedRuleWithOperations, atomic),
      matchPolicy: among(
        withDefault(optional(textOf(7, 'api.admissionregistration.v1.MatchPolicyType')), 'Equivalent'),
        MATCH_POLICIES,
      ),
    },
    { mapType: 'atomic' },
  );

  const paramKind = type(
    `api.admissionregistration.${version}.ParamKind`,
    {
      apiVersion: string(1),
      kind: string(2),
    },
    { mapType: 'atomic' },
  );

  const paramRef = type(
    `api.admissionregistration.${version}.ParamRef`,
    {
      name: string(1),
      namespace: string(2),
      selector: optional(part(3, labelSelector)),
      parameterNotFoundAction: optional(
        textOf(4, 'api.admissionregistration.v1.ParameterNotFoundActionType'),
      ),
    },
    { mapType: 'atomic' },
  );

  const variable = type(
    `api.admissionregistration.${version}.Variable`,
    {
      name: printed(string(1)),
      expression: printed(string(2)),
    },
    { required: ['name', 'expression'], mapType: 'atomic' },
  );

  return { matchResources, paramKind, paramRef, variable };
}
