import { policyTypeWarningsSteps, type TypedKinds, type ValidatingAdmissionPolicy } from '@ashlar/admission';
import { groupName, runInSlices } from '@ashlar/core';
import { type Controller, type ControllerOptions, controllerOfLoop } from '../loop/controller.ts';
import { startObjectLoop } from '../loop/object-loop.ts';

export interface PolicyStatusOptions extends ControllerOptions {
  /** The kinds that policies are checked against. */
  readonly kinds: TypedKinds;
}

const MANAGER = 'validatingadmissionpolicy-status';

interface StoredPolicy extends ValidatingAdmissionPolicy {
  readonly status?: { readonly observedGeneration?: number };
}

/** Writes into the status of policies what is wrong with their expressions for the kinds that they match (semantics/admission#validatingadmissionpolicy). */
export function createPolicyStatusController({
  client,
  ambient,
  onError,
  kinds,
}: PolicyStatusOptions): Controller {
  const policies = client.resource<StoredPolicy>({
    group: groupName(ambient.vocabulary, 'admissionregistration.'),
    version: 'v1',
    resource: 'validatingadmissionpolicies',
    kind: 'ValidatingAdmissionPolicy',
  });
  return controllerOfLoop(() =>
    startObjectLoop({
      resource: policies,
      ambient,
      onError,
      async work(policy) {
        const { apiVersion, kind, metadata, status } = policy;
        const { name = '', generation: observedGeneration = 0 } = metadata;
        if (observedGeneration <= (status?.observedGeneration ?? 0)) return undefined;
        const expressionWarnings = await runInSlices(policyTypeWarningsSteps(policy, kinds), ambient);
        const typeChecking = expressionWarnings.length > 0 ? { expressionWarnings } : {};
        const configuration = {
          apiVersion,
          kind,
          metadata: { name },
          status: { observedGeneration, typeChecking },
        };
        await policies.status.apply(configuration as unknown as StoredPolicy, {
          fieldManager: MANAGER,
          force: true,
        });
        return undefined;
      },
    }),
  );
}
