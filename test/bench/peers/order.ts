// Orders the same version strings by each comparator in turn and prints the milliseconds of every repetition as JSON.
// The strings are shuffled, always in the same way: sorting what is sorted measures little.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { compareVersions, parseVersion } from '../../../src/core/version.ts';

interface Loose {
  sortVersions(a: string, b: string): number;
}

const repetitions = 5;
const [versionsFile, looseModule] = process.argv.slice(2) as [string, string];
const texts = shuffle(JSON.parse(readFileSync(versionsFile, 'utf8')) as string[]);
const loose = ((await import(pathToFileURL(looseModule).href)) as { default: Loose }).default;

const peers: Record<string, () => unknown> = {
  ours: () => order(texts),
  loose: () => texts.toSorted((a, b) => loose.sortVersions(a, b)),
};
const times = Object.fromEntries(Object.keys(peers).map((name) => [name, [] as number[]]));
for (let repetition = 0; repetition < repetitions; repetition += 1) {
  for (const [name, sort] of Object.entries(peers)) {
    const start = performance.now();
    sort();
    times[name]!.push(performance.now() - start);
  }
}
process.stdout.write(JSON.stringify({ versions: texts.length, times }));

function order(versions: readonly string[]): string[] {
  return versions
    .map((text) => parseVersion(text)!)
    .sort(compareVersions)
    .map((version) => version.text);
}

function shuffle(versions: readonly string[]): string[] {
  const shuffled = [...versions];
  let state = 1;
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    // A linear congruential generator (Numerical Recipes): no chance between two runs.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = state % (index + 1);
    [shuffled[index], shuffled[other]] = [shuffled[other]!, shuffled[index]!];
  }
  return shuffled;
}
