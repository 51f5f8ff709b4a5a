import type {
  CustomResourceDefinition,
  DefinitionCondition,
  DefinitionStatus,
} from './custom-resource-definition.ts';

/** A condition without the time of its last change. */
export type Verdict = Required<Omit<DefinitionCondition, 'lastTransitionTime'>>;

/** The condition of a type. */
export function conditionOf(
  { status }: CustomResourceDefinition,
  type: string,
): DefinitionCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

/** Whether a condition is true. */
export function isTrue(definition: CustomResourceDefinition, type: string): boolean {
  return conditionOf(definition, type)?.status === 'True';
}

/** Whether the definition already has the condition of a verdict. */
export function hasCondition(definition: CustomResourceDefinition, verdict: Verdict): boolean {
  const { status, reason, message } = conditionOf(definition, verdict.type) ?? {};
  return status === verdict.status && reason === verdict.reason && message === verdict.message;
}

/** The definition with a condition set; its time changes only with its status. */
export function withCondition(
  definition: CustomResourceDefinition,
  verdict: Verdict,
  now: string,
): CustomResourceDefinition {
  const before = definition.status.conditions ?? [];
  const old = conditionOf(definition, verdict.type);
  const unchangedSince = old?.status === verdict.status ? old.lastTransitionTime : undefined;
  const { type, status, reason, message } = verdict;
  const condition: DefinitionCondition = {
    type,
    status,
    lastTransitionTime: unchangedSince ?? now,
    ...(reason !== '' && { reason }),
    ...(message !== '' && { message }),
  };
  const conditions = old ? before.map((each) => (each === old ? condition : each)) : [...before, condition];
  return withStatus(definition, { conditions });
}

/** The definition with parts of its status replaced. */
export function withStatus(
  definition: CustomResourceDefinition,
  changes: Partial<DefinitionStatus>,
): CustomResourceDefinition {
  return { ...definition, status: { ...definition.status, ...changes } };
}
