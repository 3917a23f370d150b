import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { awsConfig, digitalOceanConfig, localConfig } from "../../stacks/config";
import { PROJECT_DIR } from "../pulumi-env";
import { type Comment, interfacesOf } from "./comments";
import { markdownTable } from "./markdown-table";
import { commentOn } from "./option-comments";
import { type Schema, schemaRows } from "./schema-rows";

/** Where the options' types are. */
const SOURCES = [
    "cluster/options",
    "cluster/ingress",
    "addons/autoscaler-options",
    "local/cluster",
    "aws/options",
    "aws/cluster",
    "digitalocean/options",
    "digitalocean/cluster",
    "digitalocean/tokens",
];

const CLOUDS = [
    { heading: "Of the `local` cloud", schema: localConfig, options: "LocalClusterArgs" },
    { heading: "Of `aws`", schema: awsConfig, options: "AwsClusterArgs" },
    { heading: "Of `digitalocean`", schema: digitalOceanConfig, options: "DigitalOceanClusterArgs" },
];

const HEAD = ["Key", "Type", "Default", "Meaning"];

/** The reference of stacks' configuration, as Markdown. */
export function configurationReference(): string {
    const interfaces = interfacesOf(
        SOURCES.map((path) => readFileSync(join(PROJECT_DIR, "components", `${path}.ts`), "utf8")),
    );
    const tables = CLOUDS.map(({ schema, options }) =>
        schemaRows(z.toJSONSchema(schema, { io: "input" }) as Schema).map((row) => {
            const comment = commentOn(row, options, interfaces);
            const usual = row.schema.default === undefined ? comment.default : `\`${row.schema.default}\``;
            return [`\`${row.key}\``, row.type, row.isRequired ? "required" : (usual ?? "none"), meaning(comment)];
        }),
    );
    const isIn = (row: readonly string[], table: readonly (readonly string[])[]) =>
        table.some((each) => each.join("|") === row.join("|"));
    const same = tables[0]!.filter((row) => tables.every((table) => isIn(row, table)));
    // What is of no use without another is where that is.
    const shared = same.filter(([key]) => same.some(([top]) => top === `\`${topOf(key!)}\``));
    const sections = CLOUDS.map(({ heading }, index) => {
        const own = tables[index]!.filter((row) => !isIn(row, shared));
        return `## ${heading}\n\n${markdownTable(HEAD, own)}\n`;
    });
    return [INTRODUCTION, `## On every cloud\n\n${markdownTable(HEAD, shared)}\n`, ...sections].join("\n");
}

/** `downloads` of `downloads.cniPlugins.urls`, and `pools` of `pools[].count`. */
function topOf(key: string): string {
    return /^`(\w+)/.exec(key)![1]!;
}

function meaning({ text, see }: Comment): string {
    const links = see.map((target) => {
        const page = target.replace(/^docs\//, "");
        return `[${page.replace(/\.md.*/, "")}](${page})`;
    });
    return links.length > 0 ? `${text} More: ${links.join(", ")}.` : text;
}

const INTRODUCTION = `# Reference of the configuration

Every key \`tradewind:<key>\` of a stack's \`Pulumi.<stack>.yaml\`: [how to set them, and an example](configuration.md). Made by
\`npm run reference\` from the schemas in \`stacks/config.ts\` and from the comments of the options' types: not to be edited.

\`pools[].count\` is the \`count\` of each item of the list \`pools\`. Options of [the components](package.md) are the same, but that
\`pools\` are \`workerPools\`, \`machineSubnet\` is \`machineCidr\`, keys of networks are in \`network\`, what is secret of
\`etcdSnapshots.s3\` in \`etcdSnapshotSecrets\`, and \`downloads\` are given whole.
`;
