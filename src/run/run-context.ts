import { join } from 'node:path';
import type { Day } from '../core/model/dates.ts';
import type { SiteConfig } from '../core/schemas/definition/site-config.ts';
import { warning, type Finding } from '../core/schemas/finding.ts';
import { openCacheFolder, type Root } from '../io/files/root.ts';
import { createHttp, describeUserAgent } from '../io/http/client.ts';
import { openAnswerStore } from '../io/http/answer-store.ts';
import { readNpmConfig } from '../io/http/npm-config.ts';
import type { GatherContext } from '../record/gather/ask-source.ts';
import type { SourceContext } from '../record/sources/datasource.ts';
import { githubApiUrl } from '../record/sources/github.ts';

/** Rows under headings. Numbers are aligned to the right. */
export interface Table {
  headings: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** Receives the progress and the result of a step. */
export interface RunReport {
  finding(...findings: readonly Finding[]): void;
  /** Prints lines and tables of the result for people. */
  print(...parts: readonly (string | Table)[]): void;
  /** Prints the step in progress; on a terminal, in place of the previous one. */
  progress(text: string): void;
}

/** The index, day and environment of a run. Each step names the parts that it needs. */
export interface RunContext {
  root: Root;
  /** The folder of this program. */
  checkout: string;
  /** The folder of the built site. Absolute. */
  out: string;
  day: Day;
  baseUrl?: string | undefined;
  env: NodeJS.ProcessEnv;
  report: RunReport;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
}

/** A scope may have a registry of its own. */
export function createRegistryFinder(
  npm: ReturnType<typeof readNpmConfig>,
): SourceContext['npmRegistry'] {
  return (packageName) => {
    const scope = /^@[^/]+/.exec(packageName)?.[0];
    return (scope && npm.get(`${scope}:registry`)) ?? npm.get('registry');
  };
}

/**
 * The client for upstreams, and npm's configured registries. The client keeps answers between runs, and sends each host its
 * configured credentials: GitHub gets the token of the environment.
 */
export function openUpstreams(
  context: Pick<RunContext, 'root' | 'env' | 'report' | 'signal'>,
  config: SiteConfig,
): Pick<GatherContext, 'http' | 'npmRegistry'> {
  const { root, env, report, signal } = context;
  const npm = readNpmConfig(env, root.dir);
  const token = env['GITHUB_TOKEN'];
  const api = URL.parse(env['GITHUB_API_URL'] ?? githubApiUrl);

  const http = createHttp({
    userAgent: describeUserAgent(config),
    signal,
    tokens: new Map(token && api ? [[api.origin, token]] : []),
    answerStore: openAnswerStore(join(openCacheFolder(root), 'http'), (message) =>
      report.finding(warning('.cache/http', message)),
    ),
    env,
    npm,
    plainHttpHosts: config.plainHttpHosts,
  });

  return { http, npmRegistry: createRegistryFinder(npm) };
}
