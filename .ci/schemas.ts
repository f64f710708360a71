/** Writes site/schema/<name>.json: JSON Schemas of the files that people write, for use in editors. */
import { resolve } from 'node:path';
import { saveFile } from '../src/core/files.ts';
import { renderSchema, writtenSchemas } from '../src/core/schema/json-schema.ts';

for (const [name, schema] of Object.entries(writtenSchemas)) {
  saveFile(resolve(import.meta.dirname, `../site/schema/${name}.json`), renderSchema(schema));
}
