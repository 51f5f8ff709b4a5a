import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { annotationReader } from '../annotated-value.ts';
import { annotatedBehavior } from '../shapes/autoscaling/annotated-autoscaler.ts';
import type { Autoscaler, ScalingRules } from './autoscaler-types.ts';

type Behavior = NonNullable<NonNullable<Autoscaler['spec']>['behavior']>;

const read = annotationReader<JsonObject>(annotatedBehavior);

/** Returns the behavior that an annotation says, in the words of version v2; undefined if it says none. */
export function readBehavior(text: string | undefined): Behavior | undefined {
  const behavior = text === undefined ? undefined : read(text);
  if (!behavior || Object.keys(behavior).length === 0) return undefined;
  return renamed(behavior, lowerFirst) as unknown as Behavior;
}

/** Behavior as its annotation spells it: all fields, in upper camel case. */
export function oldBehavior({ scaleUp, scaleDown }: Behavior): JsonObject {
  return { ScaleUp: oldRules(scaleUp), ScaleDown: oldRules(scaleDown) };
}

function oldRules(rules: ScalingRules | undefined): JsonValue {
  if (!rules) return null;
  const { stabilizationWindowSeconds, selectPolicy, policies } = rules;
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds ?? null,
    SelectPolicy: selectPolicy ?? null,
    Policies: policies ? policies.map((policy) => renamed(policy, upperFirst)) : null,
  };
}

const upperFirst = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Renames all members at every depth: the annotation of behavior has its own spelling. */
function renamed(value: JsonValue, rename: (name: string) => string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined && part !== null);
  return Object.fromEntries(entries.map(([name, part]) => [rename(name), renamed(part ?? null, rename)]));
}
