import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser, missingBrowser } from './browser.ts';
import { buildCheckout } from './built-site.ts';
import { measureResponses, mostMs } from './response-times.ts';
import { serveFolder } from './static-server.ts';

/**
 * `npm run lighthouse`: scores of the index and of a component's page, on a slow phone as Lighthouse imagines one, and how
 * soon a large index answers. Lighthouse is larger than all that the project depends on, so that it is installed where it
 * is asked for.
 */
const version = '13.5.0';
const folder = resolve(import.meta.dirname, '../../../.cache/lighthouse', version);
const program = join(folder, 'node_modules/lighthouse/cli/index.js');

const least: Readonly<Record<string, number>> = {
  performance: 0.95,
  accessibility: 1,
  'best-practices': 0.95,
  seo: 0.95,
};

interface Report {
  categories: Record<string, { score: number; auditRefs: { id: string }[] }>;
  audits: Record<string, { title: string; score: number | null }>;
}

const run = promisify(execFile);

async function install(): Promise<void> {
  if (existsSync(program)) return;
  console.log(`Installing Lighthouse ${version} into .cache/lighthouse (190 MB, once) …`);
  mkdirSync(folder, { recursive: true });
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', '--prefix', folder, ...options, `lighthouse@${version}`]);
}

async function measure(url: string, browser: string): Promise<Report> {
  const path = join(folder, 'report.json');
  const options = ['--quiet', '--output=json', `--output-path=${path}`];
  await run(process.execPath, [program, url, ...options, '--chrome-flags=--headless=new --no-sandbox'], {
    env: { ...process.env, CHROME_PATH: browser },
  });
  return JSON.parse(readFileSync(path, 'utf8')) as Report;
}

/** Prints the scores; what is too low with the audits that cost points. */
function judge(page: string, { categories, audits }: Report): boolean {
  let isGood = true;
  for (const [name, { score, auditRefs }] of Object.entries(categories)) {
    const wanted = least[name] ?? 0;
    console.log(`${page}: ${name} ${score} (at least ${wanted})`);
    if (score >= wanted) continue;
    isGood = false;
    for (const audit of auditRefs.flatMap(({ id }) => audits[id] ?? [])) {
      if (audit.score !== null && audit.score < 1) console.log(`  ${audit.title}: ${audit.score}`);
    }
  }
  return isGood;
}

const browser = findBrowser();
if (browser === undefined) throw new Error(missingBrowser);
await install();
const site = buildCheckout();
const server = await serveFolder(site.out);
const results: boolean[] = [];
for (const page of ['index.html', 'svc.html'])
  results.push(judge(page, await measure(`${server.url}/${page}`, browser)));
await server.close();
site.remove();
for (const [deed, ms] of await measureResponses(browser)) {
  console.log(`index.html of 403 components, four times slower: ${deed} ${ms} ms (at most ${mostMs})`);
  results.push(ms <= mostMs);
}
if (results.includes(false)) process.exitCode = 1;
