import { type ExplainedExpression, explainedText, type PolicyNames } from '@ashlar/admission';
import type { FindingFormat } from '../../flags/tools/output-flag.ts';
import type { ManifestDocument } from '../manifest-documents.ts';
import { firstLine } from '../manifests/document-text.ts';
import { jsonReport, type SarifFinding, type SarifRule, sarifLog } from '../sarif-log.ts';

/** An error is what a server would reject, a warning what it would warn of, a note what only its audit log would have. */
export type VetSeverity = 'error' | 'warning' | 'note';

/** What is wrong with a document: as such, or for a policy. */
interface VetProblem {
  readonly severity: VetSeverity;
  readonly message: string;
  /** Line of the file that the problem is about; by default that on which the document begins. */
  readonly line?: number;
  readonly policy?: string;
  readonly binding?: string;
  /** Name of the parameters. */
  readonly params?: string;
  /** Index of the validation. */
  readonly expressionIndex?: number;
  /** `Deny`, `Warn`, `Audit`. */
  readonly actions?: readonly string[];
  /** Cost units of the policy with this binding and these parameters. */
  readonly cost?: number;
}

/** The values of the expressions of a policy. */
interface VetEvaluation extends Pick<VetProblem, 'binding' | 'params'> {
  readonly policy: string;
  readonly cost: number;
  /** In the order of evaluation. */
  readonly expressions: readonly ExplainedExpression[];
}

/** A policy with its binding and parameters, and what its expressions cost. */
export interface ReportedPolicy extends PolicyNames {
  readonly costs: readonly number[];
  readonly expressions?: readonly ExplainedExpression[];
}

/** Cost units of all rules of a policy. */
export const totalCost = (costs: readonly number[]): number => costs.reduce((sum, each) => sum + each, 0);

/** How a policy is named in problems and evaluations. */
export const reportedNames = ({
  policy,
  binding,
  params,
}: PolicyNames): Pick<VetEvaluation, keyof PolicyNames> => ({
  policy,
  ...(binding !== undefined && { binding }),
  ...(params !== undefined && { params }),
});

/** A line with the values of expressions below it; the same line if they are not explained. */
export function withExpressions(line: VetLine, evaluated: ReportedPolicy): VetLine {
  const { costs, expressions } = evaluated;
  if (!expressions) return line;
  return {
    ...line,
    text: [line.text, ...expressions.map((each) => `    ${explainedText(each)}`)].join('\n'),
    evaluation: { ...reportedNames(evaluated), cost: totalCost(costs), expressions },
  };
}

/** A line of the text report, and the problem that it reports, if any. */
export interface VetLine {
  readonly text: string;
  readonly problem?: VetProblem;
  readonly evaluation?: VetEvaluation;
}

/** The place of a document. */
interface VetPlace {
  readonly file: string;
  /** Number of the document in the file, from 1. */
  readonly document: number;
  readonly line: number;
}

type VetFinding = VetPlace & VetProblem;

/** Prints findings about documents: text at once, JSON and SARIF at the end. */
export class VetReport {
  readonly #format: FindingFormat;
  readonly #stdout: (text: string) => void;
  readonly #stderr: (text: string) => void;
  readonly #findings: VetFinding[] = [];
  readonly #evaluations: (VetPlace & VetEvaluation)[] = [];
  /** Whether a server would reject one of the documents. */
  hasErrors = false;

  constructor(
    format: FindingFormat,
    { stdout, stderr }: { stdout(text: string): void; stderr(text: string): void },
  ) {
    this.#format = format;
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  add(document: ManifestDocument, { text, problem, evaluation }: VetLine): void {
    const isError = problem?.severity === 'error';
    if (isError) this.hasErrors = true;
    if (this.#format === 'text') (isError ? this.#stderr : this.#stdout)(`${document.place}: ${text}\n`);
    const place = { file: document.file, document: document.number, line: firstLine(document) };
    if (problem) this.#findings.push({ ...place, ...problem });
    if (evaluation) this.#evaluations.push({ ...place, ...evaluation });
  }

  end(): void {
    const evaluations = this.#evaluations;
    if (this.#format === 'json')
      this.#stdout(jsonReport({ findings: this.#findings, ...(evaluations.length > 0 && { evaluations }) }));
    if (this.#format === 'sarif')
      this.#stdout(sarifLog('ashlar vet', rulesOf(this.#findings), this.#findings.map(sarifFinding)));
  }
}

const INVALID: SarifRule = { id: 'invalid', text: 'A server would not accept the document.' };

const ruleName = ({ policy }: VetFinding): string => (policy === undefined ? INVALID.id : `policy/${policy}`);

/** Each policy that says something is a rule of its own. */
function rulesOf(findings: readonly VetFinding[]): readonly SarifRule[] {
  const policies = new Set(findings.flatMap(({ policy }) => (policy === undefined ? [] : [policy])));
  return [
    INVALID,
    ...[...policies].map((policy) => ({
      id: `policy/${policy}`,
      text: `The admission policy ${JSON.stringify(policy)} does not hold, or fails.`,
    })),
  ];
}

function sarifFinding(finding: VetFinding): SarifFinding {
  const { severity, message, binding, params, file, line } = finding;
  const names = [
    ...(binding === undefined ? [] : [`binding ${JSON.stringify(binding)}`]),
    ...(params === undefined ? [] : [`parameters ${JSON.stringify(params)}`]),
  ];
  const text = names.length === 0 ? message : `${message} (${names.join(', ')})`;
  return { rule: ruleName(finding), level: severity, text, file, line };
}
