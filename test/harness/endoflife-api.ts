/** The published description of the API of endoflife.date, which judges what an index writes in this form. */
import { readFileSync } from 'node:fs';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { loadAll } from 'js-yaml';
import { findStandard } from './standards.ts';

const path = findStandard('API of endoflife.date');
export const lacksDescription = path === undefined;

/** Finds the documents of version 1 that are no answers of this API. Returns the number of all, too. */
export function judgeAnswers(files: ReadonlyMap<string, string>) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Its first document is for the generator of their site.
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
