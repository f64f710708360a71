import { afterAll, beforeAll, expect, test } from 'vitest';
import siteConfig from '../../site/site.json' with { type: 'json' };
import { addMonths } from '../../src/core/model/dates.ts';
import { runRenovate, type Run } from './client.ts';
import { fileAfter, pullRequestBodies } from './pull-request.ts';
import { daysAgo, serveComponents, type Recorded, type ServedSite } from './site.ts';

const released = (days: Record<string, number>, more: object = {}) =>
  Object.entries(days).map(([version, ago]) => ({
    version,
    releaseTimestamp: daysAgo(ago),
    ...more,
  }));

const hostile = String.raw`Loses "data" \ for @all, see #12; https://evil.example/ and [x](y) {{newVersion}} <b>`;
const harmless =
  'Loses &#34;data&#34; &#92; for @&#8203;all, see #&#8203;12; https&#58;//evil.example/ and &#91;x&#93;(y) ' +
  '&#123;&#123;newVersion&#125;&#125; &#60;b&#62;.';

const datasource = `custom.${siteConfig.datasource}`;
const named = (name: string, more = '') =>
  `renovate: datasource=${datasource} depName=${name}${more}`;

const components: Record<string, Recorded> = {
  svc: {
    definition: {
      support: { policy: 'term', months: 18 },
      advisories: [
        {
          ...{ id: 'CVE-2026-1', affected: '=2026.1', fixed: ['2026.1.1'], severity: 'high' },
          ...{ exploitedSince: '2026-11-03', dueBy: '2026-11-24' },
        },
      ],
    },
    releases: released({
      '2025.1': 600,
      '2025.2': 500,
      '2026.1': 100,
      '2026.1.1': 90,
      '2026.2': 30,
    }),
  },
  'a-without-policy': { releases: released({ '1.0': 4000, '1.1': 300 }) },
  tool: {
    definition: {
      deprecated: [
        { versions: '<1.19', reason: `${hostile}\u200b`, since: daysAgo(20) },
        { versions: ['1.19'], reason: 'Use 1.20', since: '2999-01-01' },
      ],
      advisories: [{ id: 'CVE-2026-2', affected: '<1.18' }],
    },
    releases: released({ '1.17': 500, '1.18': 400, '1.19': 300, '1.20': 200 }),
  },
  node: {
    definition: {
      support: {
        policy: 'ended',
        until: '2999-12-31',
        deprecatedFrom: daysAgo(10),
        reason: 'Use tool.',
      },
      replacedBy: 'next',
    },
    releases: released({ '20.1': 300 }),
  },
  gone: {
    definition: { support: { policy: 'ended' }, replacedBy: 'next' },
    releases: released({ '1.0': 300 }),
  },
  variants: {
    releases: released({ '1.0': 400, '1.0-alpine': 400, '1.1-alpine': 300, '1.2': 200 }),
  },
  prefixed: { releases: released({ 'v1.0': 400, 'v1.1': 300, 'v2.0-rc.1': 200 }) },
  empty: { releases: [] },
  image: {
    definition: {
      support: { policy: 'dated', lines: { '1.0': daysAgo(30) } },
      sources: [{ datasource: 'docker', packageName: 'example/image' }],
    },
    releases: [
      ...Object.entries({ '1.0': 'a', '1.1': 'b', '1.2': 'c', '1.2-alpine': 'd' }).map(
        ([version, digit], index) => ({
          ...{
            version,
            releaseTimestamp: daysAgo(400 - 100 * index),
            source: 'docker:example/image',
          },
          digests: { 'docker:example/image': { [version]: `sha256:${digit.repeat(64)}` } },
        }),
      ),
      { version: '2.0', releaseTimestamp: daysAgo(20), source: 'docker:example/image' },
    ],
  },
  next: { releases: released({ '3.0': 100 }) },
  dated: {
    definition: {
      support: { policy: 'dated', lines: { '1.0': daysAgo(30), '2.0': '2999-01-01' } },
    },
    releases: released({ '1.0': 400, '2.0': 300, '2.1': 200 }),
  },
  seen: {
    definition: { support: { policy: 'term', months: 12 } },
    releases: released({ '1.0': 300, '1.1': 100 }, { timestampKind: 'observed' }),
  },
};

let served: ServedSite;
/** A Dockerfile before and after all pull requests. */
let [before, after] = ['', ''];
const pinned = (name: string, version: string, place: number) =>
  `# ${named(name)}\nARG A${place}_VERSION="${version}"\n`;
let run: Run;
/** The run over `manyFiles`. */
let announced: Run;

beforeAll(async () => {
  served = await serveComponents(components);
  for (const [place, pin] of [
    ...Object.keys(pins),
    ...Object.keys(pins),
    ...Object.keys(pins),
  ].entries()) {
    const [name, version] = pin.split(' ') as [string, string];
    const { to, component = name } = pins[pin]!;
    before += pinned(name, version, place);
    after += pinned(component, to, place);
  }
  run = await runRenovate(
    {
      'renovate.json': JSON.stringify({
        extends: [`${served.origin}/renovate.json`],
        packageRules: [
          { matchDatasources: [datasource], branchTopic: '{{{depName}}}-{{{currentValue}}}' },
          {
            matchPackageNames: ['svc', 'a-without-policy'],
            groupName: 'ours',
            separateMajorMinor: false,
          },
        ],
      }),
      Dockerfile: before,
    },
    { origin: served.origin, datasource: siteConfig.datasource },
  );
  manyFiles['renovate.json'] = JSON.stringify({
    // The second preset removes the waiting time.
    extends: [`${served.origin}/renovate.json`, `${served.origin}/renovate/own.json`],
    minimumReleaseAge: '10000 days',
    ignorePaths: ['ignored/**'],
    packageRules: [{ matchDatasources: ['docker', 'npm'], enabled: false }],
  });
  announced = await runRenovate(manyFiles, {
    origin: served.origin,
    datasource: siteConfig.datasource,
  });
});

afterAll(() => served?.close());

interface Expected {
  to: string;
  /** The component that replaces it. */
  component?: string;
  labels?: string[];
  says?: string[];
}

const endAfter = (ago: number, months = 18) => addMonths(daysAgo(ago), months);
const policy = 'A release line is supported for 18 months from its first release.';
const proposal = `End of support of 2026.2: ${endAfter(30)}.`;
const unstated = (behind: string) =>
  `No end of support is stated. The newest release of its line is ${behind}.`;
const replaced = 'Replaced by [A component](ORIGIN/next.html).';
const deprecation = `Deprecated: ${harmless} Since ${daysAgo(20)}.`;

/** For each version in use: the proposed version, the labels, and every sentence. */
const pins: Record<string, Expected> = {
  'svc 2025.1': {
    to: '2026.2',
    labels: ['unsupported'],
    says: [`End of support: ${endAfter(600)}. ${policy}`, proposal],
  },
  'svc v2025.2': {
    to: 'v2026.2',
    labels: ['support-ends'],
    says: [`End of support: ${endAfter(500)}. ${policy}`, proposal],
  },
  'svc 2026.1': {
    to: '2026.2',
    labels: ['security'],
    says: [
      'Affected by CVE-2026-1 (exploited since 2026-11-03, fix due by 2026-11-24; high; fixed in 2026.1.1).',
      `End of support: ${endAfter(100)}. ${policy}`,
      proposal,
    ],
  },
  'a-without-policy 1.0': { to: '1.1', says: [unstated('1 release and 10 years behind 1.1')] },
  'tool 1.17': {
    to: '1.20',
    labels: ['deprecated', 'security'],
    says: ['Affected by CVE-2026-2.', unstated('2 releases and 9 months behind 1.20'), deprecation],
  },
  'tool 1.18': {
    to: '1.20',
    labels: ['deprecated'],
    says: [unstated('2 releases and 6 months behind 1.20'), deprecation],
  },
  'tool 1.19': {
    to: '1.20',
    says: [
      unstated('1 release and 3 months behind 1.20'),
      'Deprecated from 2999-01-01 on: Use 1.20.',
    ],
  },
  'node 20.1': {
    to: '3.0',
    component: 'next',
    labels: ['deprecated'],
    says: [`End of support: 2999-12-31. Use tool. Deprecated from ${daysAgo(10)} on.`, replaced],
  },
  'variants 1.0-alpine': {
    to: '1.1-alpine',
    says: [unstated('2 releases and 6 months behind 1.2')],
  },
  'prefixed v1.0': { to: 'v1.1', says: [unstated('1 release and 3 months behind v1.1')] },
  'gone 1.0': {
    to: '3.0',
    component: 'next',
    labels: ['unsupported'],
    says: ['Support has ended.', replaced],
  },
  'dated 1.0': { to: '2.1', labels: ['unsupported'], says: [`End of support: ${daysAgo(30)}.`] },
  'dated 2.0': { to: '2.1', says: ['End of support: 2999-01-01.'] },
  'seen 1.0': {
    to: '1.1',
    labels: ['support-ends'],
    says: [
      `End of support: on or before ${endAfter(300, 12)}. A release line is supported for 12 months from its first release.`,
      `End of support of 1.1: on or before ${endAfter(100, 12)}.`,
    ],
  },
};

/** A line below the comment of a component. */
const commented = (name: string, line: string) => `# ${named(name)}\n${line}\n`;

/** Files with pins, and with comments that Renovate does not read. */
const manyFiles: Record<string, string> = {
  Dockerfile: [
    'FROM scratch\n',
    commented('svc', 'ARG SVC_VERSION=2025.1'),
    commented('svc', 'ENV SVC_VERSION "v2025.2"'),
    commented('variants', 'ARG V_VERSION=1.0-alpine'),
    commented('variants', 'ARG V_VERSION=1.0'),
    commented('prefixed', 'ARG P_VERSION=v1.0'),
    `# ${named('acme', ' packageName=tool')}\nARG T_VERSION=1.18\n`,
    commented('svc', 'ARG BARE=2025.1'),
    commented('svc', '\nARG BLANK_VERSION=2025.1'),
    commented('svc', 'RUN X_VERSION=2025.1'),
    commented('svc', `ARG DIGEST_VERSION=2025.1@sha256:${'0'.repeat(64)}`),
    commented('svcs', 'ARG UNKNOWN_VERSION=2025.1'),
    `# renovate: datasource=${siteConfig.datasource} depName=svc\nARG SOURCE_VERSION=2025.1\n`,
    `# Renovate: datasource=${datasource} depName=svc\nARG CAPITAL_VERSION=2025.1\n`,
    `# renovate: depName=svc datasource=${datasource}\nARG ORDER_VERSION=2025.1\n`,
    commented('svc', 'ARG WORD_VERSION=latest'),
    '# renovate: datasource=docker depName=alpine\nARG ALPINE_VERSION=3.20\n',
    commented('empty', 'ARG EMPTY_VERSION=1.0'),
    commented('svc', 'ARG END_VERSION=2025.1').trimEnd(),
  ].join(''),
  'images/api.Dockerfile': `# ${named('svc')}\nARG A_VERSION=2026.2\n# ${named('tool')}\n  ENV B_VERSION=1.19\n`,
  'azure-pipelines.yml': `# ${named('svc')}\nSVC_VERSION: 2026.1.1\n`,
  'bitbucket-pipelines.yml': `- script:\n  # ${named('tool')}\n  - export TOOL_VERSION=1.18\n  # ${named('tool')}\n  - export TOOL=1.18\n`,
  'build/rules.mk': `# ${named('node')}\nexport NODE_VERSION=20.1\n# ${named('dated', ' versioning=loose')}\nDATED_VERSION := 2.0\n`,
  'kustomize/kustomization.yaml': `# ${named('dated')}\nnewTag: "1.0"\n`,
  'charts/Chart.yaml': `# ${named('seen')}\nappVersion: 1.0\n`,
  'compose.override.yml': `# ${named('tool')}\nimage: example/tool:1.17 # ours\n`,
  'mise.toml': `# ${named('svc')}\n"http:svc" = { version = "2026.1" }\n#${named('svc')}\nsvc = "2026.2"\n`,
  'notes.txt': `# ${named('svc')}\nsvc=2025.1\n`,
  '.github/workflows/ci.yml': `env:
  # ${named('svc')}
  SVC_VERSION: "2025.2"
  # ${named('dated')}

  DATED_VERSION: '1.0'
  # ${named('svc')}
  svc: 2025.1
`,
  '.github/actions/x/action.yaml': `# ${named('tool')}\nTOOL_VERSION: 1.17\n`,
  'deploy/my.gitlab-ci.yml': `# ${named('tool')}\n  TOOL_VERSION: 1.19\n# ${named('tool')}\n  TOOL: 1.19\n`,
  Makefile: `# ${named('node')}\nNODE_VERSION ?= 20.1\n# ${named('node')}\nNODE := 20.1\n`,
  'infra/prod.tfvars': `# ${named('svc')}\nsvc_version = "2026.1"\n# ${named('svc')}\nsvc = "2026.1"\n`,
  'pom.xml': `<project>\n<!-- ${named('svc')} -->\n<svc.version>2025.1</svc.version>\n<!-- ${named('svc')} -->\n<svc>2025.1</svc>\n</project>\n`,
  'charts/values-prod.yaml': `# ${named('svc')}
tag: "2025.1"
# ${named('svc')}

tag: "2025.1"
# ${named('svc')}
image: example/svc:2025.1@sha256:${'0'.repeat(64)}
# ${named('svc')}
image: example/svc:2025.1
`,
  'gradle.properties': `# ${named('gone')}\ngone=1.0\n# ${named('svc')}\nsvc=latest\n`,
  'build.gradle.kts': `// ${named('seen')}\nval seen = "1.0"\n`,
  'compose.yaml': `# ${named('svc')}\n  image: example/svc:2027.1\n`,
  '.env.local': `# ${named('svc')}\nSVC=2025.1.1\n`,
  'libs.versions.toml': `# ${named('tool')}\ntool = "1.20"\n`,
  'package.json': `{\n  "//": "${named('svc')}",\n  "svc": "2025.1"\n}\n`,
  'main.tf': `# ${named('dated')}\n  tag = "2.0"\n`,
  'locals.tf': `locals {\n  // ${named('svc')}\n  svc2 = "v2025.1" # since 2024\n}\n`,
  '.tool-versions': `# ${named('svc')}\nsvc 2025.2\n`,
  'run.sh': `# ${named('svc')}\nSVC="\${SVC:-2025.1}"\n`,
  'windows.sh': `# ${named('svc')}\r\ncurl "https://example.com:5000/\${SVC:-2025.1}/7.0"\r\n`,
  'last-line.sh': `# ${named('svc', ' versioning=loose')}\nexport SVC='2025.1'; echo 1.0`,
  Jenkinsfile: `// ${named('svc')}\ndef svc = '2025.1'\n`,
  'k8s/a/b.yaml': `# ${named('svc')}\nimage: example/svc:v2025.1\n`,
  'k8s/image.yaml': [
    `example/image:v1.0@sha256:${'0'.repeat(64)}`,
    `docker.io/example/image:1.1@sha256:${'b'.repeat(64)}`,
    `example/other:1.0@sha256:${'0'.repeat(64)}`,
    'example/image:1.0',
  ]
    .map((image) => commented('image', `image: ${image}`))
    .join(''),
  'notes.md': `<!-- ${named('svc')} -->\nSVC_VERSION=2025.1\n`,
  'ignored/run.sh': `# ${named('svc')}\nsvc=2025.1\n`,
  'node_modules/x/run.sh': `# ${named('svc')}\nsvc=2025.1\n`,
};

test('a pull request says what is known of the version in use, also in a group', async () => {
  const bodies = await pullRequestBodies(run.branches);

  const found = new Map<string, Expected>();
  for (const [index, upgrades] of run.branches.entries()) {
    const sentences = Array.from(bodies[index]!.matchAll(/^\*\*\[(.+?)\]\((.+?)\)\*\*: (.+)$/gm));
    const shown = new Set<string>();
    for (const {
      depName,
      currentValue,
      currentVersion,
      newName,
      newValue,
      addLabels = [],
    } of upgrades) {
      const isSubject = (name = '') =>
        [currentVersion, currentValue].some((version) => name === `${depName} ${version}`);
      const own = sentences.filter(([, name]) => isSubject(name));
      for (const [all, name = '', link] of own) {
        shown.add(all);
        expect(link).toBe(`${served.origin}/${depName}.html#v${name.split(' ')[1]}`);
      }
      const labels = [...new Set(addLabels)].sort();
      const says = own.map(([, , , text]) => text!.replaceAll(served.origin, 'ORIGIN'));
      found.set(`${depName} ${currentValue}`, {
        to: newValue,
        ...(newName !== undefined && { component: newName }),
        ...(labels.length > 0 && { labels }),
        ...(says.length > 0 && { says }),
      });
    }
    expect(shown.size).toBe(sentences.length);
  }
  // One paragraph has all sentences.
  const expected = Object.entries(pins).map(([pin, { says, ...rest }]) => [
    pin,
    says ? { ...rest, says: [says.join(' ')] } : rest,
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  expect(run.lookups).toHaveLength(3 * Object.keys(pins).length);
  expect(run.problems).toEqual([]);
});

test('pull requests change only the versions, and the name of a replaced component', async () => {
  expect(await fileAfter(run.branches.flat(), before)).toBe(after);
});

test('Renovate leaves the tag and the digest of an image alone', async () => {
  const manifest = manyFiles['k8s/image.yaml']!;
  const upgrades = announced.branches.flat().filter(({ depName }) => depName === 'image');
  const changed = await fileAfter(upgrades, manifest);

  expect(upgrades.map(({ currentValue, newValue }) => [currentValue, newValue]).sort()).toEqual([
    ['1.0', '1.2'],
    ['1.0', '2.0'],
  ]);
  expect(changed.match(/.*@sha256:.*/g)).toEqual(manifest.match(/.*@sha256:.*/g));
});

test('Renovate reads the version below a comment in files of many kinds, and no other', () => {
  const read = announced.lookups.filter(({ skipReason }) => skipReason === undefined);
  const rows = read.map(({ file, pin }) => `${file} ${pin}`);

  expect([...new Set(rows)].sort()).toEqual([
    '.env.local 2025.1.1',
    '.github/actions/x/action.yaml 1.17',
    '.github/workflows/ci.yml 1.0',
    '.github/workflows/ci.yml 2025.2',
    '.tool-versions 2025.2',
    'Dockerfile 1.0',
    'Dockerfile 1.0-alpine',
    'Dockerfile 1.18',
    'Dockerfile 2025.1',
    'Dockerfile v1.0',
    'Dockerfile v2025.2',
    'Jenkinsfile 2025.1',
    'Makefile 20.1',
    'azure-pipelines.yml 2026.1.1',
    'bitbucket-pipelines.yml 1.18',
    'build.gradle.kts 1.0',
    'build/rules.mk 2.0',
    'charts/Chart.yaml 1.0',
    'charts/values-prod.yaml 2025.1',
    'compose.override.yml 1.17',
    'compose.yaml 2027.1',
    'deploy/my.gitlab-ci.yml 1.19',
    'gradle.properties 1.0',
    'images/api.Dockerfile 2026.2',
    'infra/prod.tfvars 2026.1',
    'k8s/a/b.yaml v2025.1',
    'k8s/image.yaml 1.0',
    'kustomize/kustomization.yaml 1.0',
    'last-line.sh 2025.1',
    'libs.versions.toml 1.20',
    'locals.tf v2025.1',
    'main.tf 2.0',
    'mise.toml 2026.1',
    'mise.toml 2026.2',
    'node_modules/x/run.sh 2025.1',
    'package.json 2025.1',
    'pom.xml 2025.1',
    'run.sh 2025.1',
    'windows.sh 2025.1',
  ]);
});
