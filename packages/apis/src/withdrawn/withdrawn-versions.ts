import type { Vocabulary } from '@ashlar/core';
import { withdrawnWebhooks } from './admissionregistration/withdrawn-webhooks.ts';
import { withdrawnApps } from './apps/withdrawn-apps.ts';
import { withdrawnAutoscaling } from './autoscaling/withdrawn-autoscaling.ts';
import { withdrawnBatch } from './batch/withdrawn-batch.ts';
import { withdrawnCertificates } from './certificates/withdrawn-certificates.ts';
import { withdrawnEndpointSlices } from './discovery/withdrawn-endpoint-slices.ts';
import { withdrawnEvents } from './events/withdrawn-events.ts';
import { withdrawnFlowControl } from './flowcontrol/withdrawn-flowcontrol.ts';
import { withdrawnNetworking } from './networking/withdrawn-networking.ts';
import { withdrawnPodSecurityPolicies } from './policy/pod-security-policies.ts';
import { withdrawnBudgets } from './policy/withdrawn-budgets.ts';
import { withdrawnBindings } from './rbac/withdrawn-bindings.ts';
import { withdrawnReviews } from './reviews/withdrawn-reviews.ts';
import { unchangedVersions } from './unchanged-versions.ts';
import type { WithdrawnVersion } from './withdrawn-version.ts';

/** Every version of built-in kinds that releases up to 1.32 have withdrawn, but for those of `@ashlar/extensions`. */
export function withdrawnVersions(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  return [
    unchangedVersions,
    withdrawnApps,
    withdrawnAutoscaling,
    withdrawnBatch,
    withdrawnBindings,
    withdrawnBudgets,
    withdrawnCertificates,
    withdrawnEndpointSlices,
    withdrawnEvents,
    withdrawnFlowControl,
    withdrawnNetworking,
    withdrawnPodSecurityPolicies,
    withdrawnReviews,
    withdrawnWebhooks,
  ].flatMap((versionsOf) => versionsOf(vocabulary));
}
