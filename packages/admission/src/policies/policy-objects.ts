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

/** What validating and mutating policies have in common. */
export interface PolicySpec {
  readonly paramKind?: ParamKind | null;
  readonly matchConstraints?: MatchResources | null;
  /** `Fail` or `Ignore`. */
  readonly failurePolicy?: string | null;
  readonly matchConditions?: readonly MatchCondition[] | null;
  readonly variables?: readonly Variable[] | null;
}

/** A stored policy of either kind. */
export interface Policy<S extends PolicySpec = PolicySpec> extends ApiObject {
  readonly spec?: S;
}

export interface ValidatingAdmissionPolicySpec extends PolicySpec {
  readonly validations?: readonly Validation[] | null;
  readonly auditAnnotations?: readonly AuditAnnotation[] | null;
}

/** A stored ValidatingAdmissionPolicy. */
export interface ValidatingAdmissionPolicy extends Policy<ValidatingAdmissionPolicySpec> {}

/** What bindings of validating and mutating policies have in common. */
interface PolicyBindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef | null;
  readonly matchResources?: MatchResources | null;
}

/** A stored binding of either kind. */
export interface PolicyBinding<S extends PolicyBindingSpec = PolicyBindingSpec> extends ApiObject {
  readonly spec?: S;
}

export interface ValidatingAdmissionPolicyBindingSpec extends PolicyBindingSpec {
  /** `Deny`, `Warn`, `Audit`. */
  readonly validationActions?: readonly string[] | null;
}

/** A stored ValidatingAdmissionPolicyBinding. */
export interface ValidatingAdmissionPolicyBinding
  extends PolicyBinding<ValidatingAdmissionPolicyBindingSpec> {}

/** A change of the object. */
export interface Mutation {
  /** `ApplyConfiguration` or `JSONPatch`, which says which of the others is there. */
  readonly patchType?: string;
  readonly applyConfiguration?: { readonly expression?: string } | null;
  readonly jsonPatch?: { readonly expression?: string } | null;
}

export interface MutatingAdmissionPolicySpec extends PolicySpec {
  readonly mutations?: readonly Mutation[] | null;
  /** `Never` or `IfNeeded`. */
  readonly reinvocationPolicy?: string;
}

/** A stored MutatingAdmissionPolicy. */
export interface MutatingAdmissionPolicy extends Policy<MutatingAdmissionPolicySpec> {}

/** A stored MutatingAdmissionPolicyBinding. */
export interface MutatingAdmissionPolicyBinding extends PolicyBinding {}
