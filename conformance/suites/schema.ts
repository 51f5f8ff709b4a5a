import {
  fieldErrorText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  kubernetesVocabulary,
} from '@ashlar/core';
import { compileStructural, fromOpenApi, type StructuralSchema } from '@ashlar/schema';
import { checkDefinitionSchema, compileValidator } from '@ashlar/validation';
import type { CaseResult, Suite } from '../suite.ts';
import { readOracle } from './codec/oracle.ts';

/**
 * Schemas of custom types, compared with the reference's libraries (oracles/schema*.jsonl), including rules;
 * estimates of single rules are elsewhere.
 */
export const suite: Suite = {
  name: 'oracles/schema',
  async *run(dataDirectory) {
    for (const entry of readOracle(dataDirectory, 'schema')) {
      const runCase = CHECKS[entry.suite];
      if (runCase) yield runCase(entry as unknown as ValueCase);
    }
  },
};

interface ValueCase {
  readonly id: string;
  readonly suite: string;
  readonly schema: JsonObject;
  readonly object: JsonObject;
  readonly old?: JsonObject;
  readonly unknown?: readonly string[];
  readonly result?: JsonObject;
  readonly errors?: readonly string[];
  readonly types?: readonly string[];
  readonly warnings?: readonly string[];
  readonly decodeError?: string;
  readonly statusSubresource?: boolean;
}

interface ValueAnswer {
  readonly unknown?: readonly string[];
  readonly result?: JsonValue;
  readonly errors?: readonly string[];
  readonly types?: readonly string[];
  readonly warnings?: readonly string[];
  readonly decodeError?: string;
}

const CHECKS: Readonly<Record<string, (entry: ValueCase) => CaseResult>> = {
  value: checkValue,
  'value-random': checkValue,
  update: checkValue,
  'update-random': checkValue,
  accept: checkAccept,
  'accept-random': checkAccept,
};

function checkValue(entry: ValueCase): CaseResult {
  const { id, suite: suiteName } = entry;
  const expected: ValueAnswer = {
    ...(entry.decodeError && { decodeError: masked(entry.decodeError) }),
    ...(entry.result && {
      unknown: sorted(entry.unknown),
      result: withPlainMetadata(entry.result),
      errors: sorted(entry.errors).map(masked),
      types: sorted(entry.types),
      warnings: sorted(entry.warnings).map(masked),
    }),
  };
  const actual = answerTo(entry);
  if (jsonEqual(expected as unknown as JsonValue, actual as unknown as JsonValue))
    return { id, suite: suiteName, outcome: 'passed' };
  return {
    id,
    suite: suiteName,
    outcome: 'failed',
    input: { schema: entry.schema, object: entry.object, old: entry.old },
    expected,
    actual,
  };
}

function checkAccept(entry: ValueCase): CaseResult {
  const { id, suite: suiteName, schema } = entry;
  const errors = checkDefinitionSchema(schema, {
    vocabulary: kubernetesVocabulary,
    path: 'spec.validation.openAPIV3Schema',
    statusSubresource: entry.statusSubresource ?? false,
  });
  const actual = sorted(errors.map(fieldErrorText));
  const expected = sorted(entry.errors);
  if (sameTexts(expected, actual)) return { id, suite: suiteName, outcome: 'passed' };
  return { id, suite: suiteName, outcome: 'failed', input: schema, expected, actual };
}

/** Whether texts are equal, except where the oracle has a dump. */
function sameTexts(expected: readonly string[], actual: readonly string[]): boolean {
  const left = [...actual];
  for (const text of expected) {
    const [head = '', tail = ''] = text.split('<dump>');
    const fits = (other: string): boolean =>
      text.includes('<dump>') ? other.startsWith(head) && other.endsWith(tail) : other === text;
    const index = left.findIndex(fits);
    if (index < 0) return false;
    left.splice(index, 1);
  }
  return left.length === 0;
}

function answerTo(entry: ValueCase): ValueAnswer {
  const compiled = compileStructural(fromOpenApi(entry.schema, { vocabulary: kubernetesVocabulary }));
  const validator = compileValidator(compiled.schema, {
    vocabulary: kubernetesVocabulary,
    structure: compiled,
  });
  const unknown: string[] = [];
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  try {
    const result = prepare(compiled, entry.object, unknown);
    const errors = entry.old
      ? validator.validateUpdate(result, prepare(compiled, entry.old, []), { warn })
      : validator.validate(result);
    return {
      unknown: sorted(unknown),
      result: withPlainMetadata(result),
      errors: sorted(errors.map((error) => masked(fieldErrorText(error)))),
      types: sorted(errors.map(({ field, reason }) => `${field} ${reason}`)),
      warnings: sorted(warnings.map(masked)),
    };
  } catch (error) {
    return { decodeError: masked((error as Error).message) };
  }
}

function prepare(compiled: StructuralSchema, object: JsonValue, unknown: string[]): JsonValue {
  const report = (path: string): void => void unknown.push(path);
  return compiled.applyDefaults(compiled.prune(compiled.coerceMetadata(object, report), report));
}

const sorted = (texts: readonly string[] | undefined): readonly string[] => [...(texts ?? [])].sort();

/** Composite values print as dumps in the reference; their form is not a contract. */
const masked = (text: string): string =>
  text.replace(/: (?:<dump>|map\[string\]interface \{\}\{.*\}|[{[].*[}\]])(?=$|: )/, ': <dump>');

/** Metadata with null as absent: the oracle keeps them unchanged if nothing was dropped. */
function withPlainMetadata(object: JsonValue): JsonValue {
  if (!isJsonObject(object)) return object;
  const plain = compileStructural({ type: 'object' }).coerceMetadata(object, () => {});
  return plain;
}
