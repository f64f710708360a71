import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { ReadText } from '../../../src/ask/texts/text-entries.ts';
import { longestTexts, readText } from '../../../src/ask/texts/read-text.ts';
import {
  countEntries,
  describeAccount,
  groupByEntry,
  listWorstResults,
} from '../../../src/ask/scan/scan-results.ts';
import { renderSarif } from '../../../src/ask/scan/render-sarif.ts';
import { parsePublishedPolicy } from '../../../src/ask/scan/scan-policies.ts';
import { scanEntries } from '../../../src/ask/scan/scan-items.ts';
import { openFolder } from '../../../src/cli/open-published.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { pick, randomFrom } from '../../harness/random.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { uniqueEntries } from '../../harness/scanning.ts';

type Random = () => number;

const words =
  '@ @1 a@ = # <&"\'> %E0%A4 %00 __proto__ constructor toString svc svc@2025.1 svc@2026.2 example/svcctl:1.18 localhost/ pkg: pkg:npm pkg:generic/svc pkg:generic/svc@2026.2 pkg:oci/svcctl?tag=1.20 pkg:oci/x@sha256:ab?repository_url=%E0&tag=% pkg:npm/%40example%2Fedge-node@1.0.0 PKG:NPM/@@@ pkg:///// 1 2025.1 v2025.01 NOASSERTION sha256:ab 1e999 main';
const strange = ['', ' ', '\0', '\n', '\ud800', '\udc00x', '😀', '\u202e', 'pkg:npm/\ud800@1'];
const texts = [...strange, ...words.split(' '), '9'.repeat(400), `a${'.1'.repeat(300)}`];
const keys = 'name version purl group components hashes evidence properties __proto__ x'.split(' ');

/** Any JSON value. */
function anything(random: Random, depth = 0): unknown {
  const kind = Math.floor(random() * (depth > 3 ? 5 : 7));
  const many = Math.floor(random() * 4);
  if (kind === 0) {
    return pick(random, [null, true, false]);
  }
  if (kind === 1) {
    return pick(random, [0, -1, 1.5, 1e300, 2 ** 53]);
  }
  if (kind < 5) {
    return pick(random, texts);
  }
  if (kind === 5) {
    return Array.from({ length: many }, () => anything(random, depth + 1));
  }
  return Object.fromEntries(
    Array.from({ length: many }, () => [pick(random, keys), anything(random, depth + 1)]),
  );
}

/** Mostly the valid value. */
function perhaps(random: Random, sound: unknown): unknown {
  return random() < 0.85 ? sound : anything(random);
}

const old = { name: 'svc', version: '2025.1' };

/** A document of one of the formats, with parts of any kind and a release that is out of support. */
function hostileDocument(random: Random): string {
  const isLarge = random() < 0.001;
  const count = isLarge ? 3000 : Math.floor(random() * 6);
  const part = () => perhaps(random, partOf(random));
  const parts: unknown[] = Array.from({ length: count }, part);
  parts.splice(Math.floor(random() * (parts.length + 1)), 0, old);
  const document = pick(random, [inCycloneDx, inSpdx, inList])(random, parts);
  return typeof document === 'string' ? document : JSON.stringify(document);
}

function partOf(random: Random): Record<string, unknown> {
  const stated = {
    name: pick(random, texts),
    version: pick(random, texts),
    purl: pick(random, texts),
  };
  const digests = [
    { alg: pick(random, ['SHA-256', 'MD5', '']), content: pick(random, ['a'.repeat(64), 'x']) },
  ];
  const rest = {
    hashes: digests,
    group: pick(random, texts),
    evidence: { identity: [{ concludedValue: stated.purl }] },
  };
  const all = Object.entries({ ...stated, ...rest }).filter(() => random() < 0.7);
  return Object.fromEntries(all.map(([key, value]) => [key, perhaps(random, value)]));
}

function inCycloneDx(random: Random, parts: readonly unknown[]): object {
  const levels = pick(random, [0, 0, 0, 1, 5, 90, 2000]);
  let components = parts;
  for (let level = 0; level < levels; level += 1) {
    components = [{ name: 'x', components }];
  }
  const metadata = { component: perhaps(random, partOf(random)) };
  const specVersion = perhaps(random, pick(random, ['1.2', '1.7', '2.0']));
  const document = {
    bomFormat: 'CycloneDX',
    specVersion,
    components,
    metadata: perhaps(random, metadata),
  };
  return random() < 0.1 ? { sbom: document } : document;
}

function inSpdx(random: Random, parts: readonly unknown[]): object {
  const packages = parts.map((part) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) {
      return part;
    }
    const { version, purl, hashes, ...rest } = part as Record<string, unknown>;
    const reference = { referenceType: 'purl', referenceLocator: purl };
    const externalRefs = purl === undefined ? undefined : perhaps(random, [reference]);
    return { ...rest, versionInfo: version, externalRefs, checksums: hashes };
  });
  const described = { documentDescribes: anything(random), relationships: anything(random) };
  return { spdxVersion: perhaps(random, 'SPDX-2.3'), packages, ...described };
}

function inList(random: Random, parts: readonly unknown[]): string {
  const lines = parts.map((part) => (part === old ? 'svc=2025.1' : pick(random, texts)));
  return lines.map((line) => `${line}${pick(random, ['', ' # x', '\r', '=1', ',1'])}`).join('\n');
}

interface HostileScan {
  readonly accepted: number;
  readonly rejected: number;
  /** Each with the seed of its document. */
  readonly failures: readonly string[];
}

/** Reads, judges and reports a document in every form, like the command. Returns the errors. */
async function scanHostile(document: string, place: Awaited<ReturnType<typeof openPlace>>) {
  let read: ReadText;
  try {
    read = await readText(place.index, document, longestTexts.file);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return { isAccepted: false };
    }
    throw error;
  }
  if (read.problems.length > 0) {
    return { isAccepted: false };
  }
  const unique = uniqueEntries(read.entries);
  const scanned = listWorstResults(await scanEntries(unique, place.policies, place.index));
  const account = countEntries(read.entries.length, scanned, 0);
  renderSarif(scanned, account, 'https://example.com');
  JSON.stringify(scanned.map(({ scan }) => scan));
  const isHidden = !scanned.some(
    ({ scan }) => scan.status === 'unsatisfied' && scan.details.version === '2025.1',
  );
  const hasAll = groupByEntry(scanned).length === unique.length;
  const missing = hasAll ? undefined : describeAccount(account);
  const problem = isHidden ? 'hides svc 2025.1' : missing;
  return { isAccepted: true, problem };
}

async function openPlace(site: string) {
  const { index } = openFolder(site, () => fixtureDay);
  const policies = await index.policies();
  const supported = policies.find(({ name }) => name === 'supported')!;
  return { index, policies: [parsePublishedPolicy(supported, fixtureDay)] };
}

async function scanAll(site: string, first: number, count: number): Promise<HostileScan> {
  const place = await openPlace(site);
  const failures: string[] = [];
  let accepted = 0;
  for (let seed = first; seed < first + count && failures.length < 10; seed += 1) {
    const document = hostileDocument(randomFrom(seed));
    try {
      const { isAccepted, problem } = await scanHostile(document, place);
      if (isAccepted) {
        accepted += 1;
      }
      if (problem !== undefined) {
        failures.push(`${seed}: ${problem}`);
      }
    } catch (error) {
      failures.push(`${seed}: ${(error as Error).stack}`);
    }
  }
  return { accepted, rejected: count - accepted, failures };
}

/** Runs in a separate process, which fails if it needs more than 512 MB. */
export async function scanHostileDocuments(first: number, count: number): Promise<HostileScan> {
  const scanned = [siteOfFixtureIndex(), `${first}`, `${count}`];
  const args = ['--max-old-space-size=512', import.meta.filename, ...scanned];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) {
    throw new Error(`The scan of documents ended with ${code}.`);
  }
  return JSON.parse(output) as HostileScan;
}

if (import.meta.main) {
  const [site = '', first, count] = process.argv.slice(2);
  process.stdout.write(JSON.stringify(await scanAll(site, Number(first), Number(count))));
}
