/** Checks files that an index publishes below `api/v1/` against endoflife.date's OpenAPI description. */
import { readFileSync } from 'node:fs';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { loadAll } from 'js-yaml';
import { findStandard } from './standards.ts';

const path = findStandard('API of endoflife.date');
export const lacksDescription = path === undefined;

/** Returns the product documents that break the OpenAPI description, and how many were checked. */
export function judgeAnswers(files: ReadonlyMap<string, string>) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // endoflife.date's OpenAPI file contains several YAML documents. The last document describes the API. The first is for the generator of
  // the website.
  const api = loadAll(readFileSync(path!, 'utf8')).at(-1) as object;
  ajv.addSchema({ $id: 'api', ...api });

  const answers = [...files].filter(([file]) => file.startsWith('api/v1/products/'));
  const wrong = answers.flatMap(([file, body]) => {
    const name = file.endsWith('/full') ? 'FullProductListResponse' : 'ProductResponse';
    const validate = ajv.getSchema(`api#/components/schemas/${name}`)!;
    return validate(JSON.parse(body)) ? [] : { file, errors: validate.errors };
  });
  return { count: answers.length, wrong };
}
