import { goQuote, parseQuantity } from '@ashlar/core';

/** There are only whole bytes. */
export function fractionWarning(amount: string | undefined, path: string): readonly string[] {
  if (amount === undefined || parseQuantity(amount).milliValue() % 1000n === 0n) return [];
  return [`${path}: fractional byte value ${goQuote(amount)} is invalid, must be an integer`];
}

/** Resources that are counted in bytes. */
export const BYTES = ['memory', 'ephemeral-storage'] as const;

/** The same of all resources that are counted in bytes. */
export const fractionWarnings = (
  amounts: Readonly<Record<string, string>> | undefined,
  path: string,
): readonly string[] => BYTES.flatMap((name) => fractionWarning(amounts?.[name], `${path}[${name}]`));
