/** Adds a component: asks its sources, then writes its definition and its recorded releases. */
import HostedGit from 'hosted-git-info';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { datasourceFacts } from '../../core/datasources.ts';
import { asWarnings, inputError, InputError, type Problem } from '../../core/errors.ts';
import { formatJson, saveFile } from '../../core/files.ts';
import { parseDocument } from '../../core/parse-document.ts';
import { findNameProblem, formatSource } from '../../core/schema/names.ts';
import { Definition, type Settings, type Source } from '../../core/schema/written.ts';
import { toLine } from '../../core/text.ts';
import { judgeOne } from '../../judge/judge.ts';
import { openData } from '../../record/data-files.ts';
import { gatherComponent } from '../../record/gather.ts';
import { limitNotes } from '../../record/problems.ts';
import type { Http } from '../../sources/http/client.ts';
import type { PackageDescription } from '../../sources/types.ts';
import type { Context } from '../context.ts';

/** The context of every form of `add`. */
export interface AddRun extends Context {
  http: Http;
  defaults: Settings['defaults'];
  /** Maps the name, the former names and the aliases of each component to its name. The keys are in lower case. */
  names: Map<string, string>;
}

export interface WriteOptions {
  replace?: true | undefined;
  /** Whether nothing is written (`--dry-run`). */
  dryRun?: true | undefined;
}

/**
 * Asks the sources of a component, then writes its definition and its releases. In the result:
 * - `gaps`: warnings about sources that did not answer, and about parts of answers that were not read
 * - `lines`: the names of the release lines, the oldest first
 *
 * Throws an `InputError` and writes nothing if there are `gaps`, but no releases and no release lines. Usually, the name of the package is
 * then mistyped.
 */
export async function addComponent(
  component: string,
  { definition }: Draft,
  { replace, dryRun }: WriteOptions,
  run: AddRun,
) {
  const { root, signal, defaults } = run;
  const file = `components/${component}.json`;
  const problem = findNameProblem(component);
  if (problem) {
    throw inputError(component, `${problem}. Choose another: --name`);
  }
  if (!replace && existsSync(join(root, file))) {
    throw inputError(file, 'exists already. Choose another --name, or overwrite it by --replace');
  }

  const data = openData(root);
  const whole = parseDocument(Definition, { ...defaults, ...definition }, file);
  const { recorded, failed, postponed, notes } = await gatherComponent(
    {
      component,
      definition: whole,
      recorded: data.readRecorded(component),
      freshness: {},
    },
    run,
  );
  signal.throwIfAborted();
  const unanswered = [...failed, ...postponed].map(({ source, reason }): Problem => {
    return { subject: formatSource(component, source), message: `${reason}.` };
  });
  const gaps = limitNotes([...unanswered, ...notes]);
  const { releases } = recorded;
  const isEmpty = releases.length === 0 && !recorded.lines?.length;
  if (isEmpty && gaps.length > 0) {
    const errors = gaps.map(({ subject, message }) => ({ subject, message }));
    const last = errors.pop()!;
    throw new InputError([...errors, { ...last, message: `${last.message} Nothing was written` }]);
  }

  if (!dryRun) {
    const isPackage = existsSync(join(root, 'node_modules/release-index'));
    const program = isPackage ? '../node_modules/release-index' : '..';
    const $schema = `${program}/site/schema/definition.json`;
    saveFile(join(root, file), formatJson({ $schema, ...definition }));
    data.writeRecorded(component, recorded);
  }
  const { lines } = judgeOne({ name: component, definition: whole, recorded }, run.day);
  const names = lines.map(({ line }) => line);
  return { component, file, definition, releases, gaps: asWarnings(gaps), lines: names };
}

/** Values from the command line, which are used instead of the registry's values. */
export interface DraftOptions {
  title?: string | undefined;
  homepage?: string | undefined;
  changelog?: string | undefined;
  support?: Definition['support'];
  /** How many groups of digits make up the name of a release line. */
  line?: LineRule | undefined;
  /** The text that stands before the versions in the tags of a repository. */
  tags?: string | undefined;
}

export type LineRule = NonNullable<NonNullable<Definition['support']>['line']>;

export interface Draft {
  /** The definition, without the keys whose values come from `defaults` in the settings. */
  definition: Partial<Definition>;
  /** Sentences about values that the registry does not give. Each sentence says what is used instead, or how to add the value. */
  notes: string[];
}

/**
 * Drafts a definition from the registry's description of a package. The JSON keys have the same order as in hand-written definitions.
 * Throws an `InputError` if no URL is given for a required link.
 * - `name`: the name on the command line
 * - `isPrivate`: whether the package is in a private registry
 */
export function draftDefinition(
  name: string,
  source: Source,
  upstream: PackageDescription,
  options: DraftOptions,
  { defaults = {}, isPrivate }: { defaults?: Settings['defaults']; isPrivate: boolean },
): Draft {
  const support = chooseSupport(source, options, defaults);
  const { osv: osvEcosystem } = datasourceFacts[source.datasource];
  const { page, releases } = findRepositoryPages(upstream.repository ?? '');
  const notes: string[] = [];
  const chooseLink = (
    key: 'homepage' | 'changelogUrl',
    option: 'homepage' | 'changelog',
    substitute: string | undefined,
  ) => {
    const stated = options[option] ?? upstream[key];
    if (isHttps(stated)) {
      return stated;
    }
    if (defaults[key]) {
      return undefined;
    }
    if (substitute === undefined) {
      throw inputError(
        name,
        `${key}: expected an https: URL; got ${stated ?? 'none'}. Nothing was written. Give the URL with --${option}, or in "defaults" of site/site.json`,
      );
    }
    const problem =
      stated === undefined ? 'the source gives none' : `${stated} is not an https: URL`;
    notes.push(`${key}: ${problem}, so ${substitute} is used`);
    return substitute;
  };
  const homepage = chooseLink('homepage', 'homepage', page);
  const changelogUrl = chooseLink('changelogUrl', 'changelog', releases ?? homepage);
  if (!options.support && !defaults.support) {
    notes.push(
      'support: the definition gives no end of support. To add one: --support term:18 or latest-lines:3',
    );
  }

  const title = options.title ?? upstream.title ?? source.packageName ?? deriveComponentName(name);
  // A private package gets no `osv` source, because that would send its name to OSV.
  const watched = osvEcosystem && !isPrivate ? [{ datasource: 'osv' as const }] : [];
  return {
    definition: {
      title: toLine(title, 200),
      ...(upstream.description && { description: toLine(upstream.description) }),
      ...(homepage && { homepage }),
      ...(page && { sourceRepository: page }),
      ...(changelogUrl && { changelogUrl }),
      sources: [source, ...watched],
      ...(support && { support }),
    },
    notes,
  };
}

/**
 * Returns the support policy with the key `line`. The value of this key is the option `--line`. Without this option, the value is `semver`
 * if the datasource follows semantic versioning. If the policy comes from `defaults` in the settings, only the option `--line` adds the
 * key.
 */
function chooseSupport(
  { datasource }: Source,
  { support, line }: DraftOptions,
  defaults: NonNullable<Settings['defaults']>,
): Definition['support'] {
  const usual =
    support || !defaults.support ? datasourceFacts[datasource].followsSemver : undefined;
  const chosen = line ?? (usual && 'semver');
  return chosen === undefined
    ? support
    : { ...(support ?? defaults.support ?? { policy: 'none' }), line: chosen };
}

function isHttps(url: string | undefined): url is string {
  return url !== undefined && URL.parse(url)?.protocol === 'https:';
}

/** Derives the name of a component from the name of a package: `team/agent` → `agent`, `@team/agent` → `team-agent`. */
export function deriveComponentName(packageName: string): string {
  // Drops the `/v2` of a Go module, and the extension of a repository or file.
  const path = packageName.replace(/(?:\.(?:git|json|csv|txt))?\/?$/, '').replace(/\/v\d+$/, '');
  const part = packageName.startsWith('@') ? packageName : path.split(/[/:]/).at(-1)!;
  return part
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** For each host, the path of the page that lists a repository's releases. */
const releasePaths: Readonly<Record<string, string>> = {
  github: '/releases',
  gitlab: '/-/releases',
};

/**
 * Finds the web page of a repository, and the web page that lists its releases. Accepts the URLs that registries give:
 * `git+https://github.com/team/agent.git` → `https://github.com/team/agent`, `https://github.com/team/agent/releases`
 */
export function findRepositoryPages(repository: string) {
  const address = repository.trim().replace(/^scm:git:/, '');
  const hosted = HostedGit.fromUrl(address);
  const page = hosted?.browse({ noCommittish: true }) ?? address.replaceAll(/^git\+|\.git$/g, '');
  if (!isHttps(page)) {
    return {};
  }

  const path = releasePaths[hosted?.type ?? ''];
  return { page, releases: path && `${page}${path}` };
}
