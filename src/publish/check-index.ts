/** Every problem of an index: what people write, what runs recorded, and the built site. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Day } from '../core/day.ts';
import { asWarnings, readEach, readProblems, type Problem } from '../core/errors.ts';
import { readIfThere, readJsonFile } from '../core/files.ts';
import {
  listIndexFiles,
  listNames,
  readDefinitions,
  readPolicies,
  readSettings,
} from '../core/index/read-folder.ts';
import type { Source } from '../core/schema/definition.ts';
import { Settings } from '../core/schema/settings.ts';
import { findUnadmitted } from '../record/definitions.ts';
import { openData } from '../record/files.ts';
import { readPackages } from '../site/packages.ts';
import { loadIndex } from '../site/load-index.ts';
import { checkDefinition } from './check-definition.ts';
import { checkSite } from './check-site.ts';
import { findExcess } from './host-limits.ts';
import { readGivenStatements } from './sign.ts';
import { readAccess } from './read-access.ts';

interface IndexFolders {
  root: string;
  /** A built site, if there is one. */
  out: string;
  /** The folder of the program. */
  program: string;
}

/** Errors without a level, warnings with one; each once. */
export async function checkIndex(
  { root, out, program }: IndexFolders,
  day: Day,
  isPrivate: (source: Source) => boolean,
): Promise<{ components: number; problems: Problem[] }> {
  const problems: Problem[] = [];
  /** What a reader returns; undefined where it finds a problem, which is kept. */
  const collect = async <T>(read: () => T | Promise<T>) => {
    try {
      return await read();
    } catch (error) {
      problems.push(...readProblems(error));
      return undefined;
    }
  };

  await collect(() => listIndexFiles(root));
  if (problems.length > 0) {
    // What a link leads to is not read: it would be shown.
    return { components: 0, problems };
  }

  const data = openData(root);
  const parts = ['countEvents', 'readRuns', 'readFreshness', 'readHeld', 'readDecisions'] as const;
  for (const part of parts) {
    await collect<unknown>(() => data[part]());
  }
  const settings = await collect(() => readSettings(root));
  // Also with wrong settings, definitions are read with the defaults in them.
  const file = 'site/site.json';
  const { defaults } = Defaults.parse(await collect(() => readJsonFile(join(root, file), file)));
  const read = readDefinitions(root, { defaults });
  problems.push(...read.problems);
  await collect(() => readPolicies(root, program));
  await collect(() => readAccess(root));
  await collect(() => readPackages(root));

  const names = listRecorded(root);
  const documents = readEach(new Set([...names, ...read.definitions.keys()]), (name) => {
    return [name, data.readRecorded(name, data.readJournal(name))] as const;
  });
  problems.push(...documents.problems, ...listLeftData(root, names));
  const recorded = new Map(documents.results);

  const loaded = await collect(() => loadIndex(root, day, program));
  problems.push(...(loaded?.problems ?? []));
  const judged = new Map(loaded?.index.components.map((each) => [each.component, each]));
  for (const [name, definition] of read.definitions) {
    const component = judged.get(name);
    const defined = { name, definition, component, recorded: recorded.get(name) };
    problems.push(...checkDefinition(defined, isPrivate));
    const unadmitted = await collect(() => findUnadmitted(root, name, definition));
    problems.push(...(unadmitted ?? []));
    await collect(
      () =>
        settings &&
        readGivenStatements(root, name, settings.signingPublicKey, settings.releasesUrl),
    );
  }
  problems.push(...findOtherHost(root, settings));
  if (existsSync(out)) {
    const site = await collect(() => checkSite(out));
    problems.push(...asWarnings(site && settings ? findExcess(settings.hosting, out) : []));
  }

  const byText = new Map(problems.map((each) => [`${each.subject}: ${each.message}`, each]));
  return { components: read.definitions.size, problems: [...byText.values()] };
}

const Defaults = z.object({ defaults: Settings.shape.defaults.catch(undefined) }).catch({});

/** By the kind of host, whether a workflow can be the one for it. GitHub's own runners reach no folder. */
const workflowTests = {
  pages: (text: string) => text.includes('actions/deploy-pages@'),
  cloudflare: (text: string) => text.includes('wrangler deploy'),
  folder: (text: string) => !/runs-on: *(?:ubuntu|windows|macos)-/.test(text),
};

/** A workflow for the former host stays green, and readers keep the old site. */
function findOtherHost(root: string, settings: Settings | undefined): Problem[] {
  const { hosting } = settings ?? {};
  const subject = '.github/workflows/daily.yml';
  const workflow = readIfThere(join(root, subject), subject)?.toString();
  const kind = typeof hosting === 'object' ? 'folder' : hosting;
  if (workflow === undefined || kind === undefined || workflowTests[kind](workflow)) {
    return [];
  }

  const message = `has no step of the host in site/site.json (${kind}), so nothing new would go live there. Take it from the file that "npx release-index init" writes for this host`;
  return [{ subject, message, level: 'warning' }];
}

/** The components in `data/`. The other files are of the whole index. */
function listRecorded(root: string): string[] {
  return listNames(join(root, 'data')).filter((name) => name !== 'held' && name !== 'freshness');
}

/** Recorded data without a definition. */
function listLeftData(root: string, recorded: readonly string[]): Problem[] {
  const defined = listNames(join(root, 'components'));
  const left = recorded.filter((name) => !defined.includes(name));
  return left.map((name) => {
    const message = `there is no components/${name}.json. Was the component renamed?`;
    return { subject: `data/${name}.json`, message };
  });
}
