import { KUBERNETES_VERSIONS, versions } from "../../artifacts";
import { type UpdateChannel, updateOf } from "../../components/cluster/update-channel";
import { downloadsOption } from "../../components/nodes/download-checks";
import { publishedKubelet } from "../../components/nodes/published";
import { clusterState, localClusters } from "../state";
import { paintFor } from "../status/render/style";
import { table } from "../status/render/table";
import { type Change, checksumsOf } from "../updates/checksums";
import { stackFilesIn } from "../updates/find-files";
import { parseUpdatesOptions, UPDATES_HELP, type UpdatesOptions } from "../updates/options";
import { readStackFile, type StackFile, withVersion, writeStackFile } from "../updates/stack-file";
import { invalidOption, UsageError } from "../usage-error";

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

export { UPDATES_HELP as help } from "../updates/options";

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
