/** Thrown when an evaluation must stop; errors of the expression itself are values and never thrown. */
export class Interruption extends Error {
  readonly reason: 'cost-limit' | 'aborted';
  constructor(reason: 'cost-limit' | 'aborted') {
    super(
      reason === 'cost-limit' ? 'operation cancelled: actual cost limit exceeded' : 'operation interrupted',
    );
    this.reason = reason;
  }
}
