import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endpoints } from '../../src/ask/api/endpoints.ts';
import { tools } from '../../src/ask/mcp/tools.ts';
import { detailsOn } from '../../src/ask/details-on.ts';
import { answerVersion, versionText } from '../../src/ask/version-answer.ts';
import type { DetailsFile } from '../../src/core/schemas/published/details-file.ts';
import type { StatusFile } from '../../src/core/schemas/published/status-file.ts';
import { createRoot, definition, readJsonIn } from '../harness/root.ts';
import { rootOf, siteOf, siteOfFixtureIndex } from '../harness/site.ts';
import { syntheticComponents } from './pages/synthetic.ts';

const mostWords = 20;
const day = '2026-11-20';

function siteOfPrivateIndex(): string {
  const root = createRoot();
  root.write('site/access.json', {
    protect: 'everything',
    accessKeys: { enabled: true },
    externalOauth: {
      issuers: [{ uri: 'https://login.example.com', accessTokenFormat: 'opaque', restrictByDomain: false }],
    },
    users: [{ username: 'jane', email: 'jane@example.com' }],
  });
  root.write('components/svc.json', definition());
  return siteOf(root.dir, day);
}

const sites = {
  ordinary: () => siteOfFixtureIndex(day),
  odd: () => {
    const { hostile: _, ...others } = syntheticComponents();
    return siteOf(rootOf(others), day);
  },
  empty: () => siteOf(rootOf({}), day),
  private: siteOfPrivateIndex,
};

/** Elements that end a sentence. */
const blocks =
  /<\/?(?:p|li|h\d|t[hdr]|caption|d[tdl]|div|section|summary|label|button|title|option|legend|a class="skip[^>]*|span class="(?:when|s|as-of)[^>]*)\b[^>]*>/g;
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#x3D;': '=',
};

/** The sentences of a page and of attributes that are read aloud. Inline code is one word; blocks of code are left out. */
function sentencesOf(html: string): string[] {
  const attributes = Array.from(
    html.matchAll(/ (?:title|aria-label|placeholder|alt|content)="([^"]+)"/g),
    ([, text]) => text!,
  );
  const shown = html
    .replaceAll(/<(pre|svg|script|style|dt)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<code>.*?<\/code>/gs, 'code')
    .replaceAll(blocks, '\n')
    .replaceAll(/<[^>]*>/g, '');
  return [...attributes, ...shown.split('\n')].flatMap(split);
}

/** Values in a row, such as those of a field, count as one word. */
function split(text: string): string[] {
  return text
    .replaceAll(/&(?:\w+|#x\w+);/g, (entity) => entities[entity] ?? ' ')
    .replaceAll(/(?:"?[\w-]+"?(?: \([\w-]+\))?(?:,| or) ){3,}/g, '')
    .replaceAll(/"[^"]*"/g, 'value')
    .split(/(?<=[.!?;])\s+/)
    .map((sentence) => sentence.trim())
    .filter(Boolean);
}

function isLong(sentence: string): boolean {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length > mostWords;
}

/** Requests and tools are described for programs first. */
const ofRequests = new Set(
  [
    ...tools.map(({ description }) => description),
    ...endpoints.flatMap(({ summary, description, parameters, body = [], answers }) => [
      summary,
      description,
      ...[...parameters, ...body, ...Object.values(answers)].map((part) => part.description),
    ]),
  ].flatMap(split),
);

it.each(Object.entries(sites))('no sentence about the %s index has more than twenty words', (_, build) => {
  const out = build();
  const pages = readdirSync(out).filter((name) => name.endsWith('.html'));
  const { components } = readJsonIn<StatusFile>(out, 'status.json');
  const answers = Object.keys(components).flatMap((component) => {
    const details = detailsOn(readJsonIn<DetailsFile>(out, `details/${component}.json`), day);
    const versions = details.releases.map(({ version }) => version).slice(-60);
    return [...versions, '2025', '0.0.1', '9999.9'].map((version) => answerVersion(details, { version }));
  });

  const sentences = [
    ...pages.flatMap((name) => sentencesOf(readFileSync(join(out, name), 'utf8'))),
    ...answers.flatMap((answer) => split(versionText(answer))),
  ];
  const wrong = sentences.filter(
    (sentence) => isLong(sentence) && !ofRequests.has(sentence.replace('code code: ', '')),
  );
  expect(pages.length).toBeGreaterThan(10);
  expect([...new Set(wrong)]).toEqual([]);
});
