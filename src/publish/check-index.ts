/** Every problem of an index: what people write, what runs recorded, and the built site. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nameOsvPackage } from '../core/datasources.ts';
import type { Day } from '../core/day.ts';
import { InputError, type Problem } from '../core/errors.ts';
import { readJsonFile } from '../core/files.ts';
import {
  listNames,
  readDefinitions,
  readPolicies,
  readSettings,
} from '../core/index/read-folder.ts';
import { Settings } from '../core/schema/settings.ts';
import { openData } from '../record/files.ts';
import { loadIndex } from '../site/load-index.ts';
import { renderPages } from '../site/pages/pages.ts';
import { openTemplates } from '../site/pages/templates.ts';
import { checkSite } from './check-site.ts';
import { readAccess } from './worker-keys.ts';
import { createVersionTest } from '../core/range.ts';
import type { Definition, Source } from '../core/schema/definition.ts';
import { formatList } from '../core/text.ts';
import type { Component } from '../core/schema/published.ts';
import { readVersion } from '../core/version.ts';

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
  const collect = async <T>(read: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof InputError)) {
        throw error;
      }
      problems.push(...error.problems);
      return undefined;
    }
  };

  const settings = await collect(() => readSettings(root));
  // With wrong settings, definitions are still read with the defaults in them.
  const raw = settings ?? (await collect(() => readJsonFile(join(root, 'site/site.json'))));
  const defaults = Settings.shape.defaults.catch(undefined).parse(Object(raw).defaults);
  const { definitions, problems: wrong } = readDefinitions(root, { defaults });
  problems.push(...wrong);
  await collect(() => readPolicies(root, program));
  await collect(() => readAccess(root));

  const data = openData(root);
  for (const read of [data.readRuns, data.readFreshness, data.readHeld, data.readDecisions]) {
    await collect<unknown>(read);
  }
  const recorded = listNames(join(root, 'data')).filter(
    (name) => name !== 'held' && name !== 'freshness',
  );
  for (const name of new Set([...recorded, ...definitions.keys()])) {
    const journal = await collect(() => data.readJournal(name));
    await collect(() => data.readRecorded(name, journal));
  }

  const loaded = await collect(() => loadIndex(root, day, program));
  if (loaded) {
    problems.push(...loaded.problems);
    const { index } = loaded;
    await collect(() => renderPages(openTemplates([program, root], index), index).toArray());
    for (const component of index.components) {
      const name = component.component;
      const definition = definitions.get(name)!;
      problems.push(...ofComponent(name, 'warning', describeMistakes(component, definition)));
      problems.push(...ofComponent(name, 'notice', describeSeveralDigests(component, definition)));
    }
    const defined = listNames(join(root, 'components'));
    for (const name of recorded.filter((each) => !defined.includes(each))) {
      const message = `there is no components/${name}.json. Was the component renamed?`;
      problems.push({ subject: `data/${name}.json`, message });
    }
  }
  for (const [name, { sources }] of definitions) {
    problems.push(...ofComponent(name, 'warning', describeToldNames(sources, isPrivate)));
  }
  await collect(async () => existsSync(out) && checkSite(out));

  const byText = new Map(problems.map((each) => [`${each.subject}: ${each.message}`, each]));
  return { components: definitions.size, problems: [...byText.values()] };
}

/** Names of packages that OSV is told, though they may be private. */
function describeToldNames(
  sources: readonly Source[],
  isPrivate: (source: Source) => boolean,
): string[] {
  const asksOsv = sources.some(({ datasource, url }) => datasource === 'osv' && !url);
  const told = sources.filter((each) => asksOsv && nameOsvPackage(each) && isPrivate(each));
  return told.map(
    ({ packageName }) =>
      `osv is told the name "${packageName}" of another registry. If it is private, take out osv`,
  );
}

function ofComponent(
  name: string,
  level: 'warning' | 'notice',
  messages: readonly string[],
): Problem[] {
  return messages.map((message) => ({ subject: `components/${name}.json`, message, level }));
}

/** Values of a definition that fit no release: usually a typing error. Nothing to compare with before the first gathering. */
function describeMistakes({ lines, releases }: Component, definition: Definition): string[] {
  if (releases.length === 0) {
    return [];
  }

  const versions = releases.map(({ version }) => readVersion(version));
  const messages: string[] = [];
  const expectRelease = (path: string, range: string | readonly string[]) => {
    const isRange = typeof range === 'string';
    for (const text of [range].flat()) {
      if (!versions.some(createVersionTest(isRange ? text : [text]))) {
        messages.push(`${path}: "${text}" is no release in the index`);
      }
    }
  };

  const own = definition.support?.policy === 'dated' ? {} : (definition.support?.lines ?? {});
  for (const [name, end] of Object.entries(own)) {
    const until = typeof end === 'string' ? end : end.until;
    const since = lines.find(({ line }) => line === name)?.since;
    if (since === undefined) {
      messages.push(`support.lines["${name}"]: there is no such line`);
    } else if (until < since) {
      messages.push(
        `support.lines["${name}"]: ${until} is before the line's first release (${since})`,
      );
    }
  }

  for (const [index, entry] of (definition.deprecated ?? []).entries()) {
    expectRelease(`deprecated[${index}].versions`, entry.versions);
  }
  for (const { id, affected, fixed = [] } of definition.advisories ?? []) {
    expectRelease(`advisories: ${id}: affected`, affected);
    expectRelease(`advisories: ${id}: fixed`, fixed);
  }
  return messages;
}

/** Renovate takes one digest of a version. */
function describeSeveralDigests({ releases }: Component, { sources }: Definition): string[] {
  const latest = releases.find(({ isLatest }) => isLatest);
  const several = latest?.digests?.filter((digest) => digest.startsWith('sha256:')) ?? [];
  if (latest?.digest || several.length < 2 || sources.some(({ rebuildsTags }) => rebuildsTags)) {
    return [];
  }
  return [
    `sources: of ${several.length} SHA-256 of ${latest!.version} (${formatList(latest!.sources, 3)}), none is published. In github-releases, "digestOf" names the file that is meant`,
  ];
}
