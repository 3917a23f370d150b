import { type UpdateChannel, updateChannels } from "../../cluster/upgrades/update-channel";
import { invalidOption, parseCommandLine } from "../../command-line/parse";
import { clusterName } from "../../local/options";
import type { Checksums } from "./stack-file";

export interface UpdatesOptions {
    /** Stacks' configuration files. @default - those of the project in this folder */
    readonly files: readonly string[];
    /** A cluster of this computer. */
    readonly name?: string;
    /** For every file, in the place of its own. */
    readonly channel?: UpdateChannel;
    readonly isWrite: boolean;
    /** Of the new version's kubelets, for stacks of clouds. */
    readonly checksums: Checksums;
    /** Whether those that are not given are asked for where Kubernetes publishes them. */
    readonly isFetch: boolean;
    readonly output: "text" | "json";
    readonly isHelp: boolean;
}

export const UPDATES_HELP = `Which newer Kubernetes a stack may have, as a change of its configuration to be reviewed.

Usage: tradewind updates [options] [FILE...]

  FILE                    a stack's configuration: Pulumi.<stack>.yaml
                          (default: those of the Pulumi project in this folder)
  --name NAME             the configuration of a cluster of this computer
  --channel CHANNEL       patch: the newest patch of its minor version; minor: of the next one too; none
                          (default: updateChannel of each file, which is none if it has none)
  --write                 write the new version into the files; else they are left as they are
  --kubelet-sha256 HEX    with --write, of stacks on clouds: what downloads.kubelet.sha256 is to be for the new version
  --kubelet-sha256-arm64 HEX
                          the same of machines of arm64
  --fetch-checksums       with --write: have those that are not given from dl.k8s.io, by HTTPS. It is believed as it
                          answers: compare them in the review if that is not enough
  --output, -o FORM       text or json (default: text)
  --help, -h

Versions are those that this release of Tradewind has pinned; nothing is asked for over the network but by
--fetch-checksums, and no cluster is touched: that is for pulumi preview and pulumi up, once the change is reviewed.
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
        if (!write) throw invalidOption(option, "given with --write", "none");
    }
    if (isFetch && !write) throw invalidOption("--fetch-checksums", "given with --write", "none");
    if (channel !== undefined && !updateChannels.includes(channel as UpdateChannel)) {
        throw invalidOption("--channel", updateChannels.join(", "), channel);
    }
    if (output !== "text" && output !== "json") {
        throw invalidOption("--output", "text or json", output);
    }
    if (name !== undefined && positionals.length > 0) {
        throw invalidOption("--name", "given without a FILE", positionals[0]);
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
