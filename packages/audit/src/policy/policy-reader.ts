import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { AuditPolicyError } from './audit-policy-error.ts';

/** Reads the members of the objects of a policy, and remembers those that it does not know. */
export class PolicyReader {
  readonly warnings: string[] = [];

  /** @throws AuditPolicyError */
  object(value: JsonValue, field: string, known: readonly string[]): JsonObject {
    if (!isJsonObject(value)) throw wrongType(field, 'an object');
    for (const name of Object.keys(value)) {
      if (!known.includes(name)) this.warnings.push(`unknown field "${field ? `${field}.` : ''}${name}"`);
    }
    return value;
  }

  /** @throws AuditPolicyError */
  text(value: JsonValue | undefined, field: string): string {
    if (value === undefined || value === null) return '';
    if (typeof value !== 'string') throw wrongType(field, 'a text');
    return value;
  }

  /** @throws AuditPolicyError */
  boolean(value: JsonValue | undefined, field: string): boolean | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'boolean') throw wrongType(field, 'true or false');
    return value;
  }

  /** @throws AuditPolicyError */
  list<T>(
    value: JsonValue | undefined,
    field: string,
    read: (item: JsonValue, field: string) => T,
  ): readonly T[] | undefined {
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) throw wrongType(field, 'a list');
    return value.map((item, index) => read(item, `${field}[${index}]`));
  }

  /** @throws AuditPolicyError */
  texts(value: JsonValue | undefined, field: string): readonly string[] | undefined {
    return this.list(value, field, (item, of) => this.text(item, of));
  }
}

function wrongType(field: string, expected: string): AuditPolicyError {
  return new AuditPolicyError(`${field || 'the policy'} is not ${expected}`);
}
