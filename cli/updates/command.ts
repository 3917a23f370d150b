import { KUBERNETES_VERSIONS, versions } from "../../artifacts";
import { type Architecture, publishedKubelet } from "../../cluster/downloads";
import { downloadsOption } from "../../cluster/machines/download-checks";
import { type UpdateChannel, updateOf } from "../../cluster/upgrades/update-channel";
import { invalidOption, UsageError } from "../../command-line/parse";
import { clusterState, localClusters } from "../../local/state";
import { paintFor, table } from "../status/render/table";
import { parseUpdatesOptions, UPDATES_HELP, type UpdatesOptions } from "./options";
import { type Checksums, readStackFile, type StackFile, stackFilesIn, withVersion, writeStackFile } from "./stack-file";

/** What there is for a stack. */
interface Update {
    readonly file: StackFile;
    /** What the stack has. */
    readonly from: string;
    /** What it may have. @default - it has the newest that its channel offers */
    readonly to?: string;
    readonly channel: UpdateChannel;
    readonly isWritten: boolean;
    readonly note?: string;
}

export { UPDATES_HELP as help } from "./options";

/** `tradewind updates`: 0, whether there are any or not. */
export async function run(args: readonly string[]): Promise<number> {
    const options = parseUpdatesOptions(args);
    if (options.isHelp) {
        process.stdout.write(UPDATES_HELP);
        return 0;
    }
    // All are looked at before one is written.
    const updates = filesOf(options).map((path) => lookUp(readStackFile(path), options));
    const changes = updates.flatMap(({ file, to, isWritten }): Change[] =>
        isWritten && to !== undefined ? [{ file, to }] : [],
    );
    const checksums = await checksumsOf(changes, options);
    const texts = changes.map(({ file, to }) => [file.path, withVersion(file, to, checksums[to])] as const);
    for (const [path, text] of texts) writeStackFile(path, text);
    if (options.output === "json") {
        const plain = updates.map(({ file, ...rest }) => ({ file: file.path, ...rest }));
        console.log(JSON.stringify(plain, null, 2));
    } else {
        show(updates, options.isWrite);
    }
    return 0;
}

function filesOf({ files, name }: UpdatesOptions): readonly string[] {
    if (name !== undefined) {
        if (!localClusters().includes(name)) {
            const legal = `one of this computer's clusters (${localClusters().join(", ") || "none"})`;
            throw invalidOption("--name", legal, name);
        }
        return [clusterState(name).config];
    }
    return files.length > 0 ? files : stackFilesIn(process.cwd());
}

function lookUp(file: StackFile, options: UpdatesOptions): Update {
    const channel = options.channel ?? file.channel;
    const { version: from = versions.kubernetes } = file;
    if (!(KUBERNETES_VERSIONS as readonly string[]).includes(from)) {
        throw new UsageError(
            `${file.path}: kubernetesVersion must be one of ${KUBERNETES_VERSIONS.join(", ")}, got ${from}`,
        );
    }
    // Without a version of its own, a stack has what the package has: another package is its update.
    const to = file.version === undefined ? undefined : updateOf(from, channel);
    const isWritten = to !== undefined && options.isWrite;
    const note =
        file.version === undefined ? "no version of its own: it has that of this release" : byHand(file, to, isWritten);
    return { file, from, ...(to && { to }), channel, isWritten, ...(note && { note }) };
}

/** What of a file is changed along with its version, and not by this command as it was called. */
function byHand({ ownKubelets, ownUrls }: StackFile, to: string | undefined, isWritten: boolean): string | undefined {
    if (to === undefined) return undefined;
    // A preview refuses the version without them.
    const hashes = isWritten
        ? []
        : ownKubelets.map(
              (each) =>
                  `${downloadsOption(each)}.kubelet.sha256 must be what ${publishedKubelet(to, each)}.sha256 says then`,
          );
    const urls = ownUrls.map(
        (each) => `${downloadsOption(each)}.kubelet.urls must lead to ${to} then: change them by hand`,
    );
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
                ? `\n${count} written. Have the change reviewed, with what pulumi preview says of it; pulumi up makes it.`
                : `\nNothing is written without --write.`,
        );
    }
}

/** A file's new version. */
interface Change {
    readonly file: StackFile;
    readonly to: string;
}

/** Hashes of kubelets that are to be written, by version: given or fetched. An error names every one that is missing. */
export async function checksumsOf(
    changes: readonly Change[],
    { checksums, isFetch }: Pick<UpdatesOptions, "checksums" | "isFetch">,
    fetchOne: (url: string) => Promise<string> = fetchChecksum,
): Promise<Readonly<Record<string, Checksums>>> {
    const needed = changes.flatMap(({ file, to }) => file.ownKubelets.map((arch) => ({ file, to, arch })));
    const versions = [...new Set(needed.map(({ to }) => to))];
    if (Object.keys(checksums).length > 0 && versions.length > 1) {
        throw new UsageError(
            `--kubelet-sha256 must be given for files of one new version, got ${versions.join(" and ")}: name the files`,
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
                `${file.path}: ${downloadsOption(arch)}.kubelet.sha256 must be that of ${to}: give ${checksumOption(arch)}, what this prints:\n  curl -fsSL ${url}`,
            );
        } else {
            of[arch] = sha256;
        }
    }
    if (missing.length > 0) {
        throw new UsageError(`${missing.join("\n")}\nor --fetch-checksums, which asks there. Nothing was written.`);
    }
    return found;
}

/** By which the hash of a kubelet is given. */
function checksumOption(arch: Architecture): string {
    return arch === "amd64" ? "--kubelet-sha256" : `--kubelet-sha256-${arch}`;
}

/** Long for 64 digits, short for whoever waits. */
const timeoutMilliseconds = 30_000;

/**
 * A SHA-256 as it is published beside its file. Whoever answers is believed: TLS is what vouches for it.
 *
 * @param protocol - that every answer has to come by, after redirections too
 */
export async function fetchChecksum(url: string, protocol = "https:"): Promise<string> {
    const text = await answerOf(url, protocol);
    if (!/^[0-9a-f]{64}$/.test(text)) {
        throw new UsageError(
            `${url} must be a SHA-256 of 64 hexadecimal digits, got ${JSON.stringify(text.slice(0, 80))}`,
        );
    }
    return text;
}

async function answerOf(url: string, protocol: string, redirections = 5): Promise<string> {
    if (new URL(url).protocol !== protocol) {
        throw new UsageError(`${url} must be asked by ${protocol}//: its checksum is not fetched`);
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
        throw new UsageError(`${url} could not be fetched: ${why}`);
    }
}
