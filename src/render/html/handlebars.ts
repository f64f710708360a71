import { createRequire } from 'node:module';
import type Handlebars from 'handlebars';

const require = createRequire(import.meta.url);

/** What runs compiled templates, in one file: as the package's own entry it would be twenty, which take twice as long. */
export const runtime = require('handlebars/dist/handlebars.runtime.js') as Pick<
  typeof Handlebars,
  'VERSION' | 'Exception' | 'create' | 'escapeExpression'
>;

/** The whole of it. Loads only where templates are to be compiled, because that takes longer than to run them. */
export function loadCompiler(): Pick<typeof Handlebars, 'precompile'> {
  return require('handlebars') as typeof Handlebars;
}
