import { curl, isClosed, reading } from './reader-commands.ts';
import type { SiteContext } from './site-context.ts';
import type { Snippet } from './snippet.ts';

/** The major version that the steps run. */
export const scanProgram = 'release-index@1';

/** What writes a bill of materials, for the commonest ways to build. `scan` reads CycloneDX up to 1.6 and SPDX 2.3. */
export const generators: readonly Snippet[] = [
  {
    id: 'cyclonedx-npm',
    step: 'other',
    title: 'npm',
    note: 'From package-lock.json, without installing anything.',
    text: 'npx --yes @cyclonedx/cyclonedx-npm@6 --package-lock-only --spec-version 1.6 --output-file bom.json\n',
  },
  {
    id: 'npm-sbom',
    step: 'other',
    title: 'npm, by itself',
    text: 'npm sbom --package-lock-only --sbom-format cyclonedx >bom.json\n',
  },
  {
    id: 'cyclonedx-maven',
    step: 'other',
    title: 'Maven',
    note: 'It writes target/bom.json.',
    text: 'mvn org.cyclonedx:cyclonedx-maven-plugin:makeAggregateBom -DoutputFormat=json -DschemaVersion=1.6\n',
  },
  {
    id: 'syft',
    step: 'other',
    title: 'Images and folders, with Syft',
    text: 'syft scan registry.example.com/app:1.0 -o cyclonedx-json@1.6=bom.json\n',
  },
  {
    id: 'list',
    step: 'other',
    title: 'What no tool finds, as a list',
    note: 'A component or a package URL a line; scan takes the file like any other.',
    file: 'versions.txt',
    text: 'svc=2025.1 # the server\npkg:docker/example/agent@1.0\n',
  },
];

/** The step for each of the usual CI systems. */
export function pipelineSnippets(site: SiteContext): Snippet[] {
  const scan = scanCommand(site);
  const commands = [generators[0]!.text.trim(), scan];
  const snippet = (about: Omit<Snippet, 'step'>): Snippet => ({ ...about, step: 'other' });
  return [
    snippet({
      id: 'github-actions',
      title: 'GitHub Actions',
      note: 'What fails is annotated, and stands in the summary of the job.',
      file: '.github/workflows/releases-in-use.yml',
      text: githubWorkflow(site, commands),
    }),
    snippet({
      id: 'code-scanning',
      title: 'GitHub code scanning',
      note: 'The same as alerts of the repository, by SARIF.',
      file: '.github/workflows/releases-in-use.yml',
      text: githubWorkflow(site, [commands[0]!, `${scan} --sarif >scan.sarif`], true),
    }),
    snippet({
      id: 'gitlab',
      title: 'GitLab CI',
      file: '.gitlab-ci.yml',
      text: `releases-in-use:\n  image: node:24\n  script:\n${list(commands, 4)}`,
    }),
    snippet({
      id: 'jenkins',
      title: 'Jenkins',
      file: 'Jenkinsfile',
      text: `pipeline {
  agent { docker { image 'node:24' } }
  stages {
    stage('Releases in use') {
      steps {
${commands.map((command) => `        sh '${command}'\n`).join('')}      }
    }
  }
}
`,
    }),
    snippet({
      id: 'azure',
      title: 'Azure Pipelines',
      file: 'azure-pipelines.yml',
      text: `pool:\n  vmImage: ubuntu-latest\nsteps:\n  - task: UseNode@1\n    inputs:\n      version: 24.x\n${list(commands, 2, 'script: ')}`,
    }),
    snippet({
      id: 'circleci',
      title: 'CircleCI',
      file: '.circleci/config.yml',
      text: `version: 2.1
jobs:
  releases-in-use:
    docker:
      - image: cimg/node:lts
    steps:
      - checkout
${list(commands, 6, 'run: ')}workflows:
  releases-in-use:
    jobs:
      - releases-in-use
`,
    }),
    snippet({
      id: 'bitbucket',
      title: 'Bitbucket Pipelines',
      file: 'bitbucket-pipelines.yml',
      text: `image: node:24\npipelines:\n  default:\n    - step:\n        name: Releases in use\n        script:\n${list(commands, 10)}`,
    }),
    snippet({
      id: 'tekton',
      title: 'Tekton',
      note: 'The script is that of any shell with Node.',
      text: `apiVersion: tekton.dev/v1
kind: Task
metadata:
  name: releases-in-use
spec:
  workspaces:
    - name: source
  steps:
    - name: scan
      image: node:24
      workingDir: $(workspaces.source.path)
      script: |
        #!/bin/sh
        set -eu
${commands.map((command) => `        ${command}\n`).join('')}`,
    }),
  ];
}

export function scanCommand(site: SiteContext): string {
  return reading(site, `npx --yes ${scanProgram} scan bom.json --index ${site.baseUrl}`);
}

/** For a machine with curl and jq alone: a request for each package URL of a CycloneDX document. */
export function curlScript(site: SiteContext): string {
  return `set -eu
jq -r '[.components[]?.purl // empty] | unique[]
  | capture("^pkg:(?<type>[^/]+)/((?<namespace>[^?#]+)/)?(?<name>[^/?#@]+)@(?<version>[^/?#@]+)")
  | [.type, (.namespace // empty | gsub("/"; "%2F")), .name, .version] | join("/")' bom.json |
  while read -r package; do
    ${curl(site)} -fsS -X POST -H 'Accept: application/x-ndjson' "${site.baseUrl}/packages/$package/policy-scans/supported" || exit 1
  done >scans.ndjson
jq -r 'select(.status == "unsatisfied") | "\\(.details.component) \\(.details.version): \\(.details.reason) \\(.policyRemediation)"' scans.ndjson
jq -es 'all(.[]; .status != "unsatisfied")' scans.ndjson >/dev/null
`;
}

/** For one thing. */
export function curlCommand(site: SiteContext, component: string, version: string): string {
  const address = `${site.baseUrl}/packages/generic/${component}/${encodeURIComponent(version)}/policy-scans/supported`;
  return `${curl(site)} -fsS -X POST '${address}' |\n  jq -e '.[0].status != "unsatisfied"'\n`;
}

function githubWorkflow(site: SiteContext, commands: readonly string[], isUploaded = false): string {
  const key = '    env:\n      RELEASE_INDEX_KEY: ${{ secrets.RELEASE_INDEX_KEY }}\n';
  const upload = `      - uses: github/codeql-action/upload-sarif@v4
        if: always()
        with:
          sarif_file: scan.sarif
`;
  return `name: Releases in use
on:
  pull_request:
  schedule:
    - cron: '17 5 * * *'
permissions:
  contents: read
${isUploaded ? '  security-events: write\n' : ''}jobs:
  scan:
    runs-on: ubuntu-latest
${isClosed(site) ? key : ''}    steps:
      - uses: actions/checkout@v7
      - uses: actions/setup-node@v7
        with:
          node-version: 24
${list(commands, 6, 'run: ')}${isUploaded ? upload : ''}`;
}

function list(commands: readonly string[], indent: number, key = ''): string {
  return commands.map((command) => `${' '.repeat(indent)}- ${key}${command}\n`).join('');
}
