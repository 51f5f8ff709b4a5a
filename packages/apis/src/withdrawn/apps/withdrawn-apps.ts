import type { ApiObject, Schema, Vocabulary } from '@ashlar/core';
import { int64, optional, type } from '../../types/schema-fields.ts';
import { countedTemplates, daemonSets } from '../../workloads/apps/daemon-sets.ts';
import { deployments } from '../../workloads/apps/deployments.ts';
import { replicaSets } from '../../workloads/apps/replica-sets.ts';
import { withRollingUpdate } from '../../workloads/apps/rolling-update.ts';
import { statefulSets } from '../../workloads/apps/stateful-sets.ts';
import { podPartRules } from '../../workloads/core/pod-defaults.ts';
import type { DefaultRules } from '../../workloads/defaults/default-rules.ts';
import { compileDefaults } from '../../workloads/defaults/schema-defaults.ts';
import { part } from '../../workloads/shape-fields.ts';
import { daemonSetSchema } from '../../workloads/shapes/apps/daemon-set.ts';
import { deploymentSchema } from '../../workloads/shapes/apps/deployment.ts';
import { replicaSetSchema } from '../../workloads/shapes/apps/replica-set.ts';
import { statefulSetSchema } from '../../workloads/shapes/apps/stateful-set.ts';
import { type FieldChanges, revisedSchema, withDefaults, withFields, without } from '../revised-schema.ts';
import {
  relabelled,
  type VersionDifferences,
  type WithdrawnVersion,
  withdrawnVersion,
} from '../withdrawn-version.ts';
import { fromAnnotation, rollbackTo, templateGeneration, toAnnotation } from './annotated-field.ts';
import { withTemplateLabels } from './template-labels.ts';

/** The versions of workloads before apps/v1. */
export function withdrawnApps(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  const [daemonSet, deployment] = [daemonSets(vocabulary), deployments(vocabulary)];
  const [replicaSet, statefulSet] = [replicaSets(vocabulary), statefulSets(vocabulary)];
  const extensions = { group: 'extensions', version: 'v1beta1' };
  return [
    withdrawnVersion(daemonSet, extensions, daemonSetOf('extensions/v1beta1', true, vocabulary)),
    withdrawnVersion(daemonSet, { version: 'v1beta2' }, daemonSetOf('apps/v1beta2', false, vocabulary)),
    withdrawnVersion(deployment, extensions, deploymentOf('extensions/v1beta1', OLDEST, vocabulary)),
    withdrawnVersion(deployment, { version: 'v1beta1' }, deploymentOf('apps/v1beta1', OLDER, vocabulary)),
    withdrawnVersion(deployment, { version: 'v1beta2' }),
    withdrawnVersion(statefulSet, { version: 'v1beta1' }, statefulSetOf('apps/v1beta1', true, vocabulary)),
    withdrawnVersion(statefulSet, { version: 'v1beta2' }, statefulSetOf('apps/v1beta2', false, vocabulary)),
    withdrawnVersion(replicaSet, extensions, replicaSetOf('extensions/v1beta1', vocabulary)),
    withdrawnVersion(replicaSet, { version: 'v1beta2' }),
  ];
}

/** `apps/v1beta1` gives types the names `api.apps.v1beta1.…`. */
const renamed = (apiVersion: string): readonly [string, string] => [
  'api.apps.v1.',
  `api.${apiVersion.replace('/', '.')}.`,
];

interface Form {
  readonly schema: Schema;
  readonly changes: FieldChanges;
  readonly rules: DefaultRules;
  /** Whether selector and labels default to those of the template. */
  readonly fromTemplate: boolean;
}

function formOf(
  apiVersion: string,
  { schema, changes, rules, fromTemplate }: Form,
): Required<Pick<VersionDifferences, 'schema' | 'complete'>> {
  const { complete } = compileDefaults(revisedSchema(schema, changes), rules);
  return {
    schema: revisedSchema(schema, changes, renamed(apiVersion)),
    complete: (object) => complete(fromTemplate ? withTemplateLabels(object) : object),
  };
}

const current = relabelled('apps/v1');

function daemonSetOf(apiVersion: string, isOldest: boolean, vocabulary: Vocabulary): VersionDifferences {
  const changes: FieldChanges = {
    'api.apps.v1.DaemonSetSpec': withFields(isOldest ? { templateGeneration: int64(5) } : {}),
    'api.apps.v1.DaemonSetUpdateStrategy': isOldest ? withDefaults({ type: 'OnDelete' }) : withFields({}),
    'api.apps.v1.RollingUpdateDaemonSet': without('maxSurge'),
  };
  const rules: DefaultRules = {
    ...podPartRules(vocabulary),
    'api.apps.v1.DaemonSetUpdateStrategy': (strategy) =>
      isOldest && !strategy.type ? strategy : withRollingUpdate(strategy),
    ...(!isOldest && { 'api.apps.v1.DaemonSet': countedTemplates }),
  };
  const counted = (object: ApiObject): ApiObject => toAnnotation(withCount(object), templateGeneration);
  return {
    ...formOf(apiVersion, { schema: daemonSetSchema, changes, rules, fromTemplate: isOldest }),
    toCurrent: (object) => current(isOldest ? counted(object) : object),
    fromCurrent: (object) =>
      relabelled(apiVersion)(isOldest ? fromAnnotation(object, templateGeneration) : object),
  };
}

/** The number is always there. */
function withCount(object: ApiObject): ApiObject {
  const spec = (object.spec ?? {}) as { readonly templateGeneration?: number };
  return { ...object, spec: { ...spec, templateGeneration: spec.templateGeneration ?? 0 } };
}

interface DeploymentDefaults {
  readonly maxUnavailable: number | string;
  readonly maxSurge: number | string;
  readonly revisionHistoryLimit: number;
  readonly progressDeadlineSeconds: number;
}

/** The largest 32-bit number stands for no limit and no deadline. */
const UNLIMITED = 2_147_483_647;

const OLDEST: DeploymentDefaults = {
  maxUnavailable: 1,
  maxSurge: 1,
  revisionHistoryLimit: UNLIMITED,
  progressDeadlineSeconds: UNLIMITED,
};

const OLDER: DeploymentDefaults = {
  maxUnavailable: '25%',
  maxSurge: '25%',
  revisionHistoryLimit: 2,
  progressDeadlineSeconds: 600,
};

function deploymentOf(
  apiVersion: string,
  defaults: DeploymentDefaults,
  vocabulary: Vocabulary,
): VersionDifferences {
  const { maxUnavailable, maxSurge, revisionHistoryLimit, progressDeadlineSeconds } = defaults;
  const rollback = type('api.apps.v1.RollbackConfig', { revision: int64(1) });
  const changes: FieldChanges = {
    'api.apps.v1.DeploymentSpec': (fields) =>
      withDefaults({ revisionHistoryLimit, progressDeadlineSeconds })(
        withFields({ rollbackTo: optional(part(8, rollback)) })(fields),
      ),
    'api.apps.v1.RollingUpdateDeployment': withDefaults({ maxUnavailable, maxSurge }),
  };
  const rules = { ...podPartRules(vocabulary), 'api.apps.v1.DeploymentStrategy': withRollingUpdate };
  return {
    ...formOf(apiVersion, { schema: deploymentSchema, changes, rules, fromTemplate: true }),
    toCurrent: (object) => current(toAnnotation(object, rollbackTo)),
    fromCurrent: (object) => relabelled(apiVersion)(fromAnnotation(object, rollbackTo)),
  };
}

function statefulSetOf(apiVersion: string, isOldest: boolean, vocabulary: Vocabulary): VersionDifferences {
  const changes: FieldChanges = {
    'api.apps.v1.StatefulSetSpec': without(
      'persistentVolumeClaimRetentionPolicy',
      'ordinals',
      'minReadySeconds',
    ),
    'api.apps.v1.RollingUpdateStatefulSetStrategy': without('maxUnavailable'),
    'api.apps.v1.StatefulSetStatus': without('availableReplicas'),
    ...(isOldest && { 'api.apps.v1.StatefulSetUpdateStrategy': withDefaults({ type: 'OnDelete' }) }),
  };
  const rules: DefaultRules = {
    ...podPartRules(vocabulary),
    ...(!isOldest && {
      'api.apps.v1.StatefulSetUpdateStrategy': (strategy) =>
        strategy.type ? strategy : { ...strategy, type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    }),
  };
  return formOf(apiVersion, { schema: statefulSetSchema, changes, rules, fromTemplate: isOldest });
}

function replicaSetOf(apiVersion: string, vocabulary: Vocabulary): VersionDifferences {
  return formOf(apiVersion, {
    schema: replicaSetSchema,
    changes: {},
    rules: podPartRules(vocabulary),
    fromTemplate: true,
  });
}
