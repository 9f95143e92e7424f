// Makes a clone ready to run: packages, the built web, a browser for the tests. It is called before `npm start` and
// `npm test`, so it may use nothing that has to be installed, and runs on whatever Node the machine has.
//
//   node scripts/setup.mjs [--web] [--browser] [--production]
//
// --production: for commands that need no build tools, and leave an installation without them as it is.
//
// This first file keeps to syntax that old versions of Node can read, so that they too get a sentence.
const version = Number(process.versions.node.split('.')[0])

if (version < 18) {
  console.error(
    `Postrider needs Node 18 or newer to set itself up, and this is Node ${process.versions.node}. Install a newer one from https://nodejs.org and run the command again.`,
  )
  process.exit(1)
} else {
  import('./setup/main.mjs').then(({ main }) => main(process.argv.slice(2)))
}
