/** What is reported under one name. */
export interface SarifRule {
  readonly id: string;
  readonly text: string;
}

/** A finding as SARIF has it. */
export interface SarifFinding {
  /** Name of a rule. */
  readonly rule: string;
  readonly level: 'error' | 'warning' | 'note';
  readonly text: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Returns findings as the text of a SARIF 2.1.0 log, as code scanning reads it. */
export function sarifLog(
  tool: string,
  rules: readonly SarifRule[],
  findings: readonly SarifFinding[],
): string {
  return jsonReport({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: tool, rules: rules.map(({ id, text }) => ({ id, shortDescription: { text } })) },
        },
        results: findings.map(({ rule, level, text, file, line }) => ({
          ruleId: rule,
          level,
          message: { text },
          locations: [{ physicalLocation: { artifactLocation: { uri: file }, region: { startLine: line } } }],
        })),
      },
    ],
  });
}

/** Returns a report for programs as the text of a JSON file. */
export const jsonReport = (report: object): string => `${JSON.stringify(report, null, 2)}\n`;
