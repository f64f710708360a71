/** One component that is added: its sources are asked, then it is written. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inputError, type Problem } from '../../core/errors.ts';
import { parseDocument } from '../../core/parse-document.ts';
import { formatJson, saveFile } from '../../core/files.ts';
import { Definition } from '../../core/schema/definition.ts';
import { findNameProblem } from '../../core/schema/names.ts';
import type { Recorded } from '../../core/schema/recorded.ts';
import type { Settings } from '../../core/schema/settings.ts';
import { formatCount } from '../../core/text.ts';
import { openData } from '../../record/files.ts';
import { gatherComponent, type Gathered, type Note } from '../../record/gather.ts';
import type { Http } from '../../sources/http/client.ts';
import { listShownNotes } from '../answers.ts';
import type { Context } from '../context.ts';
import type { Draft } from './draft.ts';

export interface ComponentOptions {
  /** In place of the usual one. */
  name?: string | undefined;
  replace?: true;
  dryRun?: true;
}

/** What every way to add needs. */
export interface AddRun extends Context {
  http: Http;
  defaults: Settings['defaults'];
}

/** Asks the sources before anything is written: a definition without releases is usually a typing error. Returns what was added. */
export async function addComponent(
  usualName: string,
  draft: Draft,
  { name = usualName, replace, dryRun }: ComponentOptions,
  run: AddRun,
): Promise<object> {
  const { root, report, defaults } = run;
  const { definition } = draft;
  const file = `components/${name}.json`;
  const problem = findNameProblem(name);
  if (problem) {
    throw inputError(name, `${problem}. Choose another: --name`);
  }
  if (!replace && existsSync(join(root, file))) {
    throw inputError(file, 'exists already. Choose another --name, or --replace');
  }

  const gathered = await gatherComponent(
    {
      component: name,
      definition: parseDocument(Definition, { ...defaults, ...definition }, file),
      recorded: openData(root).readRecorded(name),
      freshness: {},
    },
    run,
  );
  const { releases } = gathered.recorded;
  const gaps = listShownNotes(listGaps(gathered));
  if (releases.length === 0 && gaps.length > 0) {
    throw inputError(name, `${gaps.join(' ')} Nothing was written`);
  }

  const notes = [...draft.notes, ...describeDays(releases)];
  report.problem(
    ...gaps.map((message): Problem => ({ subject: name, message, level: 'warning' })),
    ...notes.map((message): Problem => ({ subject: name, message, level: 'notice' })),
  );
  if (!dryRun) {
    saveComponent(root, name, definition, gathered.recorded);
  }

  const outcome = dryRun ? 'would be recorded' : 'recorded';
  const latest = releases.at(-1)?.version ?? 'none';
  report.print(
    `${name}: ${formatCount(releases.length, 'release')} ${outcome}; the latest is ${latest}. ${file}`,
  );
  return { component: name, file, definition, notes, releases: releases.length };
}

/** That a registry states no day of any release, if so. */
function describeDays(releases: Recorded['releases']): string[] {
  const isStated = releases.some(({ timestampKind }) => timestampKind !== 'observed');
  return isStated || releases.length === 0
    ? []
    : ['its registry states no days: each release has that on which this index first saw it'];
}

/** What is missing of the lists of a component, in sentences: why sources failed, and what was left out. */
export function listGaps({ troubles, notes }: Gathered): Note[] {
  return [...troubles.map(({ source, reason }) => ({ source, text: `${reason}.` })), ...notes];
}

/** Writes the definition of a component, and what its sources list. */
export function saveComponent(
  root: string,
  component: string,
  definition: Draft['definition'],
  recorded: Recorded,
): void {
  const isPackage = existsSync(join(root, 'node_modules/release-index'));
  const program = isPackage ? '../node_modules/release-index' : '..';
  const $schema = `${program}/site/schema/definition.json`;
  saveFile(join(root, `components/${component}.json`), formatJson({ $schema, ...definition }));
  openData(root).writeRecorded(component, recorded);
}
