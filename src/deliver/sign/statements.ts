import { join } from 'node:path';
import type { Day } from '../../core/dates.ts';
import { predicatePath, statementType, type Statement } from '../../core/schemas/published/statement.ts';
import type { SiteConfig } from '../../core/schemas/site-config.ts';
import { sourceIds } from '../../core/schemas/source.ts';
import { publishedPolicy } from '../../decide/details.ts';
import { isOfComponent, pathFor, publishedPaths } from '../../site/render/paths.ts';
import { readCommit } from '../../io/files/git.ts';
import { valueOf } from '../../io/files/documents.ts';
import { isAbsent, readRegularFile } from '../../io/files/file-system.ts';
import { readDefinition } from '../../record/definition.ts';
import { listComponents, type Root } from '../../io/files/root.ts';
import { sha256 } from '../../io/files/sha256.ts';
import { defined } from '../../core/text.ts';

export interface SignedSite {
  root: Root;
  config: SiteConfig;
  env: NodeJS.ProcessEnv;
  /** Where it is to be published, without a slash at its end. */
  baseUrl: string;
  /** The day it was built for. */
  asOf: Day;
  /** Of all journals. */
  events: number;
  /** Of the files of the site, by path. */
  digests: ReadonlyMap<string, string>;
}

export interface ComponentStatement {
  /** The component and its earlier names. */
  names: readonly string[];
  statement: Statement;
}

/** The site must have been built from the present files of the root. */
export function* makeStatements(site: SignedSite): Generator<ComponentStatement> {
  const { root, config, baseUrl, asOf, events, digests } = site;
  const commit = readCommit(root, site.env);
  const origin = commit?.changed.length === 0 ? { repository: config.repositoryUrl, commit: commit.id } : {};
  for (const component of listComponents(root).names) {
    const { sources, support, renamedFrom = [] } = valueOf(readDefinition(root, component));
    const names = [component, ...renamedFrom];
    const paths = componentPaths(names, (path) => digests.has(path));
    const statement: Statement = {
      _type: statementType,
      subject: paths.map((path) => file(path, digests.get(path)!)),
      predicateType: `${baseUrl}/${predicatePath}`,
      predicate: {
        component,
        asOf,
        events,
        sources: sourceIds(sources),
        support: publishedPolicy(support, asOf),
        inputs: inputsOf(root, component),
        ...defined(origin),
      },
    };
    yield { names, statement };
  }
}

/** The bytes that the statement is about: not what was read from them. */
function inputsOf({ dir }: Root, component: string): Statement['predicate']['inputs'] {
  return [`components/${component}.json`, `data/${component}.json`]
    .filter((name) => !isAbsent(join(dir, name)))
    .map((name) => file(name, sha256(readRegularFile(join(dir, name)))));
}

function file(name: string, digest: string): Statement['subject'][number] {
  return { name, digest: { sha256: digest } };
}

/** The paths of a component under these names, of those that are served; alphabetical. */
export function componentPaths(names: readonly string[], isServed: (path: string) => boolean): string[] {
  return publishedPaths
    .filter(isOfComponent)
    .flatMap(({ path }) => names.map((name) => pathFor(path, name)))
    .filter(isServed)
    .sort();
}
