/** The input, the plan and the outcome of a publication. */
import type { Protection } from '../../core/schemas/access/access-config.ts';
import type { Day } from '../../core/model/dates.ts';
import type { SiteConfig } from '../../core/schemas/definition/site-config.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { Root } from '../../io/files/root.ts';

export interface PublishInput {
  root: Root;
  /** The built site. */
  out: string;
  day: Day;
  baseUrl: string;
  config: SiteConfig;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  isDryRun: boolean;
  /** Whether to compare the site with a fresh build: not if the same run has just built it. */
  comparesContent?: boolean;
  /** Whether a person intends to remove the protection of the live site. */
  unprotect?: boolean;
  onProgress(text: string): void;
}

/** The changes at the public address. */
export interface PublicationPlan {
  /** The address, or the folder of a file server. */
  baseUrl: string;
  /** Empty for a plain file host. `publish --json` reports it. */
  worker: string;
  asOf: string;
  files: number;
  /** The part of the site that will need a credential; absent for a public site. */
  protect?: Protection | undefined;
  /** The number of access keys that the host will accept; absent if it keeps its own list. */
  keys?: number | undefined;
  /** Day of the live site; absent if there is none. */
  liveAsOf?: string | undefined;
  /** New and changed files. */
  changed: string[];
  /** Live files that will disappear. */
  gone: string[];
}

export type Publication =
  /** Nothing was sent. */
  | { kind: 'refused'; findings: Finding[] }
  /** `ready`: a workflow deploys it. */
  | { kind: 'planned' | 'unchanged' | 'ready'; plan: PublicationPlan; findings: Finding[] }
  | {
      kind: 'published';
      plan: PublicationPlan;
      findings: Finding[];
      /** Absent for a folder, and if the host did not name its version. */
      versionId?: string | undefined;
      verifiedFiles: number;
    }
  /** The live site could not be read, or sending broke off; the findings say which site is live. */
  | { kind: 'failed'; plan?: PublicationPlan; findings: Finding[]; versionId?: string | undefined };
