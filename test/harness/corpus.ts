import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { program } from './example.ts';

/** Reads facts about real products from a file of the corpus, `test/fixtures/corpus/<name>.json.gz`. */
export function readCorpus<T>(name: string): T {
  const file = join(program, `test/fixtures/corpus/${name}.json.gz`);
  return JSON.parse(gunzipSync(readFileSync(file)).toString()) as T;
}
