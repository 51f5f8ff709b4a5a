import { compareUtf8, goNumber, isJsonObject, type JsonValue } from '@ashlar/core';
import type { JsonPathBudget } from './json-path-budget.ts';

/**
 * Prints a value as templates and columns show it: strings unquoted, composites as JSON with sorted keys.
 * @param budget default: without a limit
 * @throws JsonPathError if the budget is exceeded
 */
export function printedText(value: JsonValue, budget?: JsonPathBudget): string {
  if (typeof value === 'string') return counted(value, budget);
  if (typeof value === 'number') return goNumber(value);
  return typeof value === 'object' && value !== null ? jsonText(value, budget) : String(value);
}

const SPECIAL = /[<>&\u2028\u2029]/g;

function counted(text: string, budget: JsonPathBudget | undefined): string {
  budget?.print(text.length);
  return text;
}

function jsonText(value: JsonValue, budget: JsonPathBudget | undefined): string {
  return write(value, budget).replace(
    SPECIAL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function write(value: JsonValue | undefined, budget: JsonPathBudget | undefined): string {
  if (typeof value === 'bigint') return counted(String(value), budget);
  if (Array.isArray(value)) {
    budget?.print(1 + value.length);
    return `[${value.map((item) => write(item, budget)).join(',')}]`;
  }
  if (!isJsonObject(value)) return counted(JSON.stringify(value ?? null), budget);
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  budget?.print(1 + 2 * keys.length);
  const members = keys
    .sort(compareUtf8)
    .map((key) => `${counted(JSON.stringify(key), budget)}:${write(value[key], budget)}`);
  return `{${members.join(',')}}`;
}
