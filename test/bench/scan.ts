/** Measures a simple program that answers the queries of `ask.ts` from an array of all releases. Run it with `node scan.ts <data>`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureAnswers } from './measure-answers.ts';
import { unknown } from './questions.ts';

interface Row {
  component: string;
  version: string;
  released: number;
  age: number;
  isSupported: boolean;
}

const [data = ''] = process.argv.slice(2);
const msPerDay = 86_400_000;
const today = Date.parse('2026-08-22');
const ages = Array.from({ length: 50 }, (_, place) => 9000 + place);
let rows: Row[] = [];

function open(): Row[] {
  const files = readdirSync(data).filter((name) => name.endsWith('.json'));
  rows = files.flatMap((file) => {
    const { releases } = JSON.parse(readFileSync(join(data, file), 'utf8')) as {
      releases: { version: string; releaseTimestamp: string }[];
    };
    return releases.map(({ version, releaseTimestamp }) => {
      const released = Date.parse(releaseTimestamp);
      const age = (today - released) / msPerDay;
      const component = file.replace('.json', '');
      return { component, version, released, age, isSupported: age < 540 };
    });
  });
  return findNamed();
}

function findNamed(): Row[] {
  return rows.filter(({ component, isSupported }) => component === 'p-nodejs' && isSupported);
}

const costs = await measureAnswers({
  opening: open,
  named: findNamed,
  whole: () => rows.filter(({ released }) => released > today - 30 * msPerDay),
  terms: () => rows.filter(({ age }) => ages.some((each) => age > each)),
  unknown() {
    const names = new Set(rows.map(({ component }) => component));
    return unknown.split('\n').filter((line) => !names.has(line.split('==')[0]!));
  },
});
console.log(JSON.stringify(costs));
