import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { renderSchemas } from '../src/site/render/documents/json-schemas.ts';

/** Writes the JSON Schemas that editors read without a site: into site/schema/, or into the folder that is named. */
const checkout = resolve(import.meta.dirname, '..');
const [folder = join(checkout, 'site/schema')] = process.argv.slice(2);
const files = renderSchemas();

for (const { path, body } of files) {
  const target = join(folder, path.replace(/^schema\//, ''));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, body);
}
process.stdout.write(`${folder}: ${files.length} schemas\n`);
