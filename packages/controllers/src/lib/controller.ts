/** A loop that runs from `start` until it is closed; once closed it does not start again. */
export interface Controller extends AsyncDisposable {
  start(): void;
  /** Ends the loop; what is under way is waited for. */
  close(): Promise<void>;
}
