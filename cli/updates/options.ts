import { type UpdateChannel, updateChannels } from "../../cluster/upgrades/update-channel";
import { invalidOption, parseCommandLine, UsageError } from "../../command-line/parse";
import { clusterName } from "../../local/options";
import type { Checksums } from "./stack-file";

export interface UpdatesOptions {
    /** Stacks' configuration files. @default - those of the project in the current folder */
    readonly files: readonly string[];
    /** A local cluster. */
    readonly name?: string;
    /** Overrides the channel of every file. */
    readonly channel?: UpdateChannel;
    readonly isWrite: boolean;
    /** Kubelet checksums of the new version, for cloud stacks. */
    readonly checksums: Checksums;
    /** Whether to download missing checksums from where Kubernetes publishes them. */
    readonly isFetch: boolean;
    readonly output: "text" | "json";
    readonly isHelp: boolean;
}

export const UPDATES_HELP = `Lists newer Kubernetes versions for stacks, or writes them into the stacks' configuration for review.

Usage: tradewind updates [options] [FILE...]

  FILE                    a stack's configuration: Pulumi.<stack>.yaml
                          (default: every one of the Pulumi project in this folder)
  --name NAME             the configuration of a local cluster
  --channel CHANNEL       patch: newest patch of the current minor version; minor: also the next minor version;
                          none (default: updateChannel of each file, otherwise none)
  --write                 write the new version into the files; without it, files stay unchanged
  --kubelet-sha256 HEX    with --write, for cloud stacks: downloads.kubelet.sha256 of the new version
  --kubelet-sha256-arm64 HEX
                          the same for arm64 machines
  --fetch-checksums       with --write: download missing checksums from dl.k8s.io over HTTPS. They are not
                          verified further: compare them during review if you need more than that
  --output, -o FORMAT     text or json (default: text)
  --help, -h

Offers only versions pinned by this release of Tradewind. Makes no network requests except for --fetch-checksums,
and does not touch any cluster: run pulumi preview and pulumi up once the change is reviewed.
`;

/** Parses and checks the command line. Throws `--<option> must be <legal>, got <value>`. */
export function parseUpdatesOptions(args: readonly string[]): UpdatesOptions {
    const { values, positionals } = parse(args);
    const { name, channel, write = false, output = "text", help = false } = values;
    const { "kubelet-sha256": amd64, "kubelet-sha256-arm64": arm64, "fetch-checksums": isFetch = false } = values;
    const given = { "--kubelet-sha256": amd64, "--kubelet-sha256-arm64": arm64 };
    for (const [option, sha256] of Object.entries(given)) {
        if (sha256 === undefined) continue;
        if (!/^[0-9a-f]{64}$/.test(sha256)) {
            throw invalidOption(option, "a SHA-256 of 64 hexadecimal digits", sha256);
        }
        if (!write) throw new UsageError(`${option} requires --write`);
    }
    if (isFetch && !write) throw new UsageError("--fetch-checksums requires --write");
    if (channel !== undefined && !updateChannels.includes(channel as UpdateChannel)) {
        throw invalidOption("--channel", updateChannels.join(", "), channel);
    }
    if (output !== "text" && output !== "json") {
        throw invalidOption("--output", "text or json", output);
    }
    if (name !== undefined && positionals.length > 0) {
        throw new UsageError("--name and FILE are mutually exclusive");
    }
    return {
        files: positionals,
        name: name === undefined ? undefined : clusterName(name),
        channel: channel as UpdateChannel | undefined,
        isWrite: write,
        checksums: { ...(amd64 !== undefined && { amd64 }), ...(arm64 !== undefined && { arm64 }) },
        isFetch,
        output,
        isHelp: help,
    };
}

function parse(args: readonly string[]) {
    const string = { type: "string" } as const;
    return parseCommandLine("tradewind updates --help", {
        args: [...args],
        allowPositionals: true,
        options: {
            name: string,
            channel: string,
            write: { type: "boolean" },
            "kubelet-sha256": string,
            "kubelet-sha256-arm64": string,
            "fetch-checksums": { type: "boolean" },
            output: { type: "string", short: "o" },
            help: { type: "boolean", short: "h" },
        },
    });
}
