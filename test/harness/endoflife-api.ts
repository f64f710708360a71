/** Checks files that an index publishes below `api/v1/` against endoflife.date's OpenAPI description. */
import { readFileSync } from 'node:fs';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { loadAll } from 'js-yaml';
import { findStandard } from './standards.ts';

const path = findStandard('API of endoflife.date');
export const lacksDescription = path === undefined;

/** The names of schemas in the description, by the files that have them. */
const lists: Readonly<Record<string, string>> = {
  'api/v1/products.json': 'ProductListResponse',
  'api/v1/products/full': 'FullProductListResponse',
  'api/v1/identifiers/purl': 'IdentifierListResponse',
};

/** Returns the documents of version 1 that break the OpenAPI description, and how many were checked. */
export function judgeAnswers(files: ReadonlyMap<string, string>) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // endoflife.date's OpenAPI file contains several YAML documents. The last document describes the API. The first is for the generator of
  // the website.
  const api = loadAll(readFileSync(path!, 'utf8')).at(-1) as object;
  ajv.addSchema({ $id: 'api', ...api });

  const answers = [...files].filter(([file]) => file.startsWith('api/v1/'));
  const wrong = answers.flatMap(([file, body]) => {
    const name = lists[file] ?? 'ProductResponse';
    const validate = ajv.getSchema(`api#/components/schemas/${name}`)!;
    return validate(JSON.parse(body)) ? [] : { file, errors: validate.errors };
  });
  return { count: answers.length, wrong };
}
