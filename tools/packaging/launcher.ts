// The file behind a command of a published package. It uses old JavaScript, because the old Node.js versions that it
// rejects must understand it.

export type Launched = {
  readonly command: string;
  /** The main file, relative to the launcher. */
  readonly main: string;
  /** The oldest Node.js it runs on: "22.12". */
  readonly node: string;
};

export function renderLauncher({ command, main, node }: Launched): string {
  const [major = '0', minor = '0'] = node.split('.');
  return `#!/usr/bin/env node
// Rejects an old Node.js with a message, before loading anything it cannot parse.
var version = process.versions.node.split('.').map(Number);
if (version[0] < ${major} || (version[0] === ${major} && version[1] < ${minor})) {
  console.error(
    '${command} needs Node.js ${node} or newer, and this is ' + process.versions.node + '.\\n' +
      'Install a newer one from https://nodejs.org (24 is a good choice), or try it without installing anything: ' +
      'npx -y -p node@24 node ' + process.argv.slice(1).join(' '),
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
