/** Lists a command for each tool, which prints a list that `scan` can read. Pages run this file, so it imports neither zod nor Node. */
interface ToolCommand {
  readonly tool: string;
  readonly command: string;
  readonly note?: string;
}

const notRun = 'untested';
const untagged = 'an image that was started without a tag is not read';

/**
 * Each command was run in a project of more than 50 packages or images, and its list was read completely. Only commands with the note
 * `untested` were not run.
 */
export const toolCommands: readonly ToolCommand[] = [
  { tool: 'npm', command: 'npm sbom --sbom-format cyclonedx' },
  { tool: 'pnpm 11 or later', command: 'pnpm sbom --sbom-format cyclonedx' },
  {
    tool: 'pnpm before 11',
    command: String.raw`pnpm ls -r --depth Infinity --parseable --long | sed -n 's/.*:\([^:]*@[0-9][^:]*\)$/\1/p'`,
  },
  { tool: 'Yarn 2 or later', command: 'yarn dlx -q @cyclonedx/yarn-plugin-cyclonedx' },
  {
    tool: 'Yarn 1',
    command: String.raw`yarn list --silent | grep -o '[^ ]*@[0-9]*\.[0-9]*\.[0-9][^ ]*$'`,
  },
  { tool: 'Bun', command: "bun pm ls --all | grep -o '[^ ]*@[0-9].*'" },
  { tool: 'pip', command: 'pip list --format freeze' },
  { tool: 'uv', command: 'uv pip list --format freeze', note: notRun },
  {
    tool: 'Poetry',
    command: "poetry show --no-ansi | sed 's/ (!)//' | awk '{print $1,$2}'",
  },
  {
    tool: 'conda',
    command: String.raw`conda list --json | jq -r '.[]|"\(.name) \(.version)"'`,
    note: notRun,
  },
  {
    tool: 'Go',
    command:
      "go list -m -f '{{with or .Replace .}}{{if .Version}}{{.Path}} {{.Version}}{{end}}{{end}}' all",
  },
  {
    tool: 'Cargo',
    command: String.raw`cargo metadata --format-version 1 | jq -r '.packages[]|select(.source)|"\(.name) \(.version)"'`,
  },
  {
    tool: 'Maven',
    command: 'mvn org.cyclonedx:cyclonedx-maven-plugin:makeAggregateBom',
    note: `writes target/bom.json; ${notRun}`,
  },
  {
    tool: 'Gradle',
    command: 'gradle cyclonedxBom',
    note: `needs the plugin org.cyclonedx.bom; ${notRun}`,
  },
  {
    tool: '.NET',
    command: String.raw`dotnet list package --include-transitive --format json | jq -r '.projects[].frameworks[]?|(.topLevelPackages,.transitivePackages)[]?|"\(.id) \(.resolvedVersion)"'`,
    note: notRun,
  },
  {
    tool: 'Bundler',
    command: `bundle exec ruby -e 'Gem.loaded_specs.each_value{|s|puts "#{s.name} #{s.version}"}'`,
  },
  {
    tool: 'Composer',
    command: String.raw`composer show --format=json | jq -r '.installed[]|"\(.name) \(.version)"'`,
  },
  { tool: 'Docker', command: "docker ps --format '{{.Image}}'", note: untagged },
  {
    tool: 'Docker Compose',
    command: 'docker compose config --images',
    note: `${untagged}; ${notRun}`,
  },
  { tool: 'Podman', command: "podman ps --format '{{.Image}}'", note: untagged },
  {
    tool: 'kubectl',
    command: String.raw`kubectl get pods -A -o go-template='{{range .items}}{{range .spec.containers}}{{.image}}{{"\n"}}{{end}}{{end}}'`,
    note: untagged,
  },
  {
    tool: 'Helm',
    command: String.raw`helm list -A -o json | jq -r '.[].chart|sub("-(?<v>v?[0-9]+\\.)";" \(.v)")'`,
    note: `charts, not what they install; ${notRun}`,
  },
  {
    tool: 'Debian, Ubuntu',
    command:
      'dpkg-query -W -f "pkg:deb/$(. /etc/os-release; echo $ID)/\\${Package}@\\${Version}\\n"',
  },
  {
    tool: 'RPM',
    command: String.raw`rpm -qa --qf "pkg:rpm/$(. /etc/os-release; echo $ID | sed s/rhel/redhat/)/%{NAME}@%{VERSION}\n" | grep -v /gpg-pubkey@`,
    note: notRun,
  },
  {
    tool: 'Alpine',
    command: String.raw`apk info -v | sed 's/-\([0-9][^-]*-r[0-9]*\)$/@\1/; s|^|pkg:apk/alpine/|'`,
    note: notRun,
  },
  {
    tool: 'Homebrew',
    command: 'brew list --versions | awk \'{sub(/@.*/,"",$1);for(i=2;i<=NF;i++)print $1,$i}\'',
    note: notRun,
  },
  {
    tool: 'Any other, a folder or an image',
    command: 'syft . -o cyclonedx-json',
    note: notRun,
  },
];
