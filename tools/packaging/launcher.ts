// The file behind a command of a published package. It is older JavaScript than everything else, because it must be
// understood by the Node.js that it rejects.

export type Launched = {
  readonly command: string;
  /** The file that does the work, from the launcher. */
  readonly main: string;
  /** The oldest Node.js it runs on: "22.12". */
  readonly node: string;
};

export function renderLauncher({ command, main, node }: Launched): string {
  const [major = '0', minor = '0'] = node.split('.');
  return `#!/usr/bin/env node
// Turns an old Node.js away with a sentence, before anything it cannot read is read.
var version = process.versions.node.split('.').map(Number);
if (version[0] < ${major} || (version[0] === ${major} && version[1] < ${minor})) {
  console.error(
    '${command} needs Node.js ${node} or newer, and this is ' + process.versions.node + '.\\n' +
      'Install a newer one from https://nodejs.org (24 is a good choice), or try it without installing anything: ' +
      'npx -y -p node@24 node ' + process.argv[1],
  );
  process.exit(1);
} else {
  import('${main}').catch(function (error) {
    console.error(error);
    process.exit(1);
  });
}
`;
}
