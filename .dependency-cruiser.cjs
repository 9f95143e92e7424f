// The rule of imports, as ARCHITECTURE.md draws it: they point down, never up, never in a circle.
// Each layer may import itself and what stands below it.
const LAYERS = [
  ['main, admin', '^server/((main|admin|rotate-key|verify-counters)\\.ts$|admin/)'],
  ['app', '^server/(app|sending)\\.ts$'],
  ['telegram', '^server/telegram/'],
  [
    'campaigns, suppression, inbox, inbound, tracking, stats',
    '^server/(campaigns|suppression|inbox|inbound|tracking|stats)/',
  ],
  ['delivery', '^server/delivery/'],
  [
    'auth, settings, templates, drafts, instance, live',
    '^server/(auth|settings|templates|drafts|instance|live)/',
  ],
  ['product-mail, local-mailbox', '^server/(product-mail|local-mailbox)/'],
  ['providers, mail-reading, bounces', '^server/(providers|mail-reading|bounces)/'],
  ['config', '^server/config(-values|-doubts)?\\.ts$'],
  ['platform', '^server/(platform|migrations)/'],
  ['contract', '^contract/'],
]
const FEATURE =
  '^server/(telegram|campaigns|suppression|inbox|inbound|tracking|stats|delivery|auth|settings|templates|drafts|instance|live|product-mail|local-mailbox)/'
const TESTS = '(\\.test\\.tsx?$|/testing\\.ts$|^server/test/|^e2e/)'
const SCREEN = '^web/(auth|dashboard|inbox|compose|templates|history|settings|suppressions|not-found)/'

const downward = LAYERS.slice(1).map(([name, path], index) => ({
  name: `${name}: not upwards`,
  comment: `${name} stands below ${LAYERS.slice(0, index + 1)
    .map(([above]) => above)
    .join(', ')}`,
  severity: 'error',
  from: { path, pathNot: TESTS },
  to: {
    path: LAYERS.slice(0, index + 1)
      .map(([, above]) => above)
      .join('|'),
  },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...downward,
    {
      name: 'no circle',
      comment: 'In a circle nothing can be understood alone',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'contract imports only zod',
      severity: 'error',
      from: { path: '^contract/', pathNot: TESTS },
      to: { pathNot: '^(contract/|node_modules/zod/)' },
    },
    {
      name: 'config is handed down, not fetched',
      comment:
        'Only main, app, sending and admin know the whole configuration; a part is given what it needs',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: `^server/(main|app|sending|config(-values|-doubts)?)\\.ts$|^server/admin/|${TESTS}`,
      },
      to: { path: '^server/config' },
    },
    {
      name: "another feature's store stays closed",
      comment: 'Features meet in their services; app.ts hands them over. Operators reach into any of them',
      severity: 'error',
      from: { path: '^server/([^/]+)/', pathNot: `^server/admin/|${TESTS}` },
      to: { path: '^server/[^/]+/store(/|\\.ts$)', pathNot: '^server/$1/' },
    },
    {
      name: 'features meet by type only',
      comment: 'The instance comes from app.ts; what a neighbour needs to build is a value of a pure file',
      severity: 'error',
      from: { path: FEATURE, pathNot: TESTS },
      to: {
        path: `${FEATURE}[^/]*service\\.ts$`,
        pathNot: '^server/$1/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'browser and server meet in the contract',
      severity: 'error',
      from: { path: '^(web|server)/', pathNot: TESTS },
      to: { path: '^(web|server)/', pathNot: '^$1/' },
    },
    {
      name: 'a screen never imports a screen',
      comment: 'Screens meet in web/api',
      severity: 'error',
      from: { path: '^web/([^/]+)/', pathNot: TESTS },
      to: { path: SCREEN, pathNot: '^web/$1/' },
    },
    {
      name: 'web: api, ui, addresses and shell know no screen and no routes',
      severity: 'error',
      from: { path: '^web/(api|ui|addresses|shell)/', pathNot: TESTS },
      to: { path: `${SCREEN}|^web/[^/]+\\.tsx$` },
    },
    {
      name: 'web: ui knows neither api nor shell',
      severity: 'error',
      from: { path: '^web/ui/', pathNot: TESTS },
      to: { path: '^web/(api|addresses|shell)/' },
    },
    {
      name: 'the product does not know its tests',
      severity: 'error',
      from: { path: '^(server|web|contract)/', pathNot: TESTS },
      to: { path: TESTS },
    },
    {
      name: 'the server runs without development packages',
      severity: 'error',
      from: { path: '^(server|contract)/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'], pathNot: '^node_modules/@types/' },
    },
    {
      name: 'every package is declared',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'server/tsconfig.json' },
    exclude: { path: '^web/dist/' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.mjs'] },
  },
}
