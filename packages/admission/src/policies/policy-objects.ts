import type { ApiObject, LabelSelectorObject } from '@ashlar/core';
import type { MatchCondition } from '../expressions/match-conditions.ts';
import type { NamedAdmissionRule } from '../matching/request-matching.ts';

/** Which requests a policy or a binding is for, as stored with defaults (semantics/admission#validatingadmissionpolicy). */
export interface MatchResources {
  readonly namespaceSelector?: LabelSelectorObject | null;
  readonly objectSelector?: LabelSelectorObject | null;
  readonly resourceRules?: readonly NamedAdmissionRule[] | null;
  readonly excludeResourceRules?: readonly NamedAdmissionRule[] | null;
  /** `Exact` or `Equivalent`. */
  readonly matchPolicy?: string | null;
}

/** The kind of the parameters of a policy. */
export interface ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** Which parameters a binding uses. */
export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelectorObject | null;
  /** `Allow` or `Deny`. */
  readonly parameterNotFoundAction?: string | null;
}

/** A named expression, which others read as `variables.<name>`. */
export interface Variable {
  readonly name: string;
  readonly expression: string;
}

/** An expression that must be true. */
export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  /** Reason of the response; default `Invalid`. */
  readonly reason?: string | null;
}

/** An annotation of the audit event, whose value is computed. */
export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

export interface ValidatingAdmissionPolicySpec {
  readonly paramKind?: ParamKind | null;
  readonly matchConstraints?: MatchResources | null;
  readonly validations?: readonly Validation[] | null;
  /** `Fail` or `Ignore`. */
  readonly failurePolicy?: string | null;
  readonly auditAnnotations?: readonly AuditAnnotation[] | null;
  readonly matchConditions?: readonly MatchCondition[] | null;
  readonly variables?: readonly Variable[] | null;
}

/** A stored ValidatingAdmissionPolicy. */
export interface ValidatingAdmissionPolicy extends ApiObject {
  readonly spec?: ValidatingAdmissionPolicySpec;
}

export interface ValidatingAdmissionPolicyBindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef | null;
  readonly matchResources?: MatchResources | null;
  /** `Deny`, `Warn`, `Audit`. */
  readonly validationActions?: readonly string[] | null;
}

/** A stored ValidatingAdmissionPolicyBinding. */
export interface ValidatingAdmissionPolicyBinding extends ApiObject {
  readonly spec?: ValidatingAdmissionPolicyBindingSpec;
}
