import type { FindingFormat } from '../../flags/check-manifests-flags.ts';
import type { PlacedFinding } from './check-document.ts';

/** A finding in a file. */
export interface FileFinding extends PlacedFinding {
  readonly file: string;
}

/** Returns findings as a text for people, or for programs. */
export function findingReport(
  findings: readonly FileFinding[],
  format: FindingFormat,
  target: string,
): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify({ target, findings: findings.map(jsonFinding) }, null, 2)}\n`;
    case 'sarif':
      return `${JSON.stringify(sarifLog(findings), null, 2)}\n`;
    default:
      return findings.map((finding) => `${textFinding(finding)}\n`).join('');
  }
}

function textFinding({ file, line, object, message, details, fixed, problems = [] }: FileFinding): string {
  const lines = [
    `${file}:${line}: ${object === undefined ? '' : `${object}: `}${message}${fixed ? ' (fixed)' : ''}`,
  ];
  if (!fixed) lines.push(...(details?.changes ?? []).map((change) => `    ${change}`));
  lines.push(...problems.map((problem) => `    still to be done: ${problem}`));
  return lines.join('\n');
}

function jsonFinding({ details, ...finding }: FileFinding): object {
  if (!details) return finding;
  const { index: _, message: __, ...rest } = details;
  return { ...finding, ...rest };
}

const LEVELS: Readonly<Record<PlacedFinding['severity'], string>> = {
  withdrawn: 'error',
  deprecated: 'warning',
  error: 'error',
};

const RULES: readonly { readonly id: PlacedFinding['severity']; readonly text: string }[] = [
  { id: 'withdrawn', text: 'The version of a manifest is not served by the release.' },
  { id: 'deprecated', text: 'The version of a manifest is deprecated in the release.' },
  { id: 'error', text: 'A document cannot be checked.' },
];

/** SARIF 2.1.0, as code scanning reads it. */
function sarifLog(findings: readonly FileFinding[]): object {
  const rules = RULES.map(({ id, text }) => ({ id, shortDescription: { text } }));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'ashlar check-manifests', rules } },
        results: findings
          .filter(({ fixed, problems = [] }) => !fixed || problems.length > 0)
          .map(({ file, line, severity, object, message, details, problems = [] }) => ({
            ruleId: severity,
            level: LEVELS[severity],
            message: {
              text: [object, message, ...(details?.changes ?? []), ...problems].filter(Boolean).join('; '),
            },
            locations: [
              { physicalLocation: { artifactLocation: { uri: file }, region: { startLine: line } } },
            ],
          })),
      },
    ],
  };
}
