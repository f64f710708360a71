/** Writes the JSON Schemas of what people write, for editors: site/schema/<name>.json. */
import { resolve } from 'node:path';
import { saveFile } from '../src/core/files.ts';
import { renderSchema, writtenSchemas } from '../src/core/schema/json-schema.ts';

for (const [name, schema] of Object.entries(writtenSchemas)) {
  saveFile(resolve(import.meta.dirname, `../site/schema/${name}.json`), renderSchema(schema));
}
