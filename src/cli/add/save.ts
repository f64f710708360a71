import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatJson, saveFile } from '../../core/files.ts';
import type { Recorded } from '../../core/schema/recorded.ts';
import { openData } from '../../record/files.ts';
import type { Draft } from './draft.ts';

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
