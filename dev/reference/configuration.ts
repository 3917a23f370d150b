import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { z } from "zod";
import { PROJECT_DIR } from "../../local/pulumi";
import { awsConfig, digitalOceanConfig, localConfig } from "../../stacks/config";
import { markdownTable } from "./markdown-table";
import { type Row, type Schema, schemaRows } from "./schema-rows";

/** Where the options' types are. */
const SOURCES = [
    "cluster/options",
    "cluster/network/ingress",
    "cluster/manifests/addons/cluster-autoscaler",
    "components/local/cluster",
    "components/aws/options",
    "components/aws/cluster",
    "components/digitalocean/options",
    "components/digitalocean/cluster",
    "components/digitalocean/in-cluster",
];

const CLOUDS = [
    { heading: "Of the `local` cloud", schema: localConfig, options: "LocalClusterArgs" },
    { heading: "Of `aws`", schema: awsConfig, options: "AwsClusterArgs" },
    { heading: "Of `digitalocean`", schema: digitalOceanConfig, options: "DigitalOceanClusterArgs" },
];

const HEAD = ["Key", "Type", "Default", "Meaning"];

/** The reference of stacks' configuration, as Markdown. */
export function configurationReference(): string {
    const interfaces = interfacesOf(SOURCES.map((path) => readFileSync(join(PROJECT_DIR, `${path}.ts`), "utf8")));
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

/** What a comment says of an option. */
interface Comment {
    /** In one line. */
    readonly text: string;
    /** As after `@default`: values as code, words as they are. */
    readonly default?: string;
    /** Pages that tell more, as after `@see`: `docs/etcd.md#space`. */
    readonly see: readonly string[];
}

/** An interface of options. */
interface Commented {
    readonly comment: Comment;
    /** Interfaces that it has more options from. */
    readonly bases: readonly string[];
    readonly members: Readonly<Record<string, Member>>;
}

interface Member {
    readonly comment: Comment;
    /** Interfaces that its type names, from outside to inside. */
    readonly types: readonly string[];
}

/** The interfaces of source files, by their names. */
export function interfacesOf(texts: readonly string[]): Record<string, Commented> {
    const sources = texts.map((text) => ts.createSourceFile("options.ts", text, ts.ScriptTarget.Latest, true));
    return Object.fromEntries(
        sources.flatMap((source) =>
            source.statements.filter(ts.isInterfaceDeclaration).map((node) => [node.name.text, commented(node)]),
        ),
    );
}

function commented(node: ts.InterfaceDeclaration): Commented {
    const members = node.members
        .filter(ts.isPropertySignature)
        .map((member) => [member.name.getText(), { comment: commentOf(member), types: typesIn(member.type) }]);
    const bases = (node.heritageClauses ?? []).flatMap(({ types }) => types.flatMap(typesIn));
    return { comment: commentOf(node), bases, members: Object.fromEntries(members) };
}

/** Names of types, within `Omit<…>`, `Partial<…>` and lists too. */
function typesIn(node: ts.Node | undefined): string[] {
    if (node === undefined) return [];
    const own = ts.isTypeReferenceNode(node)
        ? [node.typeName.getText()]
        : ts.isExpressionWithTypeArguments(node)
          ? [node.expression.getText()]
          : [];
    const inner: string[] = [];
    ts.forEachChild(node, (child) => {
        inner.push(...typesIn(child));
    });
    return [...own, ...inner];
}

function commentOf(node: ts.Node): Comment {
    const comment = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1);
    return readComment(comment ? comment.getText().replace(/^\/\*\*|\*\/$/g, "") : "");
}

/** Reads a comment's text, tags and all, with or without the stars at the beginnings of its lines. */
export function readComment(text: string): Comment {
    const plain = text
        .replaceAll(/^\s*\* ?/gm, "")
        .replaceAll(/\s+/g, " ")
        .trim();
    const [said = "", ...tags] = plain.split(/(?:^| )@(?=(?:default|see)\b)/);
    const values = (name: string) =>
        tags.filter((tag) => tag.startsWith(`${name} `)).map((tag) => tag.slice(name.length).trim());
    const [value] = values("default").map(usual);
    return { text: said.trim(), ...(value !== undefined && { default: value }), see: values("see") };
}

/** A value is JSON, but words are not. */
function usual(text: string): string {
    try {
        const value = JSON.parse(text);
        if (typeof value === "object" && Object.keys(value).length === 0) return "none";
        return `\`${typeof value === "string" ? value : text}\``;
    } catch {
        return text.replace(/^- /, "");
    }
}

/** Keys that a stack's configuration has elsewhere than the options that they become. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
    [/^pools\b/, "workerPools"],
    [/^machineSubnet$/, "machineCidr"],
    [/^(podCidr6?|serviceCidr6?|clusterDomain|kubeProxyMode|keepsConntrackLimits)$/, "network.$1"],
    [/^etcdSnapshots\.s3\.(accessKeyId|secretAccessKey|encryptionKey)$/, "etcdSnapshotSecrets.$1"],
];

/**
 * What is said of a key: by the schema itself, if it is the stack's alone, else by the comment of the option.
 *
 * @param root - the interface of the cluster's options
 * @throws when nobody says anything
 */
export function commentOn(row: Row, root: string, interfaces: Readonly<Record<string, Commented>>): Comment {
    if (row.schema.description !== undefined) return readComment(row.schema.description);
    const path = ELSEWHERE.reduce((key, [from, to]) => key.replace(from, to), row.key);
    const found = find(path.replaceAll("[]", "").split("."), [root], interfaces);
    if (found === undefined || found.text === "") {
        throw new Error(`${row.key} must be described by a comment of ${root} or by its schema, got nothing`);
    }
    return found;
}

function find(
    [name, ...rest]: readonly string[],
    among: readonly string[],
    interfaces: Readonly<Record<string, Commented>>,
): Comment | undefined {
    for (const { members, bases } of among.map((each) => interfaces[each]).filter((each) => each !== undefined)) {
        const member = members[name!];
        if (member && rest.length > 0) return find(rest, member.types, interfaces);
        // An object of which its own type says what it is needs no comment beside.
        if (member) return member.comment.text ? member.comment : interfaces[member.types[0] ?? ""]?.comment;
        const inherited = find([name!, ...rest], bases, interfaces);
        if (inherited) return inherited;
    }
    return undefined;
}
