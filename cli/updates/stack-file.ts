import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isScalar, parse, parseDocument } from "yaml";
import { type Architecture, architectures } from "../../cluster/downloads";
import { type UpdateChannel, updateChannels } from "../../cluster/upgrades/update-channel";
import { UsageError } from "../../command-line/parse";

const VERSION = ["config", "tradewind:kubernetesVersion"];
const CHANNEL = ["config", "tradewind:updateChannel"];
/** Where a cloud's machines get their kubelet from, by architecture: its hash belongs to one version. */
const KUBELETS = {
    amd64: ["config", "tradewind:downloads", "kubelet"],
    arm64: ["config", "tradewind:downloads", "arm64", "kubelet"],
} as const satisfies Record<Architecture, readonly string[]>;

/** What a stack's configuration says of its version. */
export interface StackFile {
    readonly path: string;
    readonly text: string;
    /** @default - the stack has what the package has */
    readonly version?: string;
    readonly channel: UpdateChannel;
    /** Architectures for which it names a kubelet of its version. */
    readonly ownKubelets: readonly Architecture[];
    /** Those of them whose kubelets come from URLs of its own, which may name a version. */
    readonly ownUrls: readonly Architecture[];
}

/** Reads a `Pulumi.<stack>.yaml`; an error if it is none. */
export function readStackFile(path: string): StackFile {
    const text = read(path);
    const document = parseDocument(text);
    const [error] = document.errors;
    if (error) {
        throw new UsageError(`${path} must be YAML: ${error.message.split("\n")[0]}`);
    }
    const channel = document.getIn(CHANNEL) ?? "none";
    if (!updateChannels.includes(channel as UpdateChannel)) {
        throw new UsageError(`${path}: updateChannel must be ${updateChannels.join(", ")}, got ${channel}`);
    }
    const version = document.getIn(VERSION);
    return {
        path,
        text,
        ...(version !== undefined && { version: String(version) }),
        channel: channel as UpdateChannel,
        ownKubelets: architectures.filter((each) => document.hasIn(KUBELETS[each])),
        ownUrls: architectures.filter((each) => document.hasIn([...KUBELETS[each], "urls"])),
    };
}

/** SHA-256 of a version's kubelets. */
export type Checksums = Readonly<Partial<Record<Architecture, string>>>;

/** The same text with another version and its kubelets' hashes, and nothing else changed: a reviewer sees those lines. */
export function withVersion(
    { path, text, ownKubelets }: StackFile,
    version: string,
    checksums: Checksums = {},
): string {
    const document = parseDocument(text);
    const changes = [
        { at: VERSION, to: version },
        ...ownKubelets.flatMap((each) => {
            const sha256 = checksums[each];
            return sha256 === undefined ? [] : [{ at: [...KUBELETS[each], "sha256"], to: sha256 }];
        }),
    ].map(({ at, to }) => {
        const node = document.getIn(at, true);
        if (!isScalar(node) || !node.range) {
            throw new UsageError(`${path}: ${at.slice(1).join(".")} must be in the file to be changed`);
        }
        return { from: String(node.value), to, start: node.range[0], end: node.range[1] };
    });
    // From the end, so that what is before stays where it was.
    return changes
        .sort((one, other) => other.start - one.start)
        .reduce(
            (all, { from, to, start, end }) =>
                all.slice(0, start) + all.slice(start, end).replace(from, to) + all.slice(end),
            text,
        );
}

/** Writes it whole or not at all, with the rights that it had. */
export function writeStackFile(path: string, text: string): void {
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, text, { mode: statSync(path).mode });
    renameSync(temporary, path);
}

function read(path: string): string {
    try {
        return readFileSync(path, "utf8");
    } catch (error) {
        throw new UsageError(`FILE must be a stack's configuration, got ${path}: ${(error as Error).message}`);
    }
}

/** The stacks' configuration files of the Pulumi project in a folder; an error if there is none. */
export function stackFilesIn(folder: string): string[] {
    const project = join(folder, "Pulumi.yaml");
    if (!existsSync(project)) {
        throw new UsageError("FILE must be given, or a Pulumi.yaml be in this folder; see tradewind updates --help");
    }
    const { stackConfigDir = "." } = parse(readFileSync(project, "utf8")) ?? {};
    const where = join(folder, stackConfigDir);
    return readdirSync(where)
        .filter((name) => /^Pulumi\..+\.yaml$/.test(name))
        .sort()
        .map((name) => join(where, name));
}
