import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMap, isScalar, parse, parseDocument } from "yaml";
import type { WeeklyWindow } from "../../agents/nodes/reboot-approver/decide";
import { type Architecture, architectures, knownKubeletChecksum } from "../../cluster/downloads";
import { type UpdateChannel, updateChannels } from "../../cluster/upgrades/update-channel";
import { requireWindows } from "../../cluster/weekly-windows";
import { UsageError } from "../../command-line/parse";
import { readInput } from "../../command-line/read-input";

const VERSION = ["config", "tradewind:kubernetesVersion"];
const CHANNEL = ["config", "tradewind:updateChannel"];
const WINDOWS = "tradewind:updateWindows";
/** Where cloud machines download their kubelet, by architecture; its hash depends on the version. */
const KUBELETS = {
    amd64: ["config", "tradewind:downloads", "kubelet"],
    arm64: ["config", "tradewind:downloads", "arm64", "kubelet"],
} as const satisfies Record<Architecture, readonly string[]>;

/** The parts of a stack's configuration that concern its version. */
export interface StackFile {
    readonly path: string;
    readonly text: string;
    /** @default - the version of the package */
    readonly version?: string;
    readonly channel: UpdateChannel;
    /** When an update may start. @default - at any time */
    readonly windows: readonly WeeklyWindow[];
    /** Architectures for which it configures a kubelet's checksum. */
    readonly ownChecksums: readonly Architecture[];
    /** Those with their own kubelet URLs, which may contain a version. */
    readonly ownUrls: readonly Architecture[];
}

/** Reads a `Pulumi.<stack>.yaml`; throws if it is not valid. */
export function readStackFile(path: string): StackFile {
    const text = readInput("FILE", path).toString("utf8");
    const document = parseDocument(text);
    const [error] = document.errors;
    if (error) {
        throw new UsageError(`${path} is not valid YAML: ${error.message.split("\n")[0]}`);
    }
    // An empty file is a stack without configuration.
    if (document.contents !== null && !isMap(document.contents)) {
        throw new UsageError(`FILE must be a stack's configuration (got ${path}, which is no mapping)`);
    }
    const channel = document.getIn(CHANNEL) ?? "none";
    if (!updateChannels.includes(channel as UpdateChannel)) {
        throw new UsageError(`${path}: updateChannel must be ${updateChannels.join(", ")} (got ${channel})`);
    }
    const version = document.getIn(VERSION);
    return {
        path,
        text,
        ...(version !== undefined && { version: String(version) }),
        channel: channel as UpdateChannel,
        windows: windowsOf(path, (document.toJS() as Config | null)?.config?.[WINDOWS]),
        ownChecksums: architectures.filter((each) => document.hasIn([...KUBELETS[each], "sha256"])),
        ownUrls: architectures.filter((each) => document.hasIn([...KUBELETS[each], "urls"])),
    };
}

type Config = { readonly config?: { readonly [WINDOWS]?: unknown } };

function windowsOf(path: string, value: unknown = []): readonly WeeklyWindow[] {
    // `pulumi config set` stores a list as JSON.
    const texts: unknown = typeof value === "string" ? parse(value) : value;
    if (!Array.isArray(texts)) throw new UsageError(`${path}: updateWindows must be a list (got ${texts})`);
    try {
        return requireWindows("updateWindows", texts.map(String));
    } catch (error) {
        throw new UsageError(`${path}: ${(error as Error).message}`);
    }
}

/**
 * Changes the version and those checksums of its kubelets that this release knows, and nothing else, so that a review
 * shows only these lines.
 *
 * @param version - a tested one
 */
export function withVersion({ path, text, ownChecksums }: StackFile, version: string): string {
    const document = parseDocument(text);
    const changes = [
        { at: VERSION, to: version },
        ...ownChecksums.flatMap((each) => {
            const to = knownKubeletChecksum(version, each);
            return to === undefined ? [] : [{ at: [...KUBELETS[each], "sha256"], to }];
        }),
    ].map(({ at, to }) => {
        const node = document.getIn(at, true);
        if (!isScalar(node) || !node.range) {
            throw new UsageError(`${path}: ${at.slice(1).join(".")} is not in the file, so it cannot be changed`);
        }
        return { from: String(node.value), to, start: node.range[0], end: node.range[1] };
    });
    // From the end, so that earlier positions stay valid.
    return changes
        .sort((one, other) => other.start - one.start)
        .reduce(
            (all, { from, to, start, end }) =>
                all.slice(0, start) + all.slice(start, end).replace(from, to) + all.slice(end),
            text,
        );
}

/** The stacks' configuration files of the Pulumi project in a folder; throws if there are none. */
export function stackFilesIn(folder: string): string[] {
    const project = join(folder, "Pulumi.yaml");
    if (!existsSync(project)) {
        throw new UsageError("no FILE given and no Pulumi.yaml in this folder; see tradewind updates --help");
    }
    const { stackConfigDir = "." } = parse(readFileSync(project, "utf8")) ?? {};
    const where = join(folder, stackConfigDir);
    return readdirSync(where)
        .filter((name) => /^Pulumi\..+\.yaml$/.test(name))
        .sort()
        .map((name) => join(where, name));
}

/** The stack of `Pulumi.<stack>.yaml`. */
export function stackOfFile(name: string): string | undefined {
    return /^Pulumi\.(.+)\.yaml$/.exec(name)?.[1];
}
