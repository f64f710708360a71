// `npm run generate`: writes what a build would otherwise make anew each time. A test tells when it is out of date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderGeneratedSchemas } from '../make-schemas.ts';

writeFileSync(join(import.meta.dirname, 'schemas.json'), renderGeneratedSchemas());
