/** A loop that runs from `start` until it is closed. */
export interface Controller extends AsyncDisposable {
  start(): void;
  /** Ends the loop; what is under way is waited for. */
  close(): Promise<void>;
}
