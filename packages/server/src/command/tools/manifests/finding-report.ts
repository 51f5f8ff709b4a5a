import type { FindingFormat } from '../../flags/tools/output-flag.ts';
import { jsonReport, type SarifFinding, type SarifRule, sarifLog } from '../sarif-log.ts';
import type { PlacedFinding } from './placed-finding.ts';

/** A finding in a file, or about an object of a cluster, which has no lines. */
export interface FileFinding extends Omit<PlacedFinding, 'line'> {
  readonly file: string;
  readonly line?: number;
}

/** Returns findings as a text for people, or for programs. */
export function findingReport(
  findings: readonly FileFinding[],
  format: FindingFormat,
  target: string,
): string {
  switch (format) {
    case 'json':
      return jsonReport({ target, findings: findings.map(jsonFinding) });
    case 'sarif':
      return sarifLog('ashlar check-manifests', RULES, findings.filter(isLeft).map(sarifFinding));
    default:
      return findings.map((finding) => `${textFinding(finding)}\n`).join('');
  }
}

function textFinding({ file, line, object, message, details, fixed, problems = [] }: FileFinding): string {
  const lines = [
    `${file}${line === undefined ? '' : `:${line}`}: ${object === undefined ? '' : `${object}: `}${message}${fixed ? ' (fixed)' : ''}`,
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

const LEVELS: Readonly<Record<PlacedFinding['severity'], SarifFinding['level']>> = {
  withdrawn: 'error',
  deprecated: 'warning',
  error: 'error',
};

const RULES: readonly (SarifRule & { readonly id: PlacedFinding['severity'] })[] = [
  { id: 'withdrawn', text: 'The version of a manifest is not served by the release.' },
  { id: 'deprecated', text: 'The version of a manifest is deprecated in the release.' },
  { id: 'error', text: 'A document cannot be checked.' },
];

const isLeft = ({ fixed, problems = [] }: FileFinding): boolean => !fixed || problems.length > 0;

const sarifFinding = ({
  file,
  line = 1,
  severity,
  object,
  message,
  details,
  problems = [],
}: FileFinding): SarifFinding => ({
  rule: severity,
  level: LEVELS[severity],
  text: [object, message, ...(details?.changes ?? []), ...problems].filter(Boolean).join('; '),
  ...{ file, line },
});
