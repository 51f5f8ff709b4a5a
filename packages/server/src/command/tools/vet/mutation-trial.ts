import {
  type AdmissionPlugin,
  createMutatingTrial,
  type MutationEvaluation,
  type ParamKindType,
  policyNames,
} from '@ashlar/admission';
import type { UserInfo, Vocabulary } from '@ashlar/core';
import { UsageError } from '../../usage-error.ts';
import { changedFields } from './changed-fields.ts';
import type { VettedPolicies } from './read-policies.ts';
import { reportedNames, totalCost, type VetLine, withExpressions } from './vet-report.ts';

/** How mutating policies are tried. */
interface MutationTrialOptions {
  readonly vocabulary: Vocabulary;
  /** Undefined for the administrator. */
  readonly user: UserInfo | undefined;
  readonly explain: boolean;
  readonly findParamKind: (apiVersion: string, kind: string) => ParamKindType | undefined;
}

/** Tries mutating policies on documents, one after another. */
export class MutationTrial {
  /** Changes objects in dry runs. */
  readonly plugin: AdmissionPlugin;
  #evaluations: MutationEvaluation[] = [];

  /** @throws UsageError for a policy that no server would store */
  constructor(
    { mutating: policies, namespaces, params }: VettedPolicies,
    { user, ...options }: MutationTrialOptions,
  ) {
    const observe = (evaluation: MutationEvaluation): void => void this.#evaluations.push(evaluation);
    const trial = pluginOf({ policies, namespaces, params, ...options, ...(user && { user }), observe });
    this.plugin = {
      ...trial,
      admit: (request, rounds) => {
        // a trial may need a second request
        if (rounds.round === 0) this.#evaluations = [];
        return trial.admit?.(request, rounds);
      },
    };
  }

  /** Forgets the document before. */
  begin(): void {
    this.#evaluations = [];
  }

  /** Whether a policy made the last document's request fail. */
  get denies(): boolean {
    return this.#evaluations.some(({ failure, ignoresErrors }) => failure !== undefined && !ignoresErrors);
  }

  /** One line for each evaluation for the last document. */
  lines(): readonly VetLine[] {
    return this.#evaluations.map((each) => {
      const line = each.failure === undefined ? changeLine(each) : failureLine(each, each.failure);
      return withExpressions(line, each);
    });
  }
}

function pluginOf(trial: Parameters<typeof createMutatingTrial>[0]): AdmissionPlugin {
  try {
    return createMutatingTrial(trial);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`flag --policies: ${error.message}`);
  }
}

function changeLine(evaluation: MutationEvaluation): VetLine {
  const { before, after, costs } = evaluation;
  const fields = changedFields(before, after);
  const change = fields === '' ? 'changes nothing' : `changes ${fields}`;
  return { text: `${policyNames(evaluation)} ${change}, cost ${totalCost(costs)}` };
}

function failureLine(evaluation: MutationEvaluation, message: string): VetLine {
  const { ignoresErrors, costs } = evaluation;
  const cost = totalCost(costs);
  const outcome = ignoresErrors ? 'fails, which is ignored' : 'fails';
  return {
    text: `${policyNames(evaluation)} ${outcome}: ${message}, cost ${cost}`,
    problem: {
      ...{ severity: ignoresErrors ? 'note' : 'error', message, cost },
      ...reportedNames(evaluation),
    },
  };
}
