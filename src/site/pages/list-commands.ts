/**
 * Lists a command for each tool, which prints a list that `scan` can read.
 *
 * A package may have the name of a product, but be something else: `redis 5.0.1` of PyPI is a client, not the server. So the commands print
 * package URLs (`pkg:pypi/redis@5.0.1`) if the tool lists packages.
 */
interface ToolCommand {
  readonly tool: string;
  readonly command: string;
  readonly note?: string;
}

const notRun = 'untested';
/** Turns `name==1.2` into a package URL. */
const readFrozen = String.raw`sed 's|\(.*\)==|pkg:pypi/\1@|'`;
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
    command: String.raw`pnpm ls -r --depth Infinity --parseable --long | sed -n 's|.*:\([^:]*@[0-9][^:]*\)$|pkg:npm/\1|p'`,
  },
  { tool: 'Yarn 2 or later', command: 'yarn dlx -q @cyclonedx/yarn-plugin-cyclonedx' },
  {
    tool: 'Yarn 1',
    command: String.raw`yarn list --silent | grep -o '[^ ]*@[0-9]*\.[0-9]*\.[0-9][^ ]*$' | sed 's|^|pkg:npm/|'`,
  },
  {
    tool: 'Bun',
    command: "bun pm ls --all | grep -o '[^ ]*@[0-9].*' | sed 's|^|pkg:npm/|'",
  },
  { tool: 'pip', command: `pip list --format freeze | ${readFrozen}` },
  { tool: 'uv', command: `uv pip list --format freeze | ${readFrozen}`, note: notRun },
  {
    tool: 'Poetry',
    command: `poetry show --no-ansi | sed 's/ (!)//' | awk '{print "pkg:pypi/" $1 "@" $2}'`,
  },
  {
    // The build of a Python package begins with `py`. Other packages are the products themselves, such as python and openssl.
    tool: 'conda',
    command: String.raw`conda list --json | jq -r '.[]|if .channel=="pypi" or (.build_string|startswith("py")) then "pkg:pypi/\(.name)@\(.version)" else "\(.name) \(.version)" end'`,
    note: notRun,
  },
  {
    tool: 'Go',
    command:
      "go list -m -f '{{with or .Replace .}}{{if .Version}}pkg:golang/{{.Path}}@{{.Version}}{{end}}{{end}}' all",
  },
  {
    tool: 'Cargo',
    command: String.raw`cargo metadata --format-version 1 | jq -r '.packages[]|select(.source)|"pkg:cargo/\(.name)@\(.version)"'`,
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
    command: String.raw`dotnet list package --include-transitive --format json | jq -r '.projects[].frameworks[]?|(.topLevelPackages,.transitivePackages)[]?|"pkg:nuget/\(.id)@\(.resolvedVersion)"'`,
    note: notRun,
  },
  {
    tool: 'Bundler',
    command: `bundle exec ruby -e 'Gem.loaded_specs.each_value{|s|puts "pkg:gem/#{s.name}@#{s.version}"}'`,
  },
  {
    tool: 'Composer',
    command: String.raw`composer show --format=json | jq -r '.installed[]|"pkg:composer/\(.name)@\(.version)"'`,
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
    command: String.raw`helm list -A -o json | jq -r '.[]|"\(.chart|sub("-v?[0-9]+[.].*";"")) \(.app_version)"'`,
    note: `prints the version of the application that a chart installs, not the version of the chart; ${notRun}`,
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
