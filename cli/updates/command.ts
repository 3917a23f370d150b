import { basename } from "node:path";
import { type Architecture, knownKubeletChecksum, publishedKubelet } from "../../cluster/downloads";
import { downloadsOption } from "../../cluster/machines/download-checks";
import { requireKubernetesVersion } from "../../cluster/upgrades/supported";
import { type UpdateChannel, updateChannels, updateOf } from "../../cluster/upgrades/update-channel";
import { command } from "../../command-line/command";
import { flag, oneOf, outputFormat, UsageError, type Values, value } from "../../command-line/parse";
import { replaceFile } from "../../command-line/replace-file";
import { CLUSTER_NAME } from "../../local/options";
import { requireLocalCluster } from "../../local/state";
import { versions } from "../../versions";
import type { Engine } from "../preview/engine";
import { engineOnPath, localEngine } from "../preview/engines";
import { paintFor, table } from "../status/render/table";
import { applyUpdate, type Outcome } from "./apply";
import { readStackFile, type StackFile, stackFilesIn, stackOfFile, withVersion } from "./stack-file";

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
    /** How `--apply` ended. */
    readonly result?: Outcome["result"];
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
    apply: flag(
        "run pulumi up for each update, if one of the stack's updateWindows is open and the stack has no other change; then write the version",
        { excludes: ["write"] },
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
        notes: `Offers only versions pinned by this release of Tradewind. Without --apply, it makes no network requests and does not touch any cluster: run pulumi preview and pulumi up once the change is reviewed.

Examples:
  tradewind updates --channel minor
  tradewind updates --write Pulumi.prod.yaml
  tradewind updates --apply                    on a schedule, in the folder of the Pulumi project

Exit codes:
  0  done, whether there are updates or not
  1  with --apply: a stack was not updated; its line says why`,
    },
    update,
);

/** `tradewind updates`: 0, or 1 if an update could not be applied. */
async function update(chosen: UpdatesOptions, files: readonly string[]): Promise<number> {
    const { apply, output } = chosen;
    // All files are read before the first one is written.
    const offered = filesOf(files, chosen.name).map((path) => lookUp(readStackFile(path), chosen));
    const updates = apply ? await applied(offered, await enginesOf(chosen.name)) : offered;
    const texts = offered.flatMap(({ file, to, isWritten }) =>
        isWritten && to !== undefined ? [[file.path, withVersion(file, to)] as const] : [],
    );
    for (const [path, text] of texts) replaceFile(path, text);
    if (output === "json") {
        const plain = updates.map(({ file, ...rest }) => ({ file: file.path, ...rest }));
        console.log(JSON.stringify(plain, null, 2));
    } else {
        show(updates, chosen);
    }
    return updates.some(({ result }) => result === "failed") ? 1 : 0;
}

/** One after the other: a release with a fault should not reach all clusters at once. */
async function applied(updates: readonly Update[], engine: (path: string, config: string) => Engine) {
    const all: Update[] = [];
    for (const update of updates) {
        const { file, from, to } = update;
        // After a failure, the rest waits for a person.
        if (to === undefined || all.some(({ result }) => result === "failed")) {
            all.push(update);
            continue;
        }
        // What only a person can change would not fit the new version.
        if (update.note !== undefined) {
            all.push({ ...update, result: "failed" });
            continue;
        }
        process.stderr.write(`==> ${file.path}: Kubernetes ${from} to ${to}\n`);
        const outcome = await applyUpdate(file, to, (config) => engine(file.path, config), Date.now() / 1000);
        const isApplied = outcome.result === "applied";
        all.push({
            ...update,
            result: outcome.result,
            isWritten: isApplied,
            ...("why" in outcome && { note: outcome.why }),
        });
    }
    return all;
}

/** The engine of a stack, by its file, with a configuration file. */
async function enginesOf(name: string | undefined): Promise<(path: string, config: string) => Engine> {
    const local = name === undefined ? undefined : await localEngine(name);
    return (path, config) => ({
        ...(local ?? engineOnPath(stackOf(path), process.cwd())),
        config: ["--config-file", config],
    });
}

function stackOf(path: string): string {
    const stack = stackOfFile(basename(path));
    if (stack === undefined) throw new UsageError(`with --apply, FILE must be a Pulumi.<stack>.yaml (got ${path})`);
    return stack;
}

function filesOf(files: readonly string[], name: string | undefined): readonly string[] {
    if (name !== undefined && files.length > 0) throw new UsageError("--name and FILE are mutually exclusive");
    if (name !== undefined) return [requireLocalCluster(name).config];
    const all = files.length > 0 ? files : stackFilesIn(process.cwd());
    if (all.length === 0) throw new UsageError("the project in this folder has no Pulumi.<stack>.yaml");
    return all;
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

function show(updates: readonly Update[], { write, apply }: UpdatesOptions): void {
    const rows = updates.map(({ file, from, to, channel, result, note = "" }) => {
        const [said = "", ...rest] = note.split("\n");
        // More lines follow the table.
        const first = [result, said].filter(Boolean).join(": ") + (rest.length > 0 ? " …" : "");
        return [file.path, from, to ?? "-", channel, first];
    });
    const lines = table(["STACK", "KUBERNETES", "UPDATE", "CHANNEL", ""], rows, paintFor(process.stdout));
    console.log(lines.join("\n"));
    for (const { note = "" } of updates) if (note.includes("\n")) console.log(`\n${note}`);
    const count = updates.filter(({ to }) => to !== undefined).length;
    if (count > 0 && !apply) {
        console.log(
            write
                ? `\n${count} written. Review the change together with pulumi preview, then apply it with pulumi up.`
                : `\nNothing was written; use --write to change the files.`,
        );
    }
}
