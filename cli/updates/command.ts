import { versions } from "../../artifacts";
import { type Architecture, publishedKubelet } from "../../cluster/downloads";
import { downloadsOption } from "../../cluster/machines/download-checks";
import { requireKubernetesVersion } from "../../cluster/upgrades/supported";
import { type UpdateChannel, updateChannels, updateOf } from "../../cluster/upgrades/update-channel";
import { command } from "../../command-line/command";
import { flag, matching, oneOf, outputFormat, UsageError, type Values, value } from "../../command-line/parse";
import { CLUSTER_NAME } from "../../local/options";
import { requireLocalCluster } from "../../local/state";
import { paintFor, table } from "../status/render/table";
import { type Checksums, readStackFile, type StackFile, stackFilesIn, withVersion, writeStackFile } from "./stack-file";

/** The update available for a stack. */
interface Update {
    readonly file: StackFile;
    /** Current version. */
    readonly from: string;
    /** New version. @default - the newest of its channel is installed */
    readonly to?: string;
    readonly channel: UpdateChannel;
    readonly isWritten: boolean;
    readonly note?: string;
}

const SHA256 = matching("a SHA-256 of 64 hexadecimal digits", /^[0-9a-f]{64}$/);

const options = {
    name: value("NAME", "the configuration of a local cluster", CLUSTER_NAME),
    channel: value(
        "CHANNEL",
        "patch: newest patch of the current minor version; minor: also the next minor version; none",
        oneOf(updateChannels),
        { otherwise: "updateChannel of each file, otherwise none" },
    ),
    write: flag("write the new version into the files; without it, files stay unchanged"),
    kubeletSha256: value("HEX", "for cloud stacks: downloads.kubelet.sha256 of the new version", SHA256, {
        needs: "--write",
    }),
    kubeletSha256Arm64: value("HEX", "the same for arm64 machines", SHA256, { needs: "--write" }),
    fetchChecksums: flag(
        "download missing checksums from dl.k8s.io over HTTPS. They are not verified further: compare them during review if you need more than that",
        { needs: "--write" },
    ),
    output: outputFormat(),
};

type UpdatesOptions = Values<typeof options>;

export const program = command(
    {
        name: "tradewind updates",
        about: "Lists newer Kubernetes versions for stacks, or writes them into the stacks' configuration for review.",
        usage: "[options] [FILE...]",
        options,
        words: [
            "FILE",
            "a stack's configuration, Pulumi.<stack>.yaml (default: every one of the Pulumi project in this folder)",
        ],
        notes: `Offers only versions pinned by this release of Tradewind. Makes no network requests except for --fetch-checksums, and does not touch any cluster: run pulumi preview and pulumi up once the change is reviewed.

Examples:
  tradewind updates --channel minor
  tradewind updates --write --fetch-checksums Pulumi.prod.yaml`,
    },
    update,
);

/** `tradewind updates`: 0, whether there are updates or not. */
async function update(chosen: UpdatesOptions, files: readonly string[]): Promise<number> {
    const { write, output } = chosen;
    // All files are read before the first one is written.
    const updates = filesOf(files, chosen.name).map((path) => lookUp(readStackFile(path), chosen));
    const changes = updates.flatMap(({ file, to, isWritten }): Change[] =>
        isWritten && to !== undefined ? [{ file, to }] : [],
    );
    const checksums = await checksumsOf(changes, {
        checksums: { amd64: chosen.kubeletSha256, arm64: chosen.kubeletSha256Arm64 },
        isFetch: chosen.fetchChecksums,
    });
    const texts = changes.map(({ file, to }) => [file.path, withVersion(file, to, checksums[to])] as const);
    for (const [path, text] of texts) writeStackFile(path, text);
    if (output === "json") {
        const plain = updates.map(({ file, ...rest }) => ({ file: file.path, ...rest }));
        console.log(JSON.stringify(plain, null, 2));
    } else {
        show(updates, write);
    }
    return 0;
}

function filesOf(files: readonly string[], name: string | undefined): readonly string[] {
    if (name !== undefined && files.length > 0) throw new UsageError("--name and FILE are mutually exclusive");
    if (name !== undefined) return [requireLocalCluster(name).config];
    return files.length > 0 ? files : stackFilesIn(process.cwd());
}

function lookUp(file: StackFile, options: UpdatesOptions): Update {
    const channel = options.channel ?? file.channel;
    const { version: from = versions.kubernetes } = file;
    try {
        requireKubernetesVersion("kubernetesVersion", from);
    } catch (error) {
        throw new UsageError(`${file.path}: ${(error as Error).message}`);
    }
    // A stack without its own version uses the package's: updating the package updates it.
    const to = file.version === undefined ? undefined : updateOf(from, channel);
    const isWritten = to !== undefined && options.write;
    const note = file.version === undefined ? "no version set; uses that of this release" : byHand(file, to, isWritten);
    return { file, from, ...(to && { to }), channel, isWritten, ...(note && { note }) };
}

/** Changes to a file that a new version requires, but that this run does not make. */
function byHand({ ownKubelets, ownUrls }: StackFile, to: string | undefined, isWritten: boolean): string | undefined {
    if (to === undefined) return undefined;
    // A preview rejects the version without them.
    const hashes = isWritten
        ? []
        : ownKubelets.map(
              (each) =>
                  `${downloadsOption(each)}.kubelet.sha256 must then be changed to the contents of ${publishedKubelet(to, each)}.sha256`,
          );
    const urls = ownUrls.map((each) => `${downloadsOption(each)}.kubelet.urls must then be changed to ${to} manually`);
    return [...hashes, ...urls].join(", ") || undefined;
}

function show(updates: readonly Update[], isWrite: boolean): void {
    const rows = updates.map(({ file, from, to, channel, note = "" }) => [file.path, from, to ?? "-", channel, note]);
    const lines = table(["STACK", "KUBERNETES", "UPDATE", "CHANNEL", ""], rows, paintFor(process.stdout));
    console.log(lines.join("\n"));
    const count = updates.filter(({ to }) => to !== undefined).length;
    if (count > 0) {
        console.log(
            isWrite
                ? `\n${count} written. Review the change together with pulumi preview, then apply it with pulumi up.`
                : `\nNothing was written; use --write to change the files.`,
        );
    }
}

/** A file's new version. */
interface Change {
    readonly file: StackFile;
    readonly to: string;
}

/** Kubelet hashes to write, by version: given or downloaded. The error lists all missing ones. */
export async function checksumsOf(
    changes: readonly Change[],
    { checksums, isFetch }: { readonly checksums: Checksums; readonly isFetch: boolean },
    fetchOne: (url: string) => Promise<string> = fetchChecksum,
): Promise<Readonly<Record<string, Checksums>>> {
    const needed = changes.flatMap(({ file, to }) => file.ownKubelets.map((arch) => ({ file, to, arch })));
    const versions = [...new Set(needed.map(({ to }) => to))];
    if (Object.values(checksums).some(Boolean) && versions.length > 1) {
        throw new UsageError(
            `--kubelet-sha256 applies to a single new version, got ${versions.join(" and ")}; name the files to change`,
        );
    }
    const found: Record<string, Partial<Record<Architecture, string>>> = {};
    const missing: string[] = [];
    for (const { file, to, arch } of needed) {
        const of = found[to] ?? {};
        found[to] = of;
        const url = `${publishedKubelet(to, arch)}.sha256`;
        const sha256 = of[arch] ?? checksums[arch] ?? (isFetch ? await fetchOne(url) : undefined);
        if (sha256 === undefined) {
            missing.push(
                `${file.path}: ${downloadsOption(arch)}.kubelet.sha256 must change for ${to}; set ${checksumOption(arch)} to the output of\n  curl -fsSL ${url}`,
            );
        } else {
            of[arch] = sha256;
        }
    }
    if (missing.length > 0) {
        throw new UsageError(`${missing.join("\n")}\nor use --fetch-checksums to download it. Nothing was written.`);
    }
    return found;
}

/** The option for a kubelet's hash. */
function checksumOption(arch: Architecture): string {
    return arch === "amd64" ? "--kubelet-sha256" : `--kubelet-sha256-${arch}`;
}

/** Long enough for 64 digits, short enough to wait for. */
const timeoutMilliseconds = 30_000;

/**
 * Downloads the SHA-256 published next to a file. The response is trusted; only TLS protects it.
 *
 * @param protocol - required for every response, also after redirects
 */
export async function fetchChecksum(url: string, protocol = "https:"): Promise<string> {
    const text = await answerOf(url, protocol);
    if (!/^[0-9a-f]{64}$/.test(text)) {
        throw new UsageError(
            `${url} must return a SHA-256 of 64 hexadecimal digits, got ${JSON.stringify(text.slice(0, 80))}`,
        );
    }
    return text;
}

async function answerOf(url: string, protocol: string, redirections = 5): Promise<string> {
    if (new URL(url).protocol !== protocol) {
        throw new UsageError(`refused to download ${url} without ${protocol}//`);
    }
    try {
        const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(timeoutMilliseconds) });
        const location = answer.headers.get("location");
        if (answer.status >= 300 && answer.status < 400 && location !== null && redirections > 0) {
            return await answerOf(new URL(location, url).href, protocol, redirections - 1);
        }
        if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`);
        return (await answer.text()).trim();
    } catch (error) {
        if (error instanceof UsageError) throw error;
        const { message, cause } = error as Error;
        const why = cause instanceof Error ? cause.message : message;
        throw new UsageError(`${url} could not be downloaded: ${why}`);
    }
}
