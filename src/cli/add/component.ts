/** One component that is added: its sources are asked, then it is written. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inputError } from '../../core/errors.ts';
import { parseDocument } from '../../core/parse-document.ts';
import { formatJson, saveFile } from '../../core/files.ts';
import { Definition } from '../../core/schema/definition.ts';
import { findNameProblem } from '../../core/schema/names.ts';
import type { Settings } from '../../core/schema/settings.ts';
import { openData } from '../../record/files.ts';
import { gatherComponent } from '../../record/gather.ts';
import type { Http } from '../../sources/http/client.ts';
import { listShownFindings } from '../answers.ts';
import type { Context } from '../context.ts';
import type { Draft } from './draft.ts';

/** What every way to add needs. */
export interface AddRun extends Context {
  http: Http;
  defaults: Settings['defaults'];
}

export interface WriteOptions {
  replace?: true | undefined;
  /** Nothing is written. */
  dryRun?: true | undefined;
}

/**
 * Asks the sources of a component, then writes its definition and what they list. `gaps`: why some of them failed, and what was left out.
 * Throws an `InputError`, and writes nothing, where nothing is listed: that is usually a typing error.
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
    throw inputError(file, 'exists already. Choose another --name, or --replace');
  }

  const data = openData(root);
  const { recorded, troubles, left, findings } = await gatherComponent(
    {
      component,
      definition: parseDocument(Definition, { ...defaults, ...definition }, file),
      recorded: data.readRecorded(component),
      freshness: {},
    },
    run,
  );
  signal.throwIfAborted();
  const failures = [...troubles, ...left].map(({ source, reason }) => {
    return { source, text: `${reason}.` };
  });
  const gaps = [...failures, ...findings];
  const { releases } = recorded;
  if (releases.length === 0 && gaps.length > 0) {
    throw inputError(component, `${listShownFindings(gaps).join(' ')} Nothing was written`);
  }

  if (!dryRun) {
    const isPackage = existsSync(join(root, 'node_modules/release-index'));
    const program = isPackage ? '../node_modules/release-index' : '..';
    const $schema = `${program}/site/schema/definition.json`;
    saveFile(join(root, file), formatJson({ $schema, ...definition }));
    data.writeRecorded(component, recorded);
  }
  return { component, file, definition, releases, gaps };
}
