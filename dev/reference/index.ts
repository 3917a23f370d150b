import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Analyzer } from "@pulumi/pulumi/provider/experimental/analyzer";
import { generateSchema } from "@pulumi/pulumi/provider/experimental/schema";
import { programs } from "../../cluster/flags/check";
import type { FlagRule } from "../../cluster/flags/rule";
import { flagRules } from "../../cluster/flags/rules";
import { PROJECT_DIR } from "../../local/pulumi";
import { commandsReference } from "./commands";
import { configurationReference } from "./configuration";
import { flagTable } from "./flag-table";
import { markdownTable } from "./markdown-table";
import { rightsReference } from "./rights";

/** What `components` may do to flags, as Markdown. */
function flagsReference(): string {
    const sections = Object.entries(programs).map(([component, program]) => {
        const rows = Object.entries(flagRules[program]).map(([flag, rule]) => [`\`${flag}\``, ...described(rule)]);
        const sorted = rows.sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
        return `## \`components.${component}\`\n\n${markdownTable(["Flag", "Rule", "Reason", "Use instead"], sorted)}\n`;
    });
    return [INTRODUCTION, ...sections].join("\n");
}

function described(rule: FlagRule): string[] {
    const words = { owned: "refused", checked: "checked", merged: "added", free: "yours" };
    const instead = rule.kind === "owned" ? (rule.instead ?? "no option") : "";
    return [words[rule.kind], rule.why, instead];
}

const INTRODUCTION = `# Reference of flags

What [\`components\`](reference.md#on-every-cloud) may do to the flags of each program. Made by \`npm run reference\` from the rules that a preview uses: not to be edited.
A flag that is not listed is yours, if the program has it ([flags](upgrades.md#flags)). \`*\` stands for any letters.

${markdownTable(
    ["Rule", "Meaning"],
    [
        [
            "refused",
            "Tradewind sets it or depends on its default: it carries identity, CAs, keys, etcd, authentication or authorization",
        ],
        ["checked", "yours, except for values that would remove a protection or contradict other options"],
        ["added", "a list: your entries are added to those of Tradewind"],
        ["yours", "Tradewind sets it, and your value replaces that"],
    ],
)}

A preview refuses such flags and values, and nothing overrides it. If a cluster already has one, take it out of the configuration
(\`pulumi config rm --path tradewind:components.kubeApiserver.anonymous-auth\`) and preview what changes. Without its
\`service-account-issuer\` a cluster no longer accepts the tokens that its pods have: the kubelets replace them within an hour, or restart the pods.
kube-proxy has no flags of yours: [\`kubeProxyMode\`](reference.md#on-every-cloud) is its option.
`;

const COMPONENTS = ["AwsCluster", "DigitalOceanCluster"];

/** What other languages are told of the components, as Pulumi's own analyzer reads it from `plugin/index.ts`. The version is that of the package. */
function pluginSchema(): string {
    const { name, version, description } = JSON.parse(readFileSync(join(PROJECT_DIR, "package.json"), "utf8"));
    const analyzer = new Analyzer(join(PROJECT_DIR, "plugin"), name, { main: "index.ts" }, new Set(COMPONENTS));
    const { components, typeDefinitions, dependencies } = analyzer.analyze();
    const schema = generateSchema(name, version, description, components, typeDefinitions, dependencies);
    return `${JSON.stringify({ ...schema, version: undefined }, undefined, 4)}\n`;
}

/** Pages, and the schema for other languages, that are made of the code, by their paths. */
export const REFERENCES: Readonly<Record<string, () => string>> = {
    "docs/reference.md": configurationReference,
    "docs/commands.md": commandsReference,
    "docs/rights.md": rightsReference,
    "docs/flags.md": flagsReference,
    "plugin/schema.json": pluginSchema,
};

/** What programs of the cache say of their flags, which a package has to know without them. */
export const FLAG_TABLE = "cluster/flags/known-flags.json";

/** `npm run reference`: writes them. */
export async function main(): Promise<number> {
    const flags = flagTable();
    if (flags !== undefined) writeFileSync(join(PROJECT_DIR, FLAG_TABLE), flags);
    console.log(
        flags
            ? FLAG_TABLE
            : `${FLAG_TABLE} stays: the cache lacks versions, which npm run artifacts -- fill has it get`,
    );
    for (const [path, text] of Object.entries(REFERENCES)) {
        writeFileSync(join(PROJECT_DIR, path), text());
        console.log(path);
    }
    return 0;
}
