/** A policy, how it is bound, and with which parameters. */
export interface PolicyNames {
  readonly policy: string;
  /** Absent if it is about the policy itself. */
  readonly binding?: string | undefined;
  readonly params?: string | undefined;
}

/** `policy "p" with binding "b" and parameters "x"`. */
export function policyNames({ policy, binding, params }: PolicyNames): string {
  const bound = binding === undefined ? '' : ` with binding ${JSON.stringify(binding)}`;
  const parameters = params === undefined ? '' : ` and parameters ${JSON.stringify(params)}`;
  return `policy ${JSON.stringify(policy)}${bound}${parameters}`;
}
