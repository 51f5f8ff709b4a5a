import type { JsonValue, Schema } from '@ashlar/core';
import { compileTyped } from '@ashlar/schema';
import { describe, expect, it } from 'vitest';
import { deploymentSchema } from './shapes/apps/deployment.ts';
import { podSpec } from './shapes/core/pod-spec.ts';
import { kindCondition } from './shapes/shared/kind-condition.ts';

const errorOf = (schema: Schema, value: JsonValue) => (): unknown =>
  compileTyped(schema).decode(value, () => {});

describe('a text of a type with a name', () => {
  it.each<[Schema, JsonValue, string]>([
    [
      podSpec,
      { restartPolicy: 5 },
      'number into Go struct field PodSpec.restartPolicy of type v1.RestartPolicy',
    ],
    [
      deploymentSchema,
      { spec: { strategy: { type: true } } },
      'bool into Go struct field DeploymentStrategy.spec.strategy.type of type v1.DeploymentStrategyType',
    ],
    [
      kindCondition('api.apps.v1.ReplicaSetCondition'),
      { type: 5 },
      'number into Go struct field ReplicaSetCondition.type of type v1.ReplicaSetConditionType',
    ],
  ])('is called by that name', (schema, value, error) => {
    expect(errorOf(schema, value)).toThrow(`json: cannot unmarshal ${error}`);
  });
});
