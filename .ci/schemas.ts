import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileNames, renderSchema } from '../src/site/render/documents/json-schemas.ts';

/** Writes the JSON Schemas of what people write, for editors: into site/schema/, or into the folder that is named. */
const checkout = resolve(import.meta.dirname, '..');
const [folder = join(checkout, 'site/schema')] = process.argv.slice(2);

mkdirSync(folder, { recursive: true });

for (const name of fileNames) {
  writeFileSync(join(folder, `${name}.json`), renderSchema(name));
}
process.stdout.write(`${folder}: ${fileNames.length} schemas\n`);
