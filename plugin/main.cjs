// Pulumi's entry into this package as a plugin for programs in other languages: PulumiPlugin.yaml.
const { existsSync } = require("node:fs");
const { join } = require("node:path");

// The npm package has JavaScript; a checkout's TypeScript is transpiled as it is loaded.
if (!existsSync(join(__dirname, "provider.js"))) require("tsx/cjs");

const { ComponentProvider } = require("./provider");

module.exports = require("@pulumi/pulumi/provider").main(new ComponentProvider(), process.argv.slice(2));
