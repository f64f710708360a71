/** Texts and documents that nobody shall take for judged: they state ranges, or versions in a form of their own. No zod and no Node: pages load it. */
import type { ReadList } from '../index/item.ts';

const bill = 'syft . -o cyclonedx-json';
const convert = 'syft convert FILE -o cyclonedx-json';

/** The kinds, each with a command whose list is read. */
export const refusedKinds = {
  'package.json': 'npm ls --json',
  'npm outdated --json': 'npm ls --json',
  'yarn.lock': bill,
  'pnpm-lock.yaml': bill,
  'bun.lock': bill,
  'pom.xml': bill,
  'libs.versions.toml': bill,
  'gradle.properties': bill,
  'packages.lock.json': bill,
  'Podfile.lock': bill,
  'go.sum': 'go list -m all',
  'Cargo.toml': 'cargo generate-lockfile',
  'pyproject.toml': 'pip freeze',
  'Pipfile.lock': 'pipenv requirements',
  'Chart.lock': 'helm dependency list',
  'mise.toml': 'mise ls --current',
  'CycloneDX as XML': convert,
  'SPDX as tag-value': convert,
  'other XML': bill,
} as const;

type Kind = keyof typeof refusedKinds;

/** What no list of another kind has. */
const forms: readonly (readonly [form: RegExp, kind: Kind])[] = [
  [/^# yarn lockfile v1|^__metadata:/m, 'yarn.lock'],
  [/^lockfileVersion: /m, 'pnpm-lock.yaml'],
  [/^\s*\{\s*"lockfileVersion": \d+,\s*"(?:workspaces|configVersion)"/, 'bun.lock'],
  [/^\S+ v\S+ h1:\S+=$/m, 'go.sum'],
  [/^digest: sha256:.+\ngenerated: /m, 'Chart.lock'],
  [/^PODS:$/m, 'Podfile.lock'],
  [/^SPDXVersion: /m, 'SPDX as tag-value'],
  [/^\s*<[^]*?<\/project>\s*$/, 'pom.xml'],
  [/^\s*<[^]*cyclonedx\.org\/schema/, 'CycloneDX as XML'],
  [/^\s*</, 'other XML'],
  [/^\[tools\]$/m, 'mise.toml'],
  [/^\[(?:versions|libraries|plugins)\]$/m, 'libs.versions.toml'],
  [/^\[(?:package|workspace)\]$/m, 'Cargo.toml'],
  [/^\[(?:project|tool\.[\w.-]+|build-system)\]$/m, 'pyproject.toml'],
  [/^org\.gradle\.\w/m, 'gradle.properties'],
  [
    /^\s*\{(?![^]*"lockfileVersion")[^]*"(?:d|devD)ependencies":\s*\{\s*"[^"]+":\s*"/,
    'package.json',
  ],
  [/"_meta":\s*\{\s*"hash":/, 'Pipfile.lock'],
  [/"type":\s*"Direct",\s*"re(?:quested|solved)"/, 'packages.lock.json'],
  [/"wanted":\s*"[^"]*",\s*"latest":/, 'npm outdated --json'],
];

/** By its form; undefined for another text. */
export function refuseText(text: string): ReadList | undefined {
  const [, kind] = forms.find(([form]) => form.test(text)) ?? [];
  const problem = kind && `${kind} is not read; give the list of "${refusedKinds[kind]}"`;
  return problem ? { items: [], problems: [problem] } : undefined;
}
