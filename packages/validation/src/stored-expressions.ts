import { isJsonObject, type JsonValue, type Vocabulary } from '@ashlar/core';

/** Expressions of a stored definition. */
export interface StoredExpressions {
  readonly rules: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
}

/** By the list of schemas: the versions of a definition are checked one after the other with the same list. */
const collected: WeakMap<readonly JsonValue[], StoredExpressions> = new WeakMap();

/** The expressions of all rules of schemas. */
export function collectExpressions(schemas: readonly JsonValue[], vocabulary: Vocabulary): StoredExpressions {
  const existing = collected.get(schemas) ?? collect(schemas, vocabulary);
  collected.set(schemas, existing);
  return existing;
}

function collect(schemas: readonly JsonValue[], vocabulary: Vocabulary): StoredExpressions {
  const keyword = `${vocabulary.extensionPrefix}validations`;
  const rules = new Set<string>();
  const messages = new Set<string>();
  const pending: JsonValue[] = [...schemas];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (!isJsonObject(next)) {
      for (const item of next) pending.push(item);
      continue;
    }
    for (const rule of rulesOf(next[keyword])) {
      if (typeof rule.rule === 'string') rules.add(rule.rule);
      if (typeof rule.messageExpression === 'string') messages.add(rule.messageExpression);
    }
    for (const value of Object.values(next)) if (value !== undefined) pending.push(value);
  }
  return { rules, messages };
}

const rulesOf = (value: JsonValue | undefined): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
