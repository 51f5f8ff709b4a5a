import type { Vocabulary } from '@ashlar/core';
import { type FunctionDeclaration, type Library, method, overload } from '../check/declarations.ts';
import { type CelType, types } from '../check/types.ts';
import { readsFirst } from '../cost/cost-model.ts';
import { estimateReading } from '../cost/estimate-model.ts';
import { toInt } from '../values/numbers.ts';
import {
  compareVersions,
  normalizeVersion,
  parseSemanticVersion,
  type SemanticVersion,
} from '../values/semantic-version.ts';
import { EvaluationError, Opaque, type Value } from '../values/values.ts';

const { bool, int, string } = types;

/** A semantic version. */
class VersionValue extends Opaque {
  readonly type: CelType;
  readonly version: SemanticVersion;
  constructor(type: CelType, version: SemanticVersion) {
    super();
    this.type = type;
    this.version = version;
  }
  equals(other: Opaque): boolean {
    return other instanceof VersionValue && compareVersions(this.version, other.version) === 0;
  }
}

function read(text: string, normalize: boolean = false): SemanticVersion | EvaluationError {
  const normal = normalize ? normalizeVersion(text) : text;
  if (typeof normal !== 'string') return new EvaluationError(normal.error);
  const parsed = parseSemanticVersion(normal);
  return typeof parsed === 'string' ? new EvaluationError(parsed) : parsed;
}

const reading = { cost: readsFirst(), estimate: estimateReading() };

/** Semantic versions: `semver`, `isSemver` and their order. */
export function versionsLibrary(vocabulary: Vocabulary): Library {
  const type: CelType = { ...types.object(`${vocabulary.name}.Semver`), comparison: { min: 1n, max: 1n } };
  const semver = (text: string, normalize?: boolean): Value => {
    const version = read(text, normalize);
    return version instanceof EvaluationError ? version : new VersionValue(type, version);
  };
  const isSemver = (text: string, normalize?: boolean): Value =>
    !(read(text, normalize) instanceof EvaluationError);
  const part = (name: 'major' | 'minor' | 'patch'): FunctionDeclaration => ({
    name,
    overloads: [
      method(`semver_${name}`, [type], int, (value: VersionValue) =>
        toInt(BigInt.asIntN(64, value.version[name])),
      ),
    ],
  });
  const compares = (
    name: string,
    id: string,
    result: CelType,
    holds: (order: number) => Value,
  ): FunctionDeclaration => ({
    name,
    overloads: [
      method(id, [type, type], result, (a: VersionValue, b: VersionValue) =>
        holds(compareVersions(a.version, b.version)),
      ),
    ],
  });
  return {
    name: 'versions',
    types: [type],
    functions: [
      {
        name: 'semver',
        overloads: [
          overload('string_to_semver', [string], type, semver, reading),
          overload('string_bool_to_semver', [string, bool], type, semver, reading),
        ],
      },
      {
        name: 'isSemver',
        overloads: [
          overload('is_semver_string', [string], bool, isSemver, reading),
          overload('is_semver_string_bool', [string, bool], bool, isSemver, reading),
        ],
      },
      compares('isGreaterThan', 'semver_is_greater_than', bool, (order) => order > 0),
      compares('isLessThan', 'semver_is_less_than', bool, (order) => order < 0),
      compares('compareTo', 'semver_compare_to', int, (order) => order),
      part('major'),
      part('minor'),
      part('patch'),
    ],
  };
}
