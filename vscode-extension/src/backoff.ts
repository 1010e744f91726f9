// How long to wait before a server that ended is started again: `first` milliseconds, then twice as long each time, up
// to `most`. After a server that lived for `forgivenAfter` milliseconds the waits begin again at `first`. Pure: the
// caller measures the time.

export class Backoff {
  private failures = 0;

  constructor(
    private readonly first = 250,
    private readonly most = 30_000,
    private readonly forgivenAfter = 60_000,
  ) {}

  /** Milliseconds to wait after a server that lived for `lived` milliseconds. */
  next(lived: number): number {
    if (lived >= this.forgivenAfter) this.failures = 0;
    const delay = Math.min(this.most, this.first * 2 ** this.failures);
    this.failures++;
    return delay;
  }

  reset(): void {
    this.failures = 0;
  }
}
