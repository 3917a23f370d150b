import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isScalar, parseDocument } from "yaml";
import type { WeeklyWindow } from "../../agents/nodes/reboot-approver/decide";
import { parseYaml } from "../../clients/yaml";
import { type Architecture, architectures, knownKubeletChecksum } from "../../cluster/downloads";
import { type UpdateChannel, updateChannels } from "../../cluster/upgrades/update-channel";
import { requireWindows } from "../../cluster/weekly-windows";
import { invalidOption, oneOf, UsageError } from "../../command-line/parse";
import { readInput } from "../../command-line/read-input";
import { decoded } from "../../local/updated-yaml";

const VERSION = "tradewind:kubernetesVersion";
const CHANNEL = "tradewind:updateChannel";
const WINDOWS = "tradewind:updateWindows";
/** Where cloud machines download their kubelet, by architecture; its hash depends on the version. */
const KUBELETS = {
    amd64: ["tradewind:downloads", "kubelet"],
    arm64: ["tradewind:downloads", "arm64", "kubelet"],
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

/** A `Pulumi.<stack>.yaml`: its text, and its configuration as Pulumi reads it. @throws UsageError if it is not valid */
export function readStackConfig(path: string): { text: string; config: Readonly<Record<string, unknown>> } {
    const text = readInput("FILE", path).toString("utf8");
    const file = asUsage(() => parseYaml(path, text));
    // An empty file is a stack without configuration.
    if (!isRecord(file ?? {})) {
        throw new UsageError(`FILE must be a stack's configuration (got ${path}, which is no mapping)`);
    }
    const { config } = (file ?? {}) as { config?: unknown };
    const values: unknown = config ?? {};
    if (!isRecord(values)) throw new UsageError(`${path}: config must be a mapping (got ${JSON.stringify(config)})`);
    return { text, config: Object.fromEntries(Object.entries(values).map(([key, each]) => [key, decoded(each)])) };
}

/** Reads what concerns its version. @throws UsageError if it is not valid */
export function readStackFile(path: string): StackFile {
    const { text, config } = readStackConfig(path);
    const channel = config[CHANNEL] ?? "none";
    if (!updateChannels.includes(channel as UpdateChannel)) {
        throw invalidOption(`${path}: updateChannel`, oneOf(updateChannels).legal, shown(channel));
    }
    const version = config[VERSION];
    const has = (architecture: Architecture, key: string) => valueAt(config, [...KUBELETS[architecture], key]);
    return {
        path,
        text,
        ...(version !== undefined && { version: typeof version === "string" ? version : shown(version) }),
        channel: channel as UpdateChannel,
        windows: windowsOf(path, config[WINDOWS]),
        ownChecksums: architectures.filter((each) => has(each, "sha256") !== undefined),
        ownUrls: architectures.filter((each) => has(each, "urls") !== undefined),
    };
}

function shown(value: unknown): string {
    return typeof value === "string" ? value : JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
    return path.reduce<unknown>((all, key) => (isRecord(all) && Object.hasOwn(all, key) ? all[key] : undefined), value);
}

function windowsOf(path: string, texts: unknown = []): readonly WeeklyWindow[] {
    if (!Array.isArray(texts)) throw new UsageError(`${path}: updateWindows must be a list (got ${shown(texts)})`);
    return asUsage(() => requireWindows("updateWindows", texts.map(shown)), `${path}: `);
}

/** What is wrong is in a file of the user. */
function asUsage<T>(read: () => T, prefix = ""): T {
    try {
        return read();
    } catch (error) {
        throw new UsageError(`${prefix}${(error as Error).message}`);
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
        { at: [VERSION], to: version },
        ...ownChecksums.flatMap((each) => {
            const to = knownKubeletChecksum(version, each);
            return to === undefined ? [] : [{ at: [...KUBELETS[each], "sha256"], to }];
        }),
    ].map(({ at, to }) => {
        // Undefined below JSON text, and for what an alias or a merge key stands for.
        const node = document.hasIn(["config", ...at]) ? document.getIn(["config", ...at], true) : undefined;
        if (!isScalar(node) || !node.range) {
            throw new UsageError(
                `${path}: ${at.join(".")} must be changed manually: it is an alias, or part of a JSON text`,
            );
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

/** The Pulumi project in a folder. @throws UsageError if there is none */
export function projectIn(folder: string): { readonly name: string; readonly configs: string } {
    const path = join(folder, "Pulumi.yaml");
    const project = asUsage(() => parseYaml(path, readInput("the project", path).toString("utf8"))) ?? {};
    const { name, stackConfigDir = "." } = project as Record<string, unknown>;
    if (!isRecord(project) || typeof stackConfigDir !== "string") {
        throw new UsageError(`${path} must be a Pulumi project (got ${shown(project)})`);
    }
    return { name: String(name), configs: join(folder, stackConfigDir) };
}

/** The stacks' configuration files of the Pulumi project in a folder. @throws UsageError without a project */
export function stackFilesIn(folder: string): string[] {
    if (!existsSync(join(folder, "Pulumi.yaml"))) {
        throw new UsageError(`there is no Pulumi.yaml in ${folder}: run it in the folder of a Pulumi project`);
    }
    const { configs } = projectIn(folder);
    if (!existsSync(configs)) throw new UsageError(`stackConfigDir must be a folder (got ${configs})`);
    return readdirSync(configs)
        .filter((name) => /^Pulumi\..+\.yaml$/.test(name))
        .sort()
        .map((name) => join(configs, name));
}

/** The stack of `Pulumi.<stack>.yaml`. */
export function stackOfFile(name: string): string | undefined {
    return /^Pulumi\.(.+)\.yaml$/.exec(name)?.[1];
}
