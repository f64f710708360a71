/** Measures how many milliseconds of processor time queries to a built site take. Prints JSON. Run it with `node ask.ts <site>`. */
import { openIndex, searchReleases } from '../../src/ask/published-index.ts';
import { openSite } from '../../src/core/site-reader.ts';
import { tools } from '../../src/serve/tools.ts';
import { measureAnswers } from './measure-answers.ts';
import { questions, unknown } from './questions.ts';

const [out = ''] = process.argv.slice(2);
const index = openIndex(openSite(out));
const [checkVersions] = tools;

const costs = await measureAnswers({
  opening: () => searchReleases(index, questions.named),
  named: () => searchReleases(index, questions.named),
  whole: () => searchReleases(index, questions.whole),
  terms: () => searchReleases(index, questions.terms),
  unknown: () => checkVersions.answer(index, { text: unknown }),
});
console.log(JSON.stringify(costs));
