import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { isScalar, parseDocument } from "yaml";
import { type UpdateChannel, updateChannels } from "../../components/cluster/update-channel";
import { type Architecture, architectures } from "../../components/nodes/published";
import { UsageError } from "../usage-error";

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
    };
}

/** The same text with another version, and nothing else changed: a reviewer sees one line. */
export function withVersion({ text }: StackFile, version: string): string {
    const node = parseDocument(text).getIn(VERSION, true);
    if (!isScalar(node) || !node.range) {
        throw new Error("kubernetesVersion must be in the file to be changed");
    }
    const [start, end] = node.range;
    return text.slice(0, start) + text.slice(start, end).replace(String(node.value), version) + text.slice(end);
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
