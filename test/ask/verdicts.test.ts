import { expect, test } from 'vitest';
import { listOwners } from '../../src/ask/owners.ts';
import { readQuestion } from '../../src/ask/question.ts';
import { findItems } from '../../src/ask/verdicts.ts';
import { readList } from '../../src/ask/read-list.ts';
import { judgeComponents, renderFiles } from '../harness/components.ts';

const dated = (lines: Record<string, string>) => ({ policy: 'dated', lines });
const files = renderFiles(
  judgeComponents({
    agent: {
      definition: {
        title: 'Acme .Agent',
        aliases: [
          'pkg:docker/team/agent',
          'pkg:oci/agent-image?repository_url=ghcr.io/team',
          'pkg:deb/debian/agentd',
          'pkg:deb/debian/agent-shared',
          'ag',
        ],
        support: dated({
          '8.0': '2026-04-30',
          '8.4': '2032-04-30',
          '9.0': '2027-03-31',
          '10.0': '2027-01-31',
          '10.1': '2027-02-28',
          '16': '2028-11-09',
          '17': '2029-11-08',
          '20.1': '2030-11-08',
          '20.2': '2030-11-08',
        }),
      },
      releases: {
        '8.0.1': '2025-01-01',
        '9.0.0': '2025-01-01',
        '16.4': '2025-02-01',
        '8.4.1_build.5': '2025-02-01',
      },
    },
    old: {
      definition: {
        aliases: ['pkg:rpm/fedora/agent-shared'],
        support: dated({ '5.0': '2020-12-31', '5.3': '2024-08-31' }),
      },
      releases: { '5.3.1': '2020-01-01' },
    },
    system: {
      definition: {
        support: dated({
          '22.04': '2027-04-01',
          '22.10': '2023-07-20',
          '22.11': '2026-12-31',
          '23.1': '2027-12-31',
          '23.2': '2027-12-31',
        }),
      },
      releases: { '22.04': '2022-04-21' },
    },
  }),
);
const read = (path: string) => JSON.parse(files.get(path)!);
const names = listOwners(read('status.json'));
const codenames: Record<string, string> = {
  '22.04': 'Jammy Jellyfish',
  '22.10': 'Kinetic Kudu',
  '22.11': '2023',
  '23.1': '2024',
  '23.2': '2024',
};
const aliases: Record<string, string> = { '22.11': '2099', '22.04': '26ai', '23.1': 'Core 23.1' };

async function readDetails(component: string) {
  const details = read(`details/${component}.json`);
  const lines = details.lines.map((line: { line: string }) => {
    return component === 'system'
      ? { ...line, codename: codenames[line.line], alias: aliases[line.line] }
      : line;
  });
  return { ...details, lines };
}

/** Returns the answer to a text as `agent 9, line 9.0: …`, or `none`. */
async function ask(text: string): Promise<string> {
  const { items } = readList(text, names);
  const [{ match } = {}] = await findItems(items, names, readDetails);
  const { version, line, sentence = 'no verdict', because = [] } = match?.verdict ?? {};
  const [remark = ''] = because.filter((each) => / was judged as | is \d| far above /.test(each));
  return match
    ? `${match.component} ${version}, line ${line}: ${sentence} ${remark}`.trim()
    : 'none';
}

test.each([
  // The name of a line is not judged as an unlisted release.
  ['agent 16', 'agent 16, line 16: Acme .Agent 16 is supported until 2028-11-09.'],
  ['Acme .Agent 16', 'agent 16, line 16: Acme .Agent 16 is supported until 2028-11-09.'],
  ['.AGENT 16', 'agent 16, line 16: Acme .Agent 16 is supported until 2028-11-09.'],
  ['ag 16', 'agent 16, line 16: Acme .Agent 16 is supported until 2028-11-09.'],
  // The version is only the beginning of a line's name.
  [
    'agent 9',
    'agent 9, line 9.0: Acme .Agent 9.0 is supported until 2027-03-31. 9 was judged as 9.0.',
  ],
  [
    'agent 8',
    'agent 8, line 8.4: Acme .Agent 8.4 is supported until 2032-04-30. These have ended: 8.0. 8 was judged as 8.4.',
  ],
  ['old 5', 'old 5, line 5.3: The old 5.3 was supported until 2024-08-31. 5 was judged as 5.3.'],
  [
    'agent 10',
    'agent 10, line undefined: Acme .Agent 10 may be 10.0, 10.1. State more of the version.',
  ],
  ['agent 1', 'agent 1, line undefined: Acme .Agent 1 belongs to no known release line.'],
  // The policy lists this line, although it has no release.
  ['agent 17', 'agent 17, line 17: Acme .Agent 17 is supported until 2029-11-08.'],
  [
    'agent 20',
    'agent 20, line undefined: Acme .Agent 20 may be 20.1, 20.2. State more of the version.',
  ],
  ['agent 19', 'agent 19, line undefined: Acme .Agent 19 belongs to no known release line.'],
  // An image with its registry. A package URL may give the image's whole path or only its folder.
  [
    'ghcr.io/team/agent-image:16.4',
    'agent 16.4, line 16: Acme .Agent 16.4 is supported until 2028-11-09.',
  ],
  [
    'pkg:oci/agent-image@16.4?repository_url=ghcr.io/team/agent-image',
    'agent 16.4, line 16: Acme .Agent 16.4 is supported until 2028-11-09.',
  ],
  ['ghcr.io/other/agent-image:16.4', 'none'],
  // Questions about packages of a Linux distribution.
  [
    'agentd 16.4-1ubuntu1',
    'agent 16.4-1ubuntu1, line 16: Acme .Agent 16.4-1ubuntu1 is not listed. Acme .Agent 16 is supported until 2028-11-09. A distribution may patch its package longer.',
  ],
  [
    'pkg:deb/debian/agentd@16.4',
    'agent 16.4, line 16: Acme .Agent 16.4 is supported until 2028-11-09. A distribution may patch its package longer.',
  ],
  ['agent-shared 16.4', 'none'],
  [
    'pkg:rpm/fedora/agent-shared@5.3.1',
    'old 5.3.1, line 5.3: The old 5.3.1 was supported until 2024-08-31. A distribution may patch its package longer.',
  ],
  ['agent 21', 'agent 21, line undefined: Acme .Agent 21 is not released yet.'],
  [
    'agent 90',
    'agent 90, line undefined: Acme .Agent 90 is not released yet. 90 is far above 20.2, the newest known version.',
  ],
  // Image tags with a variant, such as 16.4-bookworm.
  [
    'team/agent:16.4-bookworm',
    'agent 16.4, line 16: Acme .Agent 16.4 is supported until 2028-11-09. The tag 16.4-bookworm was judged as 16.4; the packages of the image were not judged.',
  ],
  [
    'ag:9.0-alpine3.19',
    'agent 9.0-alpine3.19, line 9.0: Acme .Agent 9.0 is supported until 2027-03-31. The tag 9.0-alpine3.19 was judged as 9.0; the packages of the image were not judged.',
  ],
  [
    'pkg:docker/team/agent@16.4-slim',
    'agent 16.4, line 16: Acme .Agent 16.4 is supported until 2028-11-09. The tag 16.4-slim was judged as 16.4; the packages of the image were not judged.',
  ],
  // These are not variants of 16.4, but other versions: a prerelease, a distribution's revision,
  // and a rebuild.
  [
    'team/agent:16.4-rc1-alpine',
    'agent 16.4-rc1-alpine, line 16: Acme .Agent 16.4-rc1-alpine is not listed. Acme .Agent 16 is supported until 2028-11-09.',
  ],
  [
    'team/agent:16.4-2',
    'agent 16.4-2, line 16: Acme .Agent 16.4-2 is not listed. Acme .Agent 16 is supported until 2028-11-09.',
  ],
  [
    'agent 16.4-acme',
    'agent 16.4-acme, line 16: Acme .Agent 16.4-acme is not listed. Acme .Agent 16 is supported until 2028-11-09.',
  ],
  // Helm writes the tag of a chart with a plus sign.
  [
    'agent 8.4.1+build.5',
    'agent 8.4.1_build.5, line 8.4: Acme .Agent 8.4.1_build.5 is supported until 2032-04-30.',
  ],
  [
    'pkg:docker/team/agent@8.4.1%2Bbuild.5',
    'agent 8.4.1_build.5, line 8.4: Acme .Agent 8.4.1_build.5 is supported until 2032-04-30.',
  ],
  [
    'agent 8.4.1+build.6',
    'agent 8.4.1+build.6, line 8.4: Acme .Agent 8.4.1+build.6 is not listed. Acme .Agent 8.4 is supported until 2032-04-30.',
  ],
  // Questions with the codename of a line.
  [
    'system jammy',
    'system 22.04, line 22.04: The system 22.04 is supported until 2027-04-01. jammy is 22.04 Jammy Jellyfish.',
  ],
  [
    'system:kinetic-slim',
    'system 22.10, line 22.10: The system 22.10 was supported until 2023-07-20. The tag kinetic-slim was judged as 22.10; the packages of the image were not judged.',
  ],
  [
    'system 2023',
    'system 22.11, line 22.11: The system 22.11 is supported until 2026-12-31. 2023 is 22.11 2023.',
  ],
  [
    'system 2024',
    'system 2024, line undefined: The system 2024 may be 23.1, 23.2. State more of the version.',
  ],
  // Questions with another name of a line. Without it, 2099 is above all known versions.
  [
    'system 2099',
    'system 22.11, line 22.11: The system 22.11 is supported until 2026-12-31. 2099 is 22.11 2023.',
  ],
  [
    'system 26AI',
    'system 22.04, line 22.04: The system 22.04 is supported until 2027-04-01. 26AI is 22.04 Jammy Jellyfish.',
  ],
  // A name of a line may have several words.
  [
    'The system core 23.1',
    'system 23.1, line 23.1: The system 23.1 is supported until 2027-12-31. core 23.1 is 23.1 2024.',
  ],
  [
    'system Kinetic Kudu',
    'system 22.10, line 22.10: The system 22.10 was supported until 2023-07-20. Kinetic Kudu is 22.10 Kinetic Kudu.',
  ],
  ['system core', 'system undefined, line undefined: no verdict'],
  ['system core 22.04', 'none'],
  ['system monitor 22.04', 'none'],
  ['system j', 'system undefined, line undefined: no verdict'],
  // A single word of a title is not a name.
  ['acme 16', 'none'],
])('answers the question "%s"', async (text, answer) => {
  expect(await ask(text)).toBe(answer);
});

test.each([
  ['system jammy', 'jammy'],
  ['system:bookworm-slim', 'bookworm-slim'],
  ['system isLatest', undefined],
  ['system or', undefined],
])('reads the question %j as a question about the version %s', (text, version) => {
  expect(readQuestion(text, names)?.version).toBe(version);
});

test.each([
  // Support by the vendor has ended, so nothing about the end is certain.
  ['pkg:rpm/fedora/agent-shared@5.3.1', 'May have ended', undefined],
  ['pkg:rpm/fedora/agent-shared@5.3.0-2', 'Not listed; its line: may have ended', undefined],
  ['pkg:rpm/fedora/agent-shared@5', 'May have ended', undefined],
  // Users of a distribution cannot move to a release of the vendor.
  ['pkg:deb/debian/agentd@16.3-1', 'Not listed; its line: supported', '2028-11-09'],
])(
  'the verdict on the package %s of a distribution has the label "%s"',
  async (text, label, end) => {
    const { items } = readList(text, names);
    const [{ match } = {}] = await findItems(items, names, readDetails);
    const { mayBePatched, supportedUntil, moveTo, moveReason, ...verdict } = match!.verdict!;

    expect(verdict).toMatchObject({ label, isSupported: end ? true : undefined });
    expect({ supportedUntil, moveTo, moveReason }).toEqual({ supportedUntil: end });
    expect(mayBePatched).toBe(end ? undefined : true);
    expect(verdict.advice).toBe(
      end
        ? 'The latest version is 16.4.'
        : 'Find out until when the distribution supports its package.',
    );
  },
);
