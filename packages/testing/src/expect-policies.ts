import {
  type ExplainedExpression,
  evaluatePolicies,
  type PolicyEvaluation,
  type PolicyTrial,
  type PolicyVerdict,
} from '@ashlar/admission';
import { decodeYamlDocuments } from '@ashlar/codec';
import {
  type ApiObject,
  actualValueText,
  checkOptionNames,
  groupName,
  isJsonObject,
  type Vocabulary,
  vocabularies,
} from '@ashlar/core';

/** Policies, and the circumstances of the writes that they are asked about. */
export interface ExpectPoliciesOptions extends Omit<PolicyTrial, 'policies' | 'object' | 'explain'> {
  /** Validating policies and their bindings: objects, or the text of a YAML file. */
  readonly policies: readonly ApiObject[] | string;
  /** Default: the vocabulary whose names the policies have. */
  readonly vocabulary?: Vocabulary;
}

/**
 * What is expected of policies about the write of an object: an update with the option `oldObject`, or a deletion if there is no
 * object. Each rejects with an Error that shows the value of each expression.
 */
export interface ExpectedPolicies {
  /** The write is denied, with a message that contains a text or matches a pattern. */
  toDeny(object: ApiObject | undefined, message?: string | RegExp): Promise<PolicyVerdict>;
  /** The write is not denied, and has a warning that contains a text or matches a pattern. */
  toWarn(object: ApiObject | undefined, message?: string | RegExp): Promise<PolicyVerdict>;
  /** The write is neither denied nor warned of, although some policy is for it. */
  toAllow(object: ApiObject | undefined): Promise<PolicyVerdict>;
  /** No policy is for the write: neither its rules, selectors and bindings nor its conditions match. */
  toIgnore(object: ApiObject | undefined): Promise<PolicyVerdict>;
}

const OPTIONS: Readonly<Record<keyof ExpectPoliciesOptions, true>> = {
  policies: true,
  oldObject: true,
  resource: true,
  subresource: true,
  user: true,
  authorizer: true,
  namespaces: true,
  params: true,
  findParamKind: true,
  dryRun: true,
  vocabulary: true,
};

/**
 * Tests policies without a server, with the responses that one would give; in any test runner.
 * @throws TypeError for options that are wrong; the expectations reject with one for policies that no server would store
 * @example
 * const policies = expectPolicies({ policies: await readFile('policies.yaml', 'utf8') });
 * await policies.toDeny(pod('nginx'), 'images need a tag');
 * await policies.toAllow(pod('nginx:1.27'));
 */
export function expectPolicies(options: ExpectPoliciesOptions): ExpectedPolicies {
  checkOptionNames('expectPolicies', options, Object.keys(OPTIONS));
  const policies = objectsOf(options.policies);
  const { vocabulary = vocabularyOf(policies) } = options;
  const evaluate = (object: ApiObject | undefined): Promise<PolicyVerdict> =>
    evaluatePolicies({
      ...options,
      ...{ policies, explain: true },
      ...(vocabulary && { vocabulary }),
      ...(object && { object }),
    });
  const check =
    (expected: string, isMet: (verdict: PolicyVerdict, message?: string | RegExp) => boolean) =>
    async (object: ApiObject | undefined, message?: string | RegExp): Promise<PolicyVerdict> => {
      const verdict = await evaluate(object);
      if (isMet(verdict, message)) return verdict;
      const subject = object ?? options.oldObject;
      throw new Error(
        failureText(`${subject?.kind} "${subject?.metadata.name}"`, expected, message, verdict),
      );
    };
  return {
    toDeny: check('denied', ({ denial }, message) => denial !== undefined && says(denial.message, message)),
    toWarn: check(
      'warned of',
      ({ denial, warnings }, message) => !denial && warnings.some((warning) => says(warning, message)),
    ),
    toAllow: check(
      'allowed',
      ({ denial, warnings, evaluations }) => !denial && warnings.length === 0 && evaluations.some(isAnswer),
    ),
    toIgnore: check('ignored', ({ evaluations }) => !evaluations.some(isAnswer)),
  };
}

/** Whether a policy said something: it has conditions that do not match otherwise. */
const isAnswer = ({ costs, failures }: PolicyEvaluation): boolean => costs.length > 0 || failures.length > 0;

const says = (text: string, message: string | RegExp | undefined): boolean =>
  message === undefined || (typeof message === 'string' ? text.includes(message) : text.search(message) >= 0);

function objectsOf(policies: readonly ApiObject[] | string): readonly ApiObject[] {
  if (Array.isArray(policies)) return policies;
  if (typeof policies !== 'string')
    throw new TypeError(
      `expectPolicies takes policies as objects or as YAML, not ${actualValueText(policies)}`,
    );
  return decodeYamlDocuments(policies).map((value, index) => {
    if (isJsonObject(value) && typeof value.kind === 'string' && typeof value.apiVersion === 'string')
      return value as unknown as ApiObject;
    throw new TypeError(`document ${index + 1} of the policies is not an object with apiVersion and kind`);
  });
}

const vocabularyOf = ([first]: readonly ApiObject[]): Vocabulary | undefined =>
  Object.values(vocabularies).find((each) =>
    first?.apiVersion?.startsWith(`${groupName(each, 'admissionregistration.')}/`),
  );

function failureText(
  subject: string,
  expected: string,
  message: string | RegExp | undefined,
  verdict: PolicyVerdict,
): string {
  const expectedMessage =
    message === undefined ? '' : ` with ${message instanceof RegExp ? message : JSON.stringify(message)}`;
  const lines = [`${subject} is not ${expected}${expectedMessage}: ${responseText(verdict)}`];
  for (const { policy, binding, params, expressions = [] } of verdict.evaluations) {
    const bound = binding === undefined ? '' : ` with binding "${binding}"`;
    lines.push(`  policy "${policy}"${bound}${params === undefined ? '' : ` and parameters "${params}"`}`);
    lines.push(...expressions.map((each) => `    ${expressionText(each)}`));
  }
  return lines.join('\n');
}

function responseText({ denial, warnings, evaluations }: PolicyVerdict): string {
  if (denial) return denial.message;
  if (warnings.length > 0) return `it is warned of: ${warnings.join('; ')}`;
  return evaluations.some(isAnswer) ? 'it is allowed' : 'no policy is for it';
}

function expressionText({ field, name, expression, value, error }: ExplainedExpression): string {
  const outcome = error === undefined ? JSON.stringify(value) : `error: ${error}`;
  return `${field}${name === undefined ? '' : ` (${name})`}: ${expression} => ${outcome}`;
}
