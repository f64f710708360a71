/** A text to copy, and the file it belongs into. */
export interface Snippet {
  /** Unique on a page. */
  readonly id: string;
  readonly title: string;
  /** What it does and needs, as far as the text does not say it. */
  readonly note?: string;
  /** Done once in a repository, done at each version in it, or none of the two. */
  readonly step: 'once' | 'each' | 'other';
  /** Path of the file in a user's repository; absent for a command to run. */
  readonly file?: string;
  /** Shown closed: few need it, and it would push aside what most people need. */
  readonly isLong?: true;
  readonly text: string;
}
