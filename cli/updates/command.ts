import { type Architecture, knownKubeletChecksum, publishedKubelet } from "../../cluster/downloads";
import { downloadsOption } from "../../cluster/machines/download-checks";
import { requireKubernetesVersion } from "../../cluster/upgrades/supported";
import { type UpdateChannel, updateChannels, updateOf } from "../../cluster/upgrades/update-channel";
import { command } from "../../command-line/command";
import { flag, oneOf, outputFormat, UsageError, type Values, value } from "../../command-line/parse";
import { CLUSTER_NAME } from "../../local/options";
import { requireLocalCluster } from "../../local/state";
import { versions } from "../../versions";
import { paintFor, table } from "../status/render/table";
import { readStackFile, type StackFile, stackFilesIn, withVersion, writeStackFile } from "./stack-file";

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

const options = {
    name: value("NAME", "the configuration of a local cluster", CLUSTER_NAME),
    channel: value(
        "CHANNEL",
        "patch: newest patch of the current minor version; minor: also the next minor version; none",
        oneOf(updateChannels),
        { otherwise: "updateChannel of each file, otherwise none" },
    ),
    write: flag(
        "write the new version, and its checksum where the file has one, into the files; without it, files stay unchanged",
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
        notes: `Offers only versions pinned by this release of Tradewind. Makes no network requests and does not touch any cluster: run pulumi preview and pulumi up once the change is reviewed.

Examples:
  tradewind updates --channel minor
  tradewind updates --write Pulumi.prod.yaml`,
    },
    update,
);

/** `tradewind updates`: 0, whether there are updates or not. */
function update(chosen: UpdatesOptions, files: readonly string[]): number {
    const { write, output } = chosen;
    // All files are read before the first one is written.
    const updates = filesOf(files, chosen.name).map((path) => lookUp(readStackFile(path), chosen));
    const texts = updates.flatMap(({ file, to, isWritten }) =>
        isWritten && to !== undefined ? [[file.path, withVersion(file, to)] as const] : [],
    );
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
    const note = file.version === undefined ? "no version set; uses that of this release" : byHand(file, to);
    return { file, from, ...(to && { to }), channel, isWritten, ...(note && { note }) };
}

/** Changes to a file that a new version requires, but that this run does not make. */
function byHand({ ownUrls, ownChecksums }: StackFile, to: string | undefined): string | undefined {
    if (to === undefined) return undefined;
    const option = (architecture: Architecture, name: string) => `${downloadsOption(architecture)}.kubelet.${name}`;
    const urls = ownUrls.map((each) => option(each, "urls")).join(", ");
    const unknown = ownChecksums.filter((each) => knownKubeletChecksum(to, each) === undefined);
    const sums = unknown.map((each) => `${option(each, "sha256")} to that of ${publishedKubelet(to, each)}.sha256`);
    const notes = [
        ...(urls
            ? [`${urls} must then be changed to ${to} manually, and sha256 unless they are of the published kubelet`]
            : []),
        ...(sums.length > 0 ? [`${sums.join(", ")} must then be changed manually: this release does not know it`] : []),
    ];
    return notes.length > 0 ? notes.join("; ") : undefined;
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
