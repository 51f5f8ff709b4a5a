/** Why a macro cannot be expanded; `position` is the call's own unless given. */
export class MacroError extends Error {
  readonly position: number | undefined;
  constructor(message: string, position?: number) {
    super(message);
    this.position = position;
  }
}
