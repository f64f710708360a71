import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { detailsOn } from '../../../src/ask/details-on.ts';
import { answerOfVersion1, lastChangeOf, productOf } from '../../../src/ask/endoflife.ts';
import { judgeRecorded } from '../../../src/decide/judge-recorded.ts';
import { detailsOf } from '../../../src/decide/details.ts';
import { Definition } from '../../../src/record/definition.ts';
import { checkout } from '../../harness/checkout.ts';
import { definition as definitionWith } from '../../harness/root.ts';
import { missingCorpus, readCorpus } from '../../harness/corpus.ts';

const corpus = readCorpus();
if (!corpus) console.log(missingCorpus);
const day = '2026-11-21';

test.skipIf(corpus === undefined)(
  'every product of the corpus is as the API of endoflife.date is described',
  () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const description = readFileSync(join(checkout, 'test/fixtures/endoflife-v1.openapi.yml'), 'utf8');
    ajv.addSchema(load(description) as object, 'api');
    const validate = ajv.compile({ $ref: 'api#/components/schemas/ProductResponse' });
    const phases = [
      { name: 'active', months: 6 },
      { name: 'security', months: 12 },
      { name: 'extended', months: 36, paid: true },
    ];
    const plans = [{ policy: 'term', months: 18 }, { policy: 'term', phases }, { policy: 'none' }];
    let lines = 0;
    for (const [name, releases] of corpus!)
      for (const support of plans) {
        const definition = Definition.parse(definitionWith({ support }));
        const details = detailsOf({
          ...judgeRecorded('product', definition, { releases: [...releases] }, day),
          journal: [],
          freshness: { state: 'static', failures: 0, troubles: [] },
        });
        const today = detailsOn(details, day);
        const answer = answerOfVersion1(productOf(today, 'https://example.com'), lastChangeOf(today));

        expect(validate(answer), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true);
        lines += details.lines.length;
      }
    expect(corpus!.size).toBeGreaterThan(400);
    expect(lines).toBeGreaterThan(10_000);
  },
);
