/** Commands that print a readable list, by tool. Pages run this file, so it imports neither zod nor Node. */
export const toolCommands: readonly (readonly [tool: string, command: string])[] = [
  ['npm', 'npm sbom --sbom-format cyclonedx'],
  ['pnpm 11', 'pnpm sbom --sbom-format cyclonedx'],
  [
    'pnpm before 11',
    String.raw`pnpm ls -r --depth Infinity --parseable --long | sed -n 's/.*:\([^:]*@[0-9][^:]*\)$/\1/p'`,
  ],
  ['Yarn', 'yarn dlx -q @cyclonedx/yarn-plugin-cyclonedx'],
  ['Yarn 1', String.raw`yarn list --silent | grep -o '[^ ]*@[0-9]*\.[0-9]*\.[0-9][^ ]*$'`],
  ['Bun', "bun pm ls --all | grep -o '[^ ]*@[0-9].*'"],
  ['pip', 'pip list --format freeze'],
  ['uv', 'uv pip list --format freeze'],
  ['Poetry', "poetry show --no-ansi | sed 's/ (!)//' | awk '{print $1,$2}'"],
  [
    'Go',
    "go list -m -f '{{with or .Replace .}}{{if .Version}}{{.Path}} {{.Version}}{{end}}{{end}}' all",
  ],
  [
    'Cargo',
    String.raw`cargo metadata --format-version 1 | jq -r '.packages[]|"\(.name) \(.version)"'`,
  ],
  ['Maven', 'mvn org.cyclonedx:cyclonedx-maven-plugin:makeAggregateBom'],
  ['Gradle', 'gradle cyclonedxBom'],
  [
    'Bundler',
    `bundle exec ruby -e 'Gem.loaded_specs.each_value{|s|puts "#{s.name} #{s.version}"}'`,
  ],
  ['Docker', "docker ps --format '{{.Image}}'"],
  ['Docker Compose', 'docker compose config --images'],
  ['Podman', "podman ps --format '{{.Image}}'"],
  [
    'kubectl',
    String.raw`kubectl get pods -A -o go-template='{{range .items}}{{range .spec.containers}}{{.image}}{{"\n"}}{{end}}{{end}}'`,
  ],
  ['Helm', String.raw`helm list -A -o json | jq -r '.[].chart|sub("-(?<v>v?[0-9]+\\.)";" \(.v)")'`],
  ['Debian, Ubuntu', "dpkg-query -W -f '${Package} ${Version}\\n'"],
  ['RPM', String.raw`rpm -qa --qf '%{NAME} %{VERSION}\n' | grep -v ^gpg-pubkey`],
  ['Alpine', String.raw`apk info -v | sed 's/-\([0-9][^-]*-r[0-9]*\)$/ \1/'`],
  ['Homebrew', `brew list --versions | awk '{sub(/@.*/,"",$1);for(i=2;i<=NF;i++)print $1,$i}'`],
  ['Any other', 'syft . -o cyclonedx-json'],
];
