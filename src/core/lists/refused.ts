/** Texts and documents that nobody shall take for judged: they state ranges, or versions in a form of their own. No zod and no Node: pages load it. */
import type { ReadList } from './list.ts';

const bill = 'syft . -o cyclonedx-json';
const convert = 'syft convert FILE -o cyclonedx-json';

/** Kinds, each with a command whose list is read, and with what no other list has. A text is of the first kind whose form it has. */
export const refusedKinds = {
  'package.json': [
    'npm ls --json',
    /^\s*\{(?![^]*"lockfileVersion")[^]*"(?:d|devD)ependencies":\s*\{\s*"[^"]+":\s*"/,
  ],
  'npm outdated --json': ['npm ls --json', /"wanted":\s*"[^"]*",\s*"latest":/],
  'yarn.lock': [bill, /^# yarn lockfile v1|^__metadata:/m],
  'pnpm-lock.yaml': [bill, /^lockfileVersion: /m],
  'bun.lock': [bill, /^\s*\{\s*"lockfileVersion": \d+,\s*"(?:workspaces|configVersion)"/],
  'pom.xml': [bill, /^\s*<[^]*?<\/project>\s*$/],
  'libs.versions.toml': [bill, /^\[(?:versions|libraries|plugins)\]$/m],
  'gradle.properties': [bill, /^org\.gradle\.\w/m],
  'packages.lock.json': [bill, /"type":\s*"Direct",\s*"re(?:quested|solved)"/],
  'Podfile.lock': [bill, /^PODS:$/m],
  'go.sum': ['go list -m all', /^\S+ v\S+ h1:\S+=$/m],
  'Cargo.toml': ['cargo generate-lockfile', /^\[(?:package|workspace)\]$/m],
  'pyproject.toml': ['pip freeze', /^\[(?:project|tool\.[\w.-]+|build-system)\]$/m],
  'Pipfile.lock': ['pipenv requirements', /"_meta":\s*\{\s*"hash":/],
  'Chart.lock': ['helm dependency list', /^digest: sha256:.+\ngenerated: /m],
  'mise.toml': ['mise ls --current', /^\[tools\]$/m],
  'CycloneDX as XML': [convert, /^\s*<[^]*cyclonedx\.org\/schema/],
  'SPDX as tag-value': [convert, /^SPDXVersion: /m],
  'other XML': [bill, /^\s*</],
} satisfies Readonly<Record<string, [command: string, form: RegExp]>>;

/** By its form; undefined for another text. */
export function refuseText(text: string): ReadList | undefined {
  const [kind, [command] = []] =
    Object.entries(refusedKinds).find(([, [, form]]) => form.test(text)) ?? [];
  return kind === undefined
    ? undefined
    : { items: [], problems: [{ message: `${kind} is not read; give the list of "${command}"` }] };
}
